import {Buffer} from 'node:buffer';
import type {PackedAbility} from '../bundle/pack-ability.ts';
import type {Client} from '../client/client.ts';
import {formatBytes} from '../interface/ability-package/limits.ts';
import {cleanText} from '../interface/clean-text.ts';
import {toSwitchboardError} from '../interface/errors.ts';
import {abilityLookup, absenceCheck, installedLookup} from '../interface/installed-lookup.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {packageName} from '../interface/names.ts';
import {
	cleanName,
	decodeId,
	decodeRecord,
	hasMorePhrases,
	rawFieldName,
	rawName,
	rawPhrases,
	type Ability,
	type Agent,
	type InstalledAbility,
} from '../interface/records.ts';
import {fieldsOf} from './fields.ts';
import {maximumKeptBytes} from './kept-packages.ts';
import {lossesOf} from './revert.ts';
import {sendChanges} from './send-changes.ts';

/* Abilities as they were before they were uninstalled or deleted. Undo restores them from this, even in a later session. */

/** The longest time to read the sources, once the person has agreed. */
export const patienceMilliseconds = 10_000;

/** The package of a deleted ability, by its name in the log, or a sentence that says why none is kept. */
type KeptSource = {readonly zip: string} | {readonly reason: string};

/** An ability as it was before it was uninstalled or deleted. */
export type Former = {
	readonly name: string;
	/** `undefined` if no list shows which ability an installed record is of. */
	readonly abilityId: number | undefined;
	/** For a deletion only, with its description. */
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
	readonly isAbsent: boolean;
	/** The agents that used it; `undefined` if the service does not show them. */
	readonly agents: ReadonlyArray<Pick<Agent, 'id' | 'name'>> | undefined;
	/** The losses that undo cannot restore, such as “its image”. */
	readonly losses: readonly string[];
	/** For a deletion only; `undefined` until its package is kept. */
	readonly source: KeptSource | undefined;
};

/** The source of an ability that is to be deleted, or a sentence that says why it cannot be kept. */
export type RemovedSource = {readonly ability: Ability; readonly zip: Uint8Array} | {readonly reason: string};

/**
Reads the sources of abilities that are to be deleted, a few at a time.

@param signal - ends the reading: a source that is not read by then is late.
@param check - throws if the log cannot keep them.
@param onRead - called with each source, or why it cannot be kept.
*/
export async function readSources(
	client: Client,
	abilities: readonly Ability[],
	{
		signal,
		check,
		onRead,
	}: {readonly signal: AbortSignal; readonly check: () => void; readonly onRead: (id: number, source: RemovedSource) => void},
): Promise<void> {
	let sizeBytes = 0;
	await sendChanges(abilities, {
		signal,
		async send(ability) {
			try {
				check();
				const source = await readSource(client, ability, signal);
				sizeBytes += source.zip.byteLength;
				onRead(
					ability.id,
					sizeBytes > maximumKeptBytes ? {reason: `At most ${formatBytes(maximumKeptBytes)} of sources are kept.`} : source,
				);
			} catch (error) {
				onRead(ability.id, signal.aborted ? lateSource : {reason: toSwitchboardError(error).message});
			}
		},
	});
}

async function readSource(client: Client, listed: Ability, signal: AbortSignal) {
	// Loaded only now: most people delete nothing.
	const [{readServiceSource}, {writeZip}] = await Promise.all([
		import('../client/release-source.ts'),
		import('../interface/ability-package/write-zip.ts'),
	]);
	const ability = Object.hasOwn(listed.raw, 'description') ? listed : await client.getAbility(listed.id, signal);
	const files = await readServiceSource(client, ability, {signal});
	return {ability, zip: await writeZip(files.map(({path, bytes}) => ({path: `${packageName(rawName(ability))}/${path}`, bytes})))};
}

/** The source of an ability that was not read in time. */
export const lateSource = {reason: 'Its source was not read in time.'};

type Lists = {
	readonly abilities: readonly Ability[] | undefined;
	readonly installed: readonly InstalledAbility[] | undefined;
	readonly agents: readonly Agent[] | undefined;
};

/**
Describes an ability before it is deleted, as the lists have it.

@param source - as it was read.
*/
export function formerOfDeletion(listed: Ability, source: RemovedSource, lists: Lists): Former {
	const {installed} = lists;
	const found = installedLookup(installed ?? [])(listed);
	const ability = 'ability' in source ? source.ability : listed;
	return {
		name: listed.name,
		abilityId: listed.id,
		ability,
		installed: found,
		isAbsent: found === undefined && installed !== undefined && absenceCheck(installed)(listed),
		agents: agentsWith(listed.id, lists),
		// A list and a single record show different fields.
		losses: [...new Set([...lossesOf(listed), ...lossesOf(ability), ...lossesOfInstalled(found)])],
		source: 'reason' in source ? source : undefined,
	};
}

