import {realpath} from 'node:fs/promises';
import pMap from 'p-map';
import {namedChanges, type FileChange} from '../bundle/compare-files.ts';
import {readTieFile, tieDefaults} from '../bundle/folder-tie.ts';
import {aboutPath, checkSource, packSource} from '../bundle/pack-ability.ts';
import {readSource} from '../bundle/read-source.ts';
import {prepareRelease} from '../client/release-source.ts';
import {quotePath, refusal} from '../interface/ability-package/limits.ts';
import {errorText, SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {nearIdentity} from '../interface/name-index.ts';
import {cleanName, rawName} from '../interface/records.ts';
import {shellWord} from '../platform/shell-word.ts';
import type {StepOf} from '../state/plan.ts';
import type {Context} from './context.ts';
import {readResourceList} from './find-records.ts';
import {openSavedDrafts} from '../settings/saved-drafts.ts';
import {releasesOf} from './send-source.ts';
import {choosePushTarget, type Choosing, type PushFolder, type PushTarget, type PushWish} from './push-target.ts';
import type {Service} from './with-service.ts';

/** The plan for pushing a folder, made before anything is sent. */
export type Push = {
	readonly folder: PushFolder;
	/** To be answered before anything is sent. */
	readonly question?: string | undefined;
	readonly step: StepOf<'create' | 'release'>;
	/** The differing files; none if a draft is released as it is. */
	readonly files: readonly FileChange[];
};

/** Returns the differing files, in words. */
export function changedFilesText(files: readonly FileChange[]): string {
	return files.length === 0 ? 'the draft' : namedChanges(files);
}

/** Returns each folder once, however it is spelled. An unreadable folder stays, because reading it explains the problem. */
export async function withoutRepeated(folders: readonly string[]): Promise<readonly string[]> {
	const places = await Promise.all(folders.map(async folder => realpath(folder).catch(() => folder)));
	return folders.filter((_folder, index) => places.indexOf(places[index]!) === index);
}

/** Collects the problems of the folders, so that all can be reported at once. Any other error ends the command. */
export class FolderProblems {
	readonly #problems: Array<readonly [folder: string, error: SwitchboardError]> = [];
	readonly #folders: readonly string[];

	constructor(folders: readonly string[]) {
		this.#folders = folders;
	}

	/** Returns the result of the work for a folder; `undefined` after a problem. */
	async collect<Result>(folder: string, work: () => Promise<Result> | Result): Promise<Result | undefined> {
		try {
			return await work();
		} catch (error_) {
			const plain = toSwitchboardError(error_);
			const error = this.#folders.length > 1 || plain.field === 'zip_file' ? aboutPath(plain, folder) : plain;
			if (!isProblemOfInput(error)) {
				throw this.#alone(error);
			}

			this.#problems.push([folder, error]);
			return undefined;
		}
	}

	/** @throws SwitchboardError with all problems in the order of the folders, if there are any. */
	throwAll(): void {
		const place = ([folder]: readonly [string, SwitchboardError]): number => this.#folders.indexOf(folder);
		const [first, ...others] = this.#problems.toSorted((one, other) => place(one) - place(other)).map(([, error]) => error);
		if (first === undefined) {
			return;
		}

		if (others.length === 0) {
			throw this.#alone(first);
		}

		const isShared = others.every(({kind}) => kind === first.kind);
		const lines = [first, ...others].map(error => errorText(error).replaceAll('\n', ' '));
		throw new SwitchboardError(isShared ? first.kind : 'usage', `${lines.join('\n')}\nNothing was done.`);
	}

	/** Adds to the error of one folder among several that the others were not sent either. */
	#alone(error: SwitchboardError): SwitchboardError {
		return this.#folders.length === 1 ? error : error.with({message: `${error.message} Nothing was done.`});
	}
}

const isProblemOfInput = ({kind, isOutcomeUnknown}: SwitchboardError): boolean =>
	!isOutcomeUnknown && ['refused', 'too-large', 'conflict', 'usage', 'ambiguous', 'not-found'].includes(kind);

