import {realpath} from 'node:fs/promises';
import pMap from 'p-map';
import type {FileChange} from '../../bundle/compare-files.ts';
import type {PackedAbility} from '../../bundle/pack-ability.ts';
import type {ResourceList} from '../../client/client.ts';
import type {FoundRelease} from '../../client/find-release.ts';
import {prepareRelease} from '../../client/release-source.ts';
import {quotePath} from '../../interface/ability-package/refusals.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {foldName} from '../../interface/fold-name.ts';
import type {JsonObject} from '../../interface/json.ts';
import type {Ability} from '../../interface/records.ts';
import {versionInUse} from '../../interface/version-in-use.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {findAbilityNamed} from './find-ability.ts';
import {releasesOf} from './send-release.ts';

/** What pushing a folder comes to, found out before anything is sent. */
export type Push = {
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
	const {kind, message, nextStep, status, field} = error;
	return new SwitchboardError(kind, `${message.includes(item) ? '' : `${item}: `}${message} Nothing was done.`, {
		nextStep, status, field, cause: error,
	});
};

/** A folder counts once, however it is spelled. One that cannot be read stays: packing it explains why. */
const withoutRepeated = async (folders: readonly string[]): Promise<readonly string[]> => {
	const places = await Promise.all(folders.map(async folder => {
		try {
			return await realpath(folder);
		} catch {
			return folder;
		}
	}));
	return folders.filter((_folder, index) => places.indexOf(places[index]!) === index);
};

/**
Packs and checks all folders, each once.

@throws SwitchboardError as `packAbility` does, naming the folder if there are several; `usage` for two abilities of one name.
*/
export const packAll = async (given: readonly string[]): Promise<readonly PackedAbility[]> => {
	const folders = await withoutRepeated(given);
	const {packAbility} = await import('../../bundle/pack-ability.ts');
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
		return {
			id: undefined, name: packed.name, raw: {}, packed, work: {action: 'created', before: abilities},
		};
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
export const preparePushes = async (context: Context, service: Service, all: readonly PackedAbility[], abilities: ResourceList<Ability>): Promise<readonly Push[]> =>
	pMap(all, async packed => {
		try {
			context.showProgress(`Comparing ${packed.name} …`);
			return await prepareOne(context, service, packed, abilities);
		} catch (error) {
			throw all.length === 1 ? error : aboutItem(error, packed.name);
		}
	}, {concurrency: comparisonsAtATime});
