import {realpath} from 'node:fs/promises';
import pMap from 'p-map';
import {namedChanges, type FileChange} from '../bundle/compare-files.ts';
import {packAbility, type PackedAbility} from '../bundle/pack-ability.ts';
import type {ResourceList} from '../client/client.ts';
import {prepareRelease, type FoundRelease} from '../client/release-source.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {foldName, indexNames} from '../interface/name-index.ts';
import type {JsonObject} from '../interface/json.ts';
import type {Ability} from '../interface/records.ts';
import {versionInUse} from '../interface/installed-lookup.ts';
import type {ChangeOutcome} from '../changes/send-changes.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';
import {findAbilityNamed, releasesOf, sendRelease, uploadAndLookUp, uploadOf, warnOfSilentSkill} from './abilities-upload.ts';
import {changeAndReport} from './change-items.ts';
import {readResourceList} from './find-records.ts';

/** The work of pushing a folder, found before anything is sent. */
type Push = {
	/** Of the ability; `undefined` if it has to be created. */
	readonly id: number | undefined;
	readonly name: string;
	readonly raw: JsonObject;
	readonly packed: PackedAbility;
	readonly work:
		| {readonly action: 'created'; readonly before: ResourceList<Ability>}
		| {readonly action: 'updated'; readonly ability: Ability; readonly release: FoundRelease; readonly files: readonly FileChange[]}
		| {readonly action: 'unchanged'; readonly version: string | undefined};
};

const comparisonsAtATime = 4;

/** Says in the error of one item of several which one it is, and that the others were not sent either. */
const aboutItem = (error_: unknown, item: string): SwitchboardError => {
	const error = toSwitchboardError(error_);
	const {message} = error;
	return error.with({message: `${message.includes(item) ? '' : `${item}: `}${message} Nothing was done.`});
};

/** A folder counts once, however it is spelled. One that cannot be read stays: packing it explains why. */
const withoutRepeated = async (folders: readonly string[]): Promise<readonly string[]> => {
	const places = await Promise.all(
		folders.map(async folder => {
			try {
				return await realpath(folder);
			} catch {
				return folder;
			}
		}),
	);
	return folders.filter((_folder, index) => places.indexOf(places[index]!) === index);
};

/**
Packs and checks all folders, each once.

@throws SwitchboardError as `packAbility` does, naming the folder if there are several; `usage` for two abilities of one name.
*/
const packAll = async (given: readonly string[]): Promise<readonly PackedAbility[]> => {
	const folders = await withoutRepeated(given);
	const foldersByName = new Map<string, string>();
	const all: PackedAbility[] = [];
	for (const folder of folders) {
		let packed: PackedAbility;
		try {
			packed = await packAbility(folder);
		} catch (error) {
			throw folders.length === 1 ? error : aboutItem(error, quotePath(folder));
		}

		const other = foldersByName.get(foldName(packed.name));
		if (other !== undefined) {
			throw new SwitchboardError('usage', `${quotePath(other)} and ${quotePath(folder)} are both named ${packed.name}. Nothing was done.`, {
				nextStep: 'Leave one out, or change the unique_name in its config.json.',
			});
		}

		foldersByName.set(foldName(packed.name), folder);
		all.push(packed);
	}

	return all;
};

const prepareOne = async (context: Context, service: Service, packed: PackedAbility, abilities: ResourceList<Ability>): Promise<Push> => {
	const ability = findAbilityNamed(abilities, packed.name);
	if (ability === undefined) {
		return {id: undefined, name: packed.name, raw: {}, packed, work: {action: 'created', before: abilities}};
	}

	const {id, name, raw} = ability;
	const prepared = await prepareRelease(releasesOf(context, service), ability, packed);
	return {
		id,
		name,
		raw,
		packed,
		work: prepared === undefined ? {action: 'unchanged', version: versionInUse(ability)} : {action: 'updated', ability, ...prepared},
	};
};

/**
Compares each packed ability with what the service has, and finds the release that new code replaces. Sends nothing that changes
anything.

@throws SwitchboardError if that fails for any of them: then nothing should be sent.
*/
const preparePushes = async (
	context: Context,
	service: Service,
	all: readonly PackedAbility[],
	abilities: ResourceList<Ability>,
): Promise<readonly Push[]> =>
	pMap(
		all,
		async packed => {
			try {
				context.showProgress(`Comparing ${packed.name} …`);
				return await prepareOne(context, service, packed, abilities);
			} catch (error) {
				throw all.length === 1 ? error : aboutItem(error, packed.name);
			}
		},
		{concurrency: comparisonsAtATime},
	);