/** Reads all folders, each once, with the files that name their abilities. */
export async function readFolders(given: readonly string[], problems: FolderProblems): Promise<readonly PushFolder[]> {
	const folders: PushFolder[] = [];
	for (const folder of given) {
		const read = await problems.collect(folder, async (): Promise<PushFolder> => {
			const source = await readSource(folder);
			if (source.files.length === 0) {
				throw refusal('It contains no files.', 'An ability has at least main.py and __init__.py.');
			}

			return {path: folder, source, tieFile: await readTieFile(folder)};
		});
		folders.push(...(read === undefined ? [] : [read]));
	}

	return folders;
}

/**
Decides which ability each folder is for, compares it with the service's files, and finds the release that new code replaces. Changes
nothing.

@throws SwitchboardError if that fails for any folder: then nothing should be sent.
*/
export async function preparePushes(
	context: Context,
	service: Service,
	folders: readonly PushFolder[],
	options: PushWish,
	problems: FolderProblems,
): Promise<readonly Push[]> {
	const abilities = await readResourceList(context, service, 'abilities');
	const choosing = {context, service, abilities, options};
	const targets = await chooseTargets(folders, choosing, problems);
	const pushes = await pMap(targets, async target => problems.collect(target[0].path, async () => prepareOne(target, choosing)), {
		concurrency: 4,
	});
	problems.throwAll();
	return pushes.filter(push => push !== undefined);
}

/** Returns the ability of each folder; no two may be the same. */
async function chooseTargets(
	folders: readonly PushFolder[],
	choosing: Choosing,
	problems: FolderProblems,
): Promise<ReadonlyArray<readonly [PushFolder, PushTarget]>> {
	const taken = new Map<string, string>();
	const targets: Array<readonly [PushFolder, PushTarget]> = [];
	for (const folder of folders) {
		await problems.collect(folder.path, () => {
			const target = choosePushTarget(folder, choosing);
			const {name} = target.ability ?? target;
			const key = target.ability === undefined ? `new ${nearIdentity(name)}` : String(target.ability.id);
			const other = taken.get(key);
			if (other !== undefined) {
				throw new SwitchboardError('usage', `${quotePath(folder.path)} and ${quotePath(other)} are both for ${cleanName(name)}.`, {
					nextStep: 'Leave one out.',
				});
			}

			taken.set(key, folder.path);
			targets.push([folder, target]);
		});
	}

	return targets;
}

async function prepareOne(
	[folder, target]: readonly [PushFolder, PushTarget],
	{context, service, abilities: before, options}: Choosing,
): Promise<Push> {
	const {source, tieFile} = folder;
	const {draft: isDraft = false, name: givenName, metadata, message, agentId} = options;
	if (target.ability === undefined) {
		if (isDraft) {
			throw new SwitchboardError('refused', `There is no ability ${cleanName(target.name)} yet, so it can have no draft.`, {
				nextStep: `Create it first: switchboard abilities push ${shellWord(folder.path)}`,
			});
		}

		const overrides = {...metadata, name: givenName, defaults: tieDefaults(tieFile)};
		const [problem, ...others] = checkSource(source, overrides).problems;
		if (problem !== undefined && others.length > 0) {
			throw problem.with({message: [problem, ...others].map(each => errorText(each)).join(' '), nextStep: ''});
		}

		const packed = await packSource(source, overrides);
		return {folder, files: [], step: {kind: 'create', name: packed.name, packed, agentId, before, changes: []}};
	}

	const {ability, question} = target;
	context.showProgress(`Comparing ${ability.name} …`);
	const wish = {isDraft, ownDraftId: openSavedDrafts(service.draftAccount).own(ability)};
	const packed = {contents: source.files};
	const {release, files = []} = (await prepareRelease(releasesOf(context, service), ability, packed, wish)) ?? {};
	return {
		folder,
		question,
		files,
		step: {
			kind: 'release',
			name: rawName(ability),
			record: ability,
			packed,
			release,
			message: message ?? `Update ${changedFilesText(files)}`,
			isDraft,
			isDone: release === undefined,
			changes: [],
		},
	};
}