const agentsWith = (id: number, {agents}: Lists): Former['agents'] =>
	agents?.every(({abilityIds}) => abilityIds !== undefined) ? agents.filter(({abilityIds}) => abilityIds!.includes(id)) : undefined;

const lossesOfInstalled = (installed: InstalledAbility | undefined): readonly string[] => [
	...(installed !== undefined && installed.isEnabled === undefined ? ['its state'] : []),
	...(installed !== undefined && !showsPhrases(installed) ? ['its trigger phrases'] : []),
];

/** Describes an installed ability before it is uninstalled, as the lists have it. */
export function formerOfUninstallation(installed: InstalledAbility, lists: Lists): Former {
	const abilityId = abilityLookup(lists.abilities ?? [])(installed)?.id ?? installed.abilityId;
	return {
		name: installed.name,
		abilityId,
		ability: undefined,
		installed,
		isAbsent: false,
		agents: abilityId === undefined ? undefined : agentsWith(abilityId, lists),
		losses: lossesOfInstalled(installed),
		source: undefined,
	};
}

/** The fields of an installed ability that a PUT replaces besides the state and the phrases, and that a new installation begins anew. */
export const installedFlags: readonly string[] = [
	'system_capability',
	'agent_capability',
	...fieldsOf('installed')
		.filter(([name, {isSettable}]) => isSettable && name !== 'enabled' && name !== 'triggers' && name !== 'timer')
		.map(([name]) => rawFieldName(name)),
];

/** Returns the permanent losses of deleted abilities, a sentence for each. */
export function lossLines(formers: readonly Former[]): readonly string[] {
	return formers
		.filter(({ability, losses}) => ability !== undefined && losses.length > 0)
		.map(({name, losses}) => `Lost for good${formers.length === 1 ? '' : ` of ${name}`}: ${losses.join(', ')}.`);
}

/** Tells whether a record shows all its phrases. */
export function showsPhrases({raw}: InstalledAbility): boolean {
	return Object.hasOwn(raw, 'trigger_words') && !hasMorePhrases(raw);
}

/** Returns a deleted ability ready for upload. */
export function packageOf(ability: Ability, zip: Uint8Array): PackedAbility {
	const {description, category} = ability.raw;
	return {
		name: rawName(ability),
		description: typeof description === 'string' ? description : '',
		category: typeof category === 'string' && category !== '' ? category : 'skill',
		triggerPhrases: rawPhrases(ability.raw),
		zip: Buffer.from(zip),
		sizeBytes: zip.byteLength,
		image: undefined,
		files: [],
		contents: [],
		leftOut: [],
		notes: [],
	};
}

/** Tells whether an ability can be brought back, apart from its losses. */
export function isKept({source}: Former): boolean {
	return source === undefined || 'zip' in source;
}

/** Returns an ability as the log keeps it. */
export function encodeFormer({name, abilityId, ability, installed, isAbsent, agents, losses, source}: Former): JsonObject {
	return JSON.parse(
		JSON.stringify({
			name,
			ability_id: abilityId,
			ability: ability && {id: ability.id, ...pick(ability.raw, ['name', 'description', 'category', 'trigger_words'])},
			installed: installed?.raw,
			absent: isAbsent,
			agents: agents?.map(agent => ({id: agent.id, name: agent.name})),
			losses,
			source,
		}),
	) as JsonObject;
}

const pick = (raw: JsonObject, names: readonly string[]): JsonObject =>
	Object.fromEntries(names.filter(name => Object.hasOwn(raw, name)).map(name => [name, raw[name]!]));

/** Reads an ability from the log, which another version or a person may have written; `undefined` if it is not an ability. */
export function decodeFormer(value: JsonObject): Former | undefined {
	const {name, ability_id: abilityId, ability: rawAbility, installed: rawInstalled, agents, source} = value;
	const ability = decodeRecord('abilities', rawAbility);
	const installed = decodeRecord('installed', rawInstalled);
	if (typeof name !== 'string' || (ability === undefined && installed === undefined)) {
		return undefined;
	}

	const {zip, reason} = isJsonObject(source) ? source : {};
	return {
		name: cleanName(name),
		abilityId: decodeId(abilityId),
		ability,
		installed,
		isAbsent: value['absent'] === true,
		agents: Array.isArray(agents) ? (agents as readonly JsonValue[]).flatMap(agent => decodeRecord('agents', agent) ?? []) : undefined,
		losses: textsIn(value['losses']),
		source:
			ability &&
			(typeof zip === 'string' ? {zip} : {reason: typeof reason === 'string' ? cleanText(reason, 300) : 'Its source is not known.'}),
	};
}

const textsIn = (value: JsonValue | undefined): readonly string[] =>
	Array.isArray(value) ? (value as readonly JsonValue[]).filter(each => typeof each === 'string').map(each => cleanName(each)) : [];
