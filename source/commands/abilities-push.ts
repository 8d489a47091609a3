import {namedChanges, type FileChange} from '../bundle/compare-files.ts';
import type {ResourceList} from '../client/client.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {indexNames} from '../interface/name-index.ts';
import {cleanName, type Ability} from '../interface/records.ts';
import type {Category} from '../interface/categories.ts';
import {draftOf, versionInUse} from '../interface/installed-lookup.ts';
import {splitTriggerPhrases} from '../interface/names.ts';
import {openSavedDrafts} from '../settings/saved-drafts.ts';
import type {ChangeOutcome} from '../changes/send-changes.ts';
import {shellWord} from '../platform/shell-word.ts';
import {isInteractive, type Context} from './context.ts';
import type {Service} from './with-service.ts';
import {noteDraft, sendRelease, uploadAndLookUp, uploadOf, warnOfSilentSkill} from './abilities-upload.ts';
import {changeAndReport, reportUndone, type ItemReport} from './change-items.ts';
import {readAndFind} from './find-records.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import {readTextOption} from './input/read-text.ts';
import {expectCreation, expectDraft, expectRelease} from './expect-source.ts';
import {createdAbility, keepTie} from './keep-tie.ts';
import {FolderProblems, preparePushes, readFolders, withoutRepeated, type Push} from './prepare-pushes.ts';
import type {PushFolder, PushWish, TargetOptions} from './push-target.ts';

/** What would be done, as a text that differs where that is something else. */
const planText = (pushes: readonly Push[]): string =>
	JSON.stringify(pushes.map(({id, name, work}) => [id, name, work.action, 'release' in work && [work.release, work.files]]));

/** The questions about drafts that were not saved from here, and that the new code replaces: they are nowhere else. */
const draftQuestions = (pushes: readonly Push[]): readonly string[] =>
	pushes.flatMap(({name, work}) =>
		'release' in work && work.release.replacedDraft !== undefined
			? [`${name} has a draft, version ${work.release.replacedDraft}, that was not saved from here. Replace it?`]
			: [],
	);

const creationQuestion = (pushes: readonly Push[], {create = false}: TargetOptions): string | undefined => {
	const names = pushes.filter(({work}) => work.action === 'created' && !create).map(({name}) => cleanName(name));
	return names.length === 0
		? undefined
		: names.length === 1
			? `Create the ability ${names[0]}?`
			: `Create the abilities ${names.join(', ')}?`;
};

/**
Asks on a terminal what has to be asked: whether to release code to an ability that got another name, and whether to create others.

@returns true if something was asked; that may have taken long.
*/
const askFirst = async (
	context: Context,
	pushes: readonly Push[],
	options: TargetOptions,
	printUnchanged: (isCut: boolean) => Promise<void>,
): Promise<boolean> => {
	const drafts = draftQuestions(pushes);
	for (const text of context.isDryRun ? drafts : []) {
		context.note(text.replace(/ Replace it\?$/, ' It would be replaced.'), 'warning');
	}

	if (drafts.length > 0 && !context.isSure && !context.isDryRun && !isInteractive(context)) {
		throw new SwitchboardError('usage', `${drafts[0]!.replace(/ Replace it\?$/, '')} Nothing was done.`, {
			nextStep: 'Use --yes to replace it without confirmation.',
		});
	}

	let wasAsked = false;
	for (const text of [...pushes.map(({question}) => question), ...drafts, creationQuestion(pushes, options)].filter(
		each => each !== undefined,
	)) {
		wasAsked = (await confirmOnTerminal(context, text, 'Nothing was pushed.', printUnchanged)) || wasAsked;
	}

	return wasAsked;
};

/** The outcome of a folder that was pushed. */
type Pushed = {
	/** Of the ability; `undefined` if the service did not say. */
	readonly id: number | undefined;
	readonly version: string | undefined;
	readonly isChanged: boolean;
};

type PushOutcome = ChangeOutcome<Push, Pushed>;

type Sent = {
	readonly message: string | undefined;
	/** The agent that new abilities are given to. */
	readonly agentId: number | undefined;
};

const changedText = (files: readonly FileChange[]): string => (files.length === 0 ? 'the draft' : namedChanges(files));

/**
Creates the ability or releases its new code, if it differs. In a dry run it sends nothing and returns what it would do.

@param message - of the release; by default one that names the files.
*/
const sendPush = async (context: Context, service: Service, {id, folder, work}: Push, {message, agentId}: Sent): Promise<Pushed> => {
	switch (work.action) {
		case 'unchanged': {
			return {id, version: versionInUse(work.ability), isChanged: false};
		}

		case 'created': {
			const created = context.isDryRun
				? undefined
				: await uploadAndLookUp(context, service, {...uploadOf(work.packed), agentId}, work.before);
			return {id: created?.capabilityId, version: undefined, isChanged: true};
		}

		case 'drafted':
		case 'updated': {
			const {ability, release, files} = work;
			const source = {
				ability,
				release,
				packed: {contents: folder.source.files},
				message: message ?? `Update ${changedText(files)}`,
				isDraft: work.action === 'drafted',
			};
			return {id, version: context.isDryRun ? release.version : await sendRelease(context, service, source), isChanged: true};
		}
	}
};