/** The outcome of a folder that was pushed. */
type Pushed = {
	/** Of the ability; `undefined` if the service did not say. */
	readonly id: number | undefined;
	readonly version: string | undefined;
	readonly isChanged: boolean;
};

type PushOutcome = ChangeOutcome<Push, Pushed>;

/**
Creates the ability or releases its new code, if it differs. In a dry run it sends nothing and returns what it would do.

@param message - of the release; by default one that names the files.
*/
const sendPush = async (context: Context, service: Service, {id, packed, work}: Push, message: string | undefined): Promise<Pushed> => {
	switch (work.action) {
		case 'unchanged': {
			return {id, version: work.version, isChanged: false};
		}

		case 'created': {
			const created = context.isDryRun ? undefined : await uploadAndLookUp(context, service, uploadOf(packed), work.before);
			return {id: created?.capabilityId, version: undefined, isChanged: true};
		}

		case 'updated': {
			const {ability, release, files} = work;
			const source = {ability, release, packed, message: message ?? `Update ${namedChanges(files)}`};
			return {id, version: context.isDryRun ? release.version : await sendRelease(context, service, source), isChanged: true};
		}
	}
};

/** Adds ids and versions that the answers did not contain, from the list of abilities; as far as it shows them and can be read. */
const completePushes = async (
	{isDryRun, readSignal, showProgress}: Context,
	{client}: Service,
	outcomes: readonly PushOutcome[],
): Promise<readonly PushOutcome[]> => {
	const isComplete = (outcome: PushOutcome): boolean =>
		'error' in outcome || !outcome.result.isChanged || (outcome.result.id !== undefined && outcome.result.version !== undefined);
	if (isDryRun || outcomes.every(outcome => isComplete(outcome))) {
		return outcomes;
	}

	try {
		showProgress('Reading the new versions …');
		const {records} = await client.list('abilities', readSignal);
		const names = indexNames(records);
		return outcomes.map(outcome => {
			if ('error' in outcome || !outcome.result.isChanged) {
				return outcome;
			}

			const {item, result} = outcome;
			const ability = result.id === undefined ? names.find(item.name)[0] : records.find(({id}) => id === result.id);
			return ability === undefined
				? outcome
				: {item, result: {...result, id: ability.id, version: result.version ?? versionInUse(ability)}};
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

		case 'updated': {
			const files = namedChanges(work.files);
			return isDryRun
				? `Would release ${name}: ${files}.`
				: `Released ${version === undefined ? '' : `version ${version} of `}${name}: ${files}.`;
		}

		case 'unchanged': {
			return `${name} is unchanged.`;
		}
	}
};

export const pushAbilities = async (
	context: Context,
	folders: readonly string[],
	{message}: {readonly message?: string},
): Promise<void> => {
	const all = await packAll(folders);
	for (const {name, leftOut} of all) {
		if (leftOut.length > 0) {
			context.note(`Skipped${all.length === 1 ? '' : ` in ${name}`}: ${leftOut.join(', ')}`);
		}
	}

	await changeAndReport<Push, Pushed>(
		context,
		{
			idField: 'capability_id',
			toJson: outcome =>
				'result' in outcome
					? {capability_id: outcome.result.id ?? null, action: outcome.item.work.action, version: outcome.result.version ?? null}
					: {action: null, version: null},
			toFields: (outcome, status) =>
				'result' in outcome
					? [outcome.result.id ?? '', outcome.item.name, outcome.item.work.action, outcome.result.version ?? '']
					: [outcome.item.id ?? '', outcome.item.name, status, ''],
			toSentence: (push, pushed) => sentence(push, pushed, context.isDryRun),
			doneWord: 'pushed',
			nextStep: 'Run the command again: it sends only what differs.',
		},
		async service => {
			const pushes = await preparePushes(context, service, all, await readResourceList(context, service, 'abilities'));
			for (const {packed, work} of pushes) {
				if (work.action === 'created') {
					warnOfSilentSkill(context, packed, 'Add some as matching_hotwords to its config.json.');
				}
			}

			return {
				items: pushes,
				doing: 'Pushing',
				send: async push => sendPush(context, service, push, message),
				complete: async outcomes => completePushes(context, service, outcomes),
			};
		},
	);
};
