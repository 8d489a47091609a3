import {findingOf, missingFrom} from '../changes/send-changes.ts';
import type {ResourceList} from '../client/client.ts';
import {compareSource} from '../client/release-source.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {draftOf, versionInUse} from '../interface/installed-lookup.ts';
import {cleanName, rawName, type Ability} from '../interface/records.ts';
import {shellWord} from '../platform/shell-word.ts';
import {releasesOf} from './abilities-upload.ts';
import {limitRead, type Expectation} from './check-changes.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';

/**
How new code shows: in the version in use or, of a service that keeps its number, in the source.

@param ability - as it was listed before.
*/
export function expectRelease(
	context: Context,
	service: Service,
	ability: Ability,
	source: {readonly contents: readonly PackageFile[]},
): Expectation<'abilities'> {
	const {id, name} = ability;
	const {advice} = releasesOf(context, service);
	return {
		resource: 'abilities',
		effect: 'edits',
		name: rawName(ability),
		async find(list) {
			const seen = list.records.find(record => record.id === id);
			if (seen === undefined) {
				return missingFrom(list, name);
			}

			if (versionInUse(seen) !== versionInUse(ability)) {
				return {result: undefined};
			}

			try {
				const {same} = await compareSource({client: service.client, signal: limitRead(context), advice}, ability, source);
				return findingOf(same, undefined);
			} catch {
				return undefined;
			}
		},
		notYet: `${name} does not have the new code`,
		nextStep: advice.check(ability),
	};
}

/**
How a draft shows: its ability has one, and uses the version that it used before. It may not be released, though it was not to be.

@param ability - as it was listed before.
@param releaseId - the release that the code was sent to.
*/
export function expectDraft(ability: Ability, releaseId: number): Expectation<'abilities'> {
	const {id, name} = ability;
	const wasDraft = draftOf(ability)?.id === releaseId;
	return {
		resource: 'abilities',
		effect: 'edits',
		name: rawName(ability),
		find(list) {
			const seen = list.records.find(record => record.id === id);
			if (seen === undefined) {
				return missingFrom(list, name);
			}

			const isReleased =
				versionInUse(seen) !== versionInUse(ability) ||
				(wasDraft &&
					seen.versions.some(version => version.id === releaseId && (version.isCommitted === true || version.isEnabled === true)));
			if (isReleased) {
				return {sentence: `${name} uses version ${versionInUse(seen) ?? '?'} now: the draft was released.`};
			}

			const isShown = seen.versions.some(({isCommitted}) => isCommitted !== undefined);
			return findingOf(draftOf(seen) !== undefined || (isShown ? false : undefined), undefined);
		},
		notYet: `${name} has no draft`,
		nextStep: `Look at its versions: switchboard abilities versions ${shellWord(name)}`,
	};
}

/**
How a new ability shows.

@param before - the abilities before.
*/
export function expectCreation(
	{id, name}: {readonly id?: number | undefined; readonly name: string},
	before: ResourceList<Ability> | undefined,
): Expectation<'abilities'> {
	const known = new Set(before?.records.map(record => record.id));
	return {
		resource: 'abilities',
		effect: 'adds',
		name,
		find({records, isComplete}) {
			const isThere = records.some(record => record.id === id || (!known.has(record.id) && rawName(record) === name));
			return findingOf(isThere || (isComplete ? false : undefined), undefined);
		},
		notYet: `${cleanName(name)} is not in the list of abilities`,
	};
}