const versionAfter = ({work}: Push, ability: Ability): string | undefined =>
	work.action === 'drafted' ? draftOf(ability)?.version : versionInUse(ability);

/** Reads the abilities as they are after the pushes: a list that was read since serves. */
const listAfterwards = async (
	{readSignal}: Context,
	{client, lists}: Service,
	before: ResourceList<Ability> | undefined,
): Promise<ResourceList<Ability>> => {
	const {abilities} = lists();
	return abilities === undefined || abilities === before ? client.list('abilities', readSignal) : abilities;
};

/**
Adds ids and versions that the answers did not contain, from the list of abilities; as far as it shows them and can be read.

@param before - the list before.
*/
const completePushes = async (
	context: Context,
	service: Service,
	outcomes: readonly PushOutcome[],
	before: ResourceList<Ability> | undefined,
): Promise<readonly PushOutcome[]> => {
	const isComplete = (outcome: PushOutcome): boolean =>
		'error' in outcome || !outcome.result.isChanged || (outcome.result.id !== undefined && outcome.result.version !== undefined);
	if (context.isDryRun || outcomes.every(outcome => isComplete(outcome))) {
		return outcomes;
	}

	try {
		context.showProgress('Reading the new versions …');
		const {records} = await listAfterwards(context, service, before);
		const names = indexNames(records);
		return outcomes.map(outcome => {
			if ('error' in outcome || !outcome.result.isChanged) {
				return outcome;
			}

			const {item, result} = outcome;
			const ability = result.id === undefined ? names.find(item.name)[0] : records.find(({id}) => id === result.id);
			return ability === undefined
				? outcome
				: {...outcome, result: {...result, id: ability.id, version: result.version ?? versionAfter(item, ability)}};
		});
	} catch {
		// The work is done: what the service calls it is worth no failure.
		return outcomes;
	}
};

const sentence = ({name, work}: Push, {id, version}: Pushed, isDryRun: boolean): string => {
	switch (work.action) {
		case 'created': {
			const details = [id === undefined ? '' : `id ${id}`, version === undefined ? '' : `version ${version}`].filter(Boolean).join(', ');
			return isDryRun ? `Would create ${name}.` : `Created ${name}${details === '' ? '' : ` (${details})`}.`;
		}

		case 'drafted': {
			const files = changedText(work.files);
			return isDryRun
				? `Would save a draft of ${name}: ${files}.`
				: `Saved a draft of ${name}${version === undefined ? '' : `, version ${version}`}: ${files}.`;
		}

		case 'updated': {
			const files = changedText(work.files);
			return isDryRun
				? `Would release ${name}: ${files}.`
				: `Released ${version === undefined ? '' : `version ${version} of `}${name}: ${files}.`;
		}

		case 'unchanged': {
			return `${name} is unchanged.`;
		}
	}
};

/** Writes to the folders which abilities they are: those of new ones, and those that said so before. */
const keepTies = async (context: Context, service: Service, outcomes: readonly PushOutcome[]): Promise<void> => {
	for (const outcome of outcomes) {
		const {
			item: {folder, work},
		} = outcome;
		const {id, version} = 'result' in outcome ? outcome.result : {};
		const ability = work.action === 'created' ? createdAbility(id, work.packed) : work.ability;
		if (id !== undefined && ability !== undefined) {
			await keepTie(context, service, folder.path, ability, {version, isOnlyKept: work.action !== 'created'});
		}
	}
};

/** Remembers which drafts were saved from here: the next code may replace them without a question. */
const rememberDrafts = async (
	context: Context,
	service: Service,
	outcomes: readonly PushOutcome[],
	before: ResourceList<Ability> | undefined,
): Promise<void> => {
	const drafted = outcomes.filter(outcome => 'result' in outcome && outcome.item.work.action === 'drafted').map(({item}) => item.id);
	if (drafted.length === 0) {
		return;
	}

	try {
		const {records} = await listAfterwards(context, service, before);
		for (const ability of records.filter(({id}) => drafted.includes(id))) {
			openSavedDrafts(service.draftAccount).remember(ability);
		}
	} catch {
		// Then the person is asked.
	}
};

type PushOptions = TargetOptions & {
	readonly message?: string;
	readonly draft?: boolean;
	readonly description?: string;
	readonly category?: Category;
	readonly triggers?: string;
	readonly image?: string;
	readonly agent?: string;
};

