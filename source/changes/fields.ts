import type {AbilityChanges, AgentChanges, InstalledChanges} from '../client/client.ts';
import {categoryLabel} from '../interface/categories.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {stateWord, versionInUse} from '../interface/installed-lookup.ts';
import {isJsonObject, isSameJson, type JsonObject, type JsonValue} from '../interface/json.ts';
import {
	cleanName,
	decodeRecord,
	hasMorePhrases,
	rawFieldName,
	toRawValues,
	type Ability,
	type Agent,
	type InstalledAbility,
	type Records,
	type Resource,
} from '../interface/records.ts';
import {decodeTimer, isSameTimer, timerValue} from '../interface/timers.ts';
import type {TimeZone} from '../words/time-zone.ts';
import {timerText} from '../words/timer-words.ts';

/*
The fields of records that can change. List comparison, the wording of changes, editing and reverting all use this table: a new field is a
new entry. The client takes a value under the name of its field.
*/

/** A name is never empty; lines are a text that may be long. */
type ValueType = 'state' | 'name' | 'text' | 'lines' | 'list' | 'timer';

type Field<R extends Resource> = {
	/** Follows “the”, as in “the trigger phrases of pantry”. */
	readonly noun: string;
	readonly type: ValueType;
	readonly isSettable: boolean;
	/**
	Returns the value as the service sent it, abilities as ids; `undefined` where it does not show all of it, null where it is empty or not
	shown.
	*/
	readonly read: (record: Records[R]) => JsonValue | undefined;
	/** Describes a change in a few words; “new” and the noun by default. */
	readonly words?: (from: JsonValue, to: JsonValue, timeZone?: TimeZone) => string;
};

type Raw = {readonly raw: JsonObject};

/** Returns a value in one text: a list with commas. */
export function plainValue(value: JsonValue): string {
	return typeof value === 'string'
		? value
		: Array.isArray(value)
			? (value as readonly JsonValue[]).map(each => plainValue(each)).join(', ')
			: JSON.stringify(value);
}

const textOf =
	(fieldName: string) =>
	({raw}: Raw): JsonValue | undefined =>
		raw[rawFieldName(fieldName)];

const name = {
	noun: 'name',
	type: 'name',
	isSettable: true,
	read: ({raw}: Raw) => raw['name'] ?? undefined,
	words: (_from: JsonValue, to: JsonValue) => `renamed ${cleanName(plainValue(to))}`,
} as const;

const category = {
	noun: 'category',
	type: 'name',
	isSettable: true,
	read: textOf('category'),
	words: (from: JsonValue, to: JsonValue) => [from, to].map(value => categoryLabel(cleanText(plainValue(value), 60))).join(' → '),
} as const;

const triggers = {
	noun: 'trigger phrases',
	type: 'list',
	isSettable: true,
	read: ({raw, triggerPhrases}: Ability | InstalledAbility) =>
		raw['trigger_words'] === null ? null : Object.hasOwn(raw, 'trigger_words') && !hasMorePhrases(raw) ? triggerPhrases : undefined,
	words: (_from: JsonValue, to: JsonValue) =>
		Array.isArray(to) && to.length > 0 ? `listens for ${cleanText(plainValue(to), 1000)}` : 'no phrases',
} as const;

/** Such as “+ lamplighter, - pantry”. */
function tiesInWords(from: JsonValue, to: JsonValue): string {
	const [before, after] = [from, to].map(value => new Set(namesIn(value)));
	const words = [...[...after!.difference(before!)].map(name => `+ ${name}`), ...[...before!.difference(after!)].map(name => `- ${name}`)];
	return words.length === 0 ? 'other abilities' : words.join(', ');
}

const namesIn = (value: JsonValue): readonly string[] =>
	Array.isArray(value) ? (value as readonly JsonValue[]).map(each => cleanName(plainValue(each))) : [];

const agentFields = {
	name,
	prompt: {noun: 'prompt', type: 'lines', isSettable: true, read: textOf('prompt')},
	abilities: {noun: 'abilities', type: 'list', isSettable: true, read: ({abilityIds}: Agent) => abilityIds, words: tiesInWords},
} as const satisfies Readonly<Record<string, Field<'agents'>>>;

