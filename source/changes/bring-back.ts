import {Buffer} from 'node:buffer';
import type {PackedAbility} from '../bundle/pack-ability.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {abilityLookup, installedLookup} from '../interface/installed-lookup.ts';
import type {JsonObject} from '../interface/json.ts';
import {goneText} from '../interface/lists.ts';
import {rawName, rawPhrases, type Ability, type Agent, type InstalledAbility} from '../interface/records.ts';
import {installedFlags, isKept, packageOf, showsPhrases, type Former} from './removals.ts';
import type {KnownRecords} from './revert.ts';

/*
Brings back abilities that were uninstalled or deleted. The present lists tell which parts are left, so an undo that was cut off or has
failed goes on. Commands make steps of the parts; the screens send the first one, read the lists, and look again.
*/

/** An ability to bring back, and the parts of it that are back already. */
export type PlannedBack = {
	readonly former: Former;
	/** For a deletion: the ability that an undo uploaded before it was cut off. */
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
};

/**
Finds the parts of a removed ability that are back.

@param isOwn - true for a record that an undo created before it was cut off.
@returns `undefined` if it was not removed, or somebody else has installed it again.
@throws SwitchboardError `not-found`, `conflict` or `refused` if it cannot be brought back.
*/
export function planBack(
	former: Former,
	{abilities, installed}: Pick<KnownRecords, 'abilities' | 'installed'>,
	isOwn: (record: Ability | InstalledAbility, kind: 'ability' | 'installed') => boolean,
): PlannedBack | undefined {
	const {ability: deleted, name} = former;
	const ability = deleted === undefined ? findUninstalled(former, abilities) : findUploaded(deleted, abilities, isOwn);
	const record = ability && installedLookup(installed)(ability);
	if (deleted === undefined) {
		if (ability === undefined) {
			throw new SwitchboardError('not-found', goneText('abilities', name));
		}

		if (record !== undefined && !isOwn(record, 'installed')) {
			return undefined;
		}
	} else if (ability !== undefined && !isOwn(ability, 'ability')) {
		if (ability.id === deleted.id) {
			return undefined;
		}

		throw new SwitchboardError('conflict', `There is an ability named ${name} again (id ${ability.id}).`);
	}

	const reason = isKept(former) ? undefined : former.source;
	if (reason !== undefined && 'reason' in reason) {
		throw new SwitchboardError('refused', `${name} cannot be brought back. ${reason.reason}`);
	}

	return {former, ability, installed: record};
}

/** The id may belong to another ability by now; some services list no names. */
function findUninstalled({abilityId, installed, name}: Former, abilities: readonly Ability[]): Ability | undefined {
	return abilityId === undefined
		? abilityLookup(abilities)(installed!)
		: abilities.find(each => each.id === abilityId && (isNameless(each) || each.name === name));
}

function findUploaded(deleted: Ability, abilities: readonly Ability[], isOwn: Parameters<typeof planBack>[2]): Ability | undefined {
	return abilities.find(each => rawName(each) === rawName(deleted)) ?? abilities.find(each => isNameless(each) && isOwn(each, 'ability'));
}

const isNameless = ({raw}: Ability): boolean => !Object.hasOwn(raw, 'name');

/** A part of an ability that is to be brought back. */
export type PartBack =
	| {
			readonly kind: 'upload';
			readonly packed: PackedAbility;
			/** True if it is to be uninstalled again on a service that installs uploads. */
			readonly isNotInstalled: boolean;
			readonly problem: SwitchboardError | undefined;
	  }
	| {readonly kind: 'install'; readonly ability: Ability}
	| {readonly kind: 'uninstall'; readonly installed: InstalledAbility}
	/** The state and the phrases, as far as they are known, and the fields that have no command. */
	| {
			readonly kind: 'set';
			readonly values: {readonly enabled: boolean | undefined; readonly triggers: readonly string[] | undefined};
			readonly flags: JsonObject;
	  };

/**
Returns the parts of an ability that are left to bring back, in their order, but for its agents.

@param readPackage - returns a package that is kept; throws an error of the file system.
*/
export function partsLeft(
	{former, ability, installed}: PlannedBack,
	readPackage: (name: string) => Uint8Array | undefined,
): readonly PartBack[] {
	const {ability: deleted, installed: was, isAbsent, source, name} = former;
	const parts: PartBack[] = [];
	if (deleted !== undefined && ability === undefined) {
		const zip = source !== undefined && 'zip' in source ? readPackage(source.zip) : undefined;
		const problem =
			zip === undefined ? new SwitchboardError('refused', `${name} cannot be brought back. Its source is no longer kept.`) : undefined;
		parts.push({kind: 'upload', packed: packageOf(deleted, zip ?? Buffer.of()), isNotInstalled: isAbsent, problem});
	} else if (was !== undefined && installed === undefined) {
		parts.push({kind: 'install', ability: ability!});
	} else if (was === undefined && isAbsent && installed !== undefined) {
		parts.push({kind: 'uninstall', installed});
	}

	if (was !== undefined) {
		const flags = Object.fromEntries(installedFlags.filter(flag => Object.hasOwn(was.raw, flag)).map(flag => [flag, was.raw[flag]!]));
		const triggers = showsPhrases(was) ? rawPhrases(was.raw) : undefined;
		parts.push({kind: 'set', values: {enabled: was.isEnabled, triggers}, flags});
	}

	return parts;
}

/** An ability of an agent; without an id if it is still to be uploaded. */
type Tie = {readonly id: number | undefined; readonly name: string};

/**
Returns the abilities that agents are to have again, for each agent, and a sentence for each agent that is gone.

@param backs - the abilities, each with its present id.
*/
export function tiesLeft(
	backs: ReadonlyArray<{readonly former: Former; readonly id: number | undefined}>,
	agents: readonly Agent[],
): {readonly left: ReadonlyArray<{readonly agent: Agent; readonly ties: readonly Tie[]}>; readonly gone: readonly string[]} {
	const all = backs.flatMap(({former, id}) =>
		(former.agents ?? []).map(agent => ({agent, tie: {id, name: rawName(former.ability ?? former.installed!)}})),
	);
	const left: Array<{readonly agent: Agent; readonly ties: readonly Tie[]}> = [];
	const gone: string[] = [];
	for (const tied of Map.groupBy(all, ({agent}) => agent.id).values()) {
		const {id, name} = tied[0]!.agent;
		const agent = agents.find(each => each.id === id && each.name === name);
		const ties = tied.map(({tie}) => tie).filter(tie => tie.id === undefined || !agent?.abilityIds?.includes(tie.id));
		if (agent?.abilityIds === undefined) {
			gone.push(`There is no agent ${name} to use ${tied.length === 1 ? 'it' : 'them'}.`);
		} else if (ties.length > 0) {
			left.push({agent, ties});
		}
	}

	return {left, gone};
}