const metadataFlags = ['description', 'category', 'triggers', 'image', 'agent'] as const;

/** Says of the ones that are there already that the fields of a new ability do not count. */
const noteMetadata = (context: Context, pushes: readonly Push[], options: PushOptions): void => {
	const given = metadataFlags.filter(flag => options[flag] !== undefined).map(flag => `--${flag}`);
	for (const {name, work} of given.length === 0 ? [] : pushes) {
		if (work.action !== 'created') {
			context.note(
				`${given.join(', ')} ${given.length === 1 ? 'is' : 'are'} for a new ability: ${name} stays as it is. To change it: switchboard abilities edit ${shellWord(name)}`,
			);
		}
	}
};

const readMetadata = async (context: Context, {description, category, triggers, image}: PushOptions): Promise<PushWish['metadata']> => ({
	description: await context.waitFor(async () => readTextOption(context, description, "--description ''")),
	category,
	triggerPhrases: triggers === undefined ? undefined : splitTriggerPhrases(triggers),
	imagePath: image,
});

const checkOptions = (options: PushOptions, folders: readonly string[]): void => {
	const given = (['ability', 'name', ...metadataFlags] as const).find(flag => options[flag] !== undefined);
	if (given !== undefined && folders.length > 1) {
		throw new SwitchboardError('usage', `--${given} is for one folder, and there are ${folders.length}. Nothing was done.`, {
			nextStep: 'Push each with a command of its own.',
		});
	}
};

const noteFolders = (context: Context, folders: readonly PushFolder[]): void => {
	for (const {
		path: folder,
		source: {leftOut},
	} of folders) {
		if (leftOut.length > 0) {
			context.note(`Skipped${folders.length === 1 ? '' : ` in ${quotePath(folder)}`}: ${leftOut.join(', ')}`);
		}
	}
};

export const pushAbilities = async (context: Context, given: readonly string[], options: PushOptions): Promise<void> => {
	const paths = await withoutRepeated(given);
	checkOptions(options, paths);
	const metadata = await readMetadata(context, options);
	const problems = new FolderProblems(paths);
	const folders = await readFolders(paths, problems);
	if (folders.length === 0) {
		problems.throwAll();
	}

	noteFolders(context, folders);
	const report: ItemReport<Push, Pushed> = {
		idField: 'capability_id',
		toJson: outcome =>
			'result' in outcome && (outcome.result.isChanged || outcome.item.work.action === 'unchanged')
				? {capability_id: outcome.result.id ?? null, action: outcome.item.work.action, version: outcome.result.version ?? null}
				: {action: null, version: null},
		toFields: (outcome, status) =>
			'result' in outcome
				? [outcome.result.id ?? '', outcome.item.name, outcome.item.work.action, outcome.result.version ?? '']
				: [outcome.item.id ?? '', outcome.item.name, status, ''],
		toSentence: (push, pushed) => sentence(push, pushed, context.isDryRun),
		doneWord: 'pushed',
		nextStep: 'Run the command again: it sends only what differs.',
	};
	await changeAndReport<Push, Pushed, 'abilities'>(context, report, async service => {
		const agent = options.agent === undefined ? undefined : await readAndFind(context, service, options.agent, {resource: 'agents'});
		const prepare = async () => preparePushes(context, service, folders, {...options, metadata}, problems);
		const pushes = await prepare();
		noteMetadata(context, pushes, options);
		for (const {work} of pushes) {
			if (work.action === 'created') {
				noteDraft(context, work.packed);
				warnOfSilentSkill(context, work.packed, 'Add some with --triggers.');
			}
		}

		const unchanged = pushes.map(item => ({item, result: {id: item.id, version: undefined, isChanged: false}}));
		const wasAsked = await askFirst(context, pushes, options, async isCut => reportUndone(context, report, unchanged, isCut));
		if (wasAsked && planText(await prepare()) !== planText(pushes)) {
			throw new SwitchboardError('conflict', 'The abilities were changed in the meantime. Nothing was done.', {
				nextStep: 'Run the command again to see what it would do now.',
			});
		}

		const before = service.lists().abilities;
		return {
			items: pushes,
			doing: 'Pushing',
			send: async push => sendPush(context, service, push, {message: options.message, agentId: agent?.id}),
			expect: ({name, folder, work}, {id}) =>
				work.action === 'updated'
					? expectRelease(context, service, work.ability, {contents: folder.source.files})
					: work.action === 'drafted'
						? expectDraft(work.ability, work.release.id)
						: expectCreation({id, name}, before),
			async complete(sent) {
				const outcomes = await completePushes(context, service, sent, before);
				if (!context.isDryRun) {
					await rememberDrafts(context, service, outcomes, before);
					await keepTies(context, service, outcomes);
				}

				return outcomes;
			},
		};
	});
};