const abilityFields = {
	name,
	category,
	description: {noun: 'description', type: 'text', isSettable: true, read: textOf('description')},
	triggers,
	version: {
		noun: 'version',
		type: 'text',
		isSettable: false,
		read(ability: Ability) {
			const version = versionInUse(ability);
			return version === '' ? undefined : version;
		},
		words: (from: JsonValue, to: JsonValue) => [from, to].map(value => cleanText(plainValue(value), 60)).join(' → '),
	},
} as const satisfies Readonly<Record<string, Field<'abilities'>>>;

const installedFields = {
	name: {...name, isSettable: false},
	enabled: {
		noun: 'state',
		type: 'state',
		isSettable: true,
		read: ({isEnabled}: InstalledAbility) => isEnabled,
		words: (from: JsonValue, to: JsonValue) => [from, to].map(value => stateWord(value as boolean)).join(' → '),
	},
	category: {...category, isSettable: false},
	triggers,
	timer: {
		noun: 'timer',
		type: 'timer',
		isSettable: true,
		read: ({timer}: InstalledAbility) => timerValue(timer),
		words: (_from: JsonValue, to: JsonValue, timeZone?: TimeZone) => timerText(to, timeZone),
	},
} as const satisfies Readonly<Record<string, Field<'installed'>>>;

export type FieldName = keyof typeof agentFields | keyof typeof abilityFields | keyof typeof installedFields;

type SettableIn<Fields> = {[Name in keyof Fields]: Fields[Name] extends {readonly isSettable: true} ? Name : never}[keyof Fields];

/** The values that the client takes. Does not compile if a field can be set that the client does not send. */
export type ClientValues = {
	readonly agents: Pick<AgentChanges, SettableIn<typeof agentFields>>;
	readonly abilities: Pick<AbilityChanges, SettableIn<typeof abilityFields>>;
	readonly installed: Pick<InstalledChanges, SettableIn<typeof installedFields>>;
};

type Fields<R extends Resource> = Readonly<Record<string, Field<R> | undefined>>;

/** In the order in which changes are listed. */
const fields: {readonly [R in Resource]: Fields<R>} = {agents: agentFields, abilities: abilityFields, installed: installedFields};

/** The kinds of record, in the words of the state file. */
export const kindOf = {agents: 'agent', abilities: 'ability', installed: 'installed'} as const satisfies Readonly<Record<Resource, string>>;

export type RecordKind = (typeof kindOf)[Resource];

/** The list that has the records of a kind. */
export const resourceOf = {agent: 'agents', ability: 'abilities', installed: 'installed'} as const satisfies Readonly<
	Record<RecordKind, Resource>
>;

/** Returns the fields of a list's records, with their names. */
export function fieldsOf<R extends Resource>(resource: R): ReadonlyArray<readonly [FieldName, Field<R>]> {
	return Object.entries(fields[resource]) as ReadonlyArray<readonly [FieldName, Field<R>]>;
}

/** Finds a field; the name may come from a history and be any word. */
export function findField<R extends Resource>(resource: R, fieldName: string): Field<R> | undefined {
	return Object.hasOwn(fields[resource], fieldName) ? fields[resource][fieldName] : undefined;
}

/** Returns the type of a field; its kind and its name may be any words. */
export function typeOfField(kind: string, fieldName: string): ValueType | undefined {
	return Object.hasOwn(resourceOf, kind) ? findField(resourceOf[kind as RecordKind], fieldName)?.type : undefined;
}

const fits: Readonly<Record<ValueType, (value: JsonValue) => boolean>> = {
	state: value => typeof value === 'boolean',
	name: value => typeof value === 'string' && value !== '',
	text: value => typeof value === 'string',
	lines: value => typeof value === 'string',
	list: value => Array.isArray(value) && value.every(each => typeof each === 'string'),
	timer: value => value === null || decodeTimer(value) !== undefined,
};

/** Tells whether a field can be set to a value; abilities are names here. */
export function canSet(resource: Resource, fieldName: string, value: JsonValue): boolean {
	const field = findField(resource, fieldName);
	return field !== undefined && field.isSettable && fits[field.type](value);
}

