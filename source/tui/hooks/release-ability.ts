import {type FileChange} from '../../bundle/compare-files.ts';
import {type ReleaseAdvice} from '../../client/find-release.ts';
import {isCategory} from '../../interface/categories.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {indexNames} from '../../interface/name-index.ts';
import {type Ability} from '../../interface/records.ts';
import {seenRecords} from './seen-records.ts';
import {type ServiceSession} from './service-session.ts';

/** A new version of an ability. */
export type Released = {
	readonly ability: Ability;
	/** `undefined` if the service did not say. */
	readonly version: string | undefined;
	/** The files that differ from those before. */
	readonly files: readonly FileChange[];
};

export type ReleaseRequest = {
	/** The folder of the new code, or a zip of it. */
	readonly path: string;
	/** The ability that gets it. */
	readonly name: string;
};

type ReleaseOptions = {
	readonly signal: AbortSignal;
	/** Returns what to call with the fraction that was sent. */
	progressOf(sizeBytes: number): (fraction: number) => void;
};

const advice: ReleaseAdvice = {
	uploadInstead: 'Upload it under another name.',
	install: () => 'Install it first.',
	check: () => 'Try again: it sends only what differs.',
};

/** The longest wait for the code that the service has, after an answer was lost. */
const lookUpMilliseconds = 5000;

const findAbility = async (session: ServiceSession, name: string): Promise<Ability> => {
	await session.readAgain('abilities');
	const [ability, ...others] = indexNames(seenRecords(session, 'abilities') ?? []).find(name);
	if (ability === undefined || others.length > 0) {
		throw new SwitchboardError('not-found', `The list of abilities does not tell which one is named ${name}, so it gets no new version.`, {nextStep: advice.uploadInstead});
	}

	return ability;
};

/**
Releases the files at a path as a new version of an ability, which keeps everything else.

@throws SwitchboardError `refused` if it has these files already; `not-found` if the service does not offer it; `interrupted` if it was cancelled.
*/
export const releaseAbility = async (session: ServiceSession, {path, name}: ReleaseRequest, {signal, progressOf}: ReleaseOptions): Promise<Released> => {
	const {client} = session;
	// Loaded only now: most people release nothing.
	const [{namedChanges}, {packAbility}, {prepareRelease, releaseSource}] = await Promise.all([
		import('../../bundle/compare-files.ts'),
		import('../../bundle/pack-ability.ts'),
		import('../../client/release-source.ts'),
	]);
	try {
		const ability = await findAbility(session, name);
		const packed = await packAbility(path, {name, category: isCategory(ability.category) ? ability.category : undefined});
		const access = {client, signal, advice};
		const prepared = await prepareRelease(access, ability, packed);
		if (prepared === undefined) {
			throw new SwitchboardError('refused', `${ability.name} has these files already, so there is nothing to release.`);
		}

		const {release, files} = prepared;
		const version = await releaseSource(access, {
			ability,
			packed,
			message: `Update ${namedChanges(files)}`,
			async send(code) {
				const onProgress = progressOf(code.zip.byteLength);
				onProgress(0);
				return client.releaseCode(release.id, code, {signal, onProgress});
			},
			async readAfterwards(read) {
				try {
					return await read(AbortSignal.timeout(lookUpMilliseconds));
				} catch {
					return undefined;
				}
			},
		});
		return {ability, version, files};
	} catch (error_) {
		const error = toSwitchboardError(error_);
		throw signal.aborted && !error.isOutcomeUnknown ? new SwitchboardError('interrupted', 'Release cancelled.') : error;
	}
};