/**
Refuses to edit a field of an installed ability if too little is known: its format, its whole value, or the state that is sent with it.
*/
export function refuseUneditable<R extends Resource>(resource: R, record: Records[R], values: Values): void {
	for (const [fieldName, {noun, type, read}] of resource === 'installed' ? fieldsOf(resource) : []) {
		if (values[fieldName] !== undefined && type !== 'state' && type !== 'timer') {
			const {name, raw, isEnabled} = record as InstalledAbility;
			const rawName = rawFieldName(fieldName);
			if (!Object.hasOwn(raw, rawName)) {
				const pronoun = type === 'list' ? 'they' : 'it';
				throw new SwitchboardError('refused', `The service does not show the ${noun} of ${name}, so ${pronoun} cannot be edited.`, {
					field: rawName,
				});
			}

			if (read(record) === undefined) {
				throw new SwitchboardError('refused', `${name} has too many ${noun} to be edited here: some of them would be lost.`, {
					field: rawName,
				});
			}

			if (isEnabled === undefined) {
				throw new SwitchboardError('refused', `The service does not show whether ${name} is on, which has to be sent with its ${noun}.`, {
					field: 'enabled',
					nextStep: 'Switch it on or off first.',
				});
			}
		}
	}
}

/** Services may trim a text and send null for an empty one, a form changes its line ends, and phrases and abilities have no order. */
const normalized = (value: JsonValue): JsonValue =>
	typeof value === 'string'
		? value.replaceAll('\r\n', '\n').trim()
		: Array.isArray(value) && value.length > 0
			? [...new Set((value as readonly JsonValue[]).map(each => plainValue(each)))].toSorted()
			: value === null || Array.isArray(value)
				? ''
				: value;

/** Tells whether this is a change of whether a record exists or is installed, not of its fields. */
export function isPresence({field}: {readonly field: string}): boolean {
	return field === 'exists' || field === 'installed';
}

/** Tells whether two values of a field are the same for a person. */
export function isSameValue(first: JsonValue | undefined, second: JsonValue | undefined): boolean {
	return (
		first === second ||
		(first !== undefined &&
			second !== undefined &&
			(isJsonObject(first) && isJsonObject(second) ? isSameTimer(first, second) : isSameJson(normalized(first), normalized(second))))
	);
}

export type Values = Readonly<Partial<Record<FieldName, JsonValue | undefined>>>;

/** Tells whether a record has these values; `undefined` if the values that the service shows match, but it does not show all of them. */
export function hasValues<R extends Resource>(resource: R, record: Records[R], values: Values): boolean | undefined {
	const found = Object.entries(values).flatMap(([fieldName, wanted]) => {
		const field = findField(resource, fieldName);
		const value = field?.read(record);
		return field === undefined || wanted === undefined ? [] : [value === undefined ? undefined : isSameValue(value, wanted)];
	});
	return found.includes(false) ? false : found.includes(undefined) ? undefined : true;
}

/** Returns a record with other values, as a list would show it. */
export function withValues<R extends Resource>(resource: R, record: Records[R], values: Values): Records[R] {
	const set = Object.entries(values).filter(([fieldName]) => findField(resource, fieldName) !== undefined);
	const raw = {...record.raw, ...toRawValues(Object.fromEntries(set))};
	return decodeRecord(resource, resource === 'installed' ? withTimer(raw, record.raw) : raw) ?? record;
}

/** Cancels the timer of a record whose state changes, unless it gets a new one. */
function withTimer({timer, ...raw}: JsonObject, before: JsonObject): JsonObject {
	const isCancelled = timer === null || (timer === before['timer'] && raw['enabled'] !== before['enabled']);
	const at = isJsonObject(timer) && typeof timer['for'] === 'number' ? new Date(Date.now() + timer['for'] * 1000).toISOString() : undefined;
	return timer === undefined || isCancelled ? raw : {...raw, timer: at === undefined ? timer : {...(timer as JsonObject), at}};
}

/**
Tells whether a record without the wanted values was changed again since: then every field that differs also differs from its value before
the change.

@param before - the record before the change.
*/
export function isChangedAgain<R extends Resource>(resource: R, seen: Records[R], before: Records[R], values: Values): boolean {
	return Object.entries(values).every(
		([fieldName, wanted]) =>
			hasValues(resource, seen, {[fieldName]: wanted}) !== false ||
			hasValues(resource, seen, {[fieldName]: findField(resource, fieldName)?.read(before)}) === false,
	);
}
