import {cleanLines, cleanText} from './clean-text.ts';
import {isJsonObject, isSameJson, type JsonObject, type JsonValue} from './json.ts';
import {decodeTimer, type Timer} from './timers.ts';

/** The fields of every decoded record. Texts are cleaned for the screen; `raw` is the record as the service returned it. */
export type DecodedRecord = {
	readonly id: number;
	/** Never empty: `#` and the id if the service gave no name. */
	readonly name: string;
	readonly raw: JsonObject;
};

/** Any record with its name. */
export type Named = {readonly id: number; readonly name: string};

export type Agent = DecodedRecord & {
	/** May have several lines; empty if the service gave none. */
	readonly prompt: string;
	/** Ids of the abilities tied to the agent; `undefined` if the service does not show them. */
	readonly abilityIds: readonly number[] | undefined;
};

export type AbilityVersion = {
	/** The id of the release; `undefined` if the service does not show it. */
	readonly id: number | undefined;
	readonly version: string;
	/** True for the version in use. */
	readonly isEnabled: boolean | undefined;
	/** False for a draft. */
	readonly isCommitted: boolean | undefined;
};

type AbilityFields = {
	/** A known category or the service's own word; empty if it gave none. */
	readonly category: string;
	readonly triggerPhrases: readonly string[];
	/** Milliseconds since the epoch. */
	readonly changedAt: number | undefined;
};

export type Ability = DecodedRecord &
	AbilityFields & {
		readonly description: string;
		/** `undefined` if the service does not say. */
		readonly isInstalled: boolean | undefined;
		readonly versions: readonly AbilityVersion[];
	};

export type InstalledAbility = DecodedRecord &
	AbilityFields & {
		/** `undefined` if the service does not show it. */
		readonly isEnabled: boolean | undefined;
		/** Id of the installed ability; `undefined` if the service ties the two only by name. */
		readonly abilityId: number | undefined;
		/** When it will be switched; `undefined` if there is no timer. */
		readonly timer: Timer | undefined;
		/** True after a switch whose answer did not show the record: the next list will. */
		readonly isUnconfirmed?: boolean;
	};

/** Returns an id from a number or digits; `undefined` for anything but a safe whole number of at least 0. */
export function decodeId(value: unknown): number | undefined {
	const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
	return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}

const text = (value: JsonValue | undefined): string =>
	typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const list = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);

/** No ability needs a hundredth of this; further phrases are not shown, and so many cannot be edited. */
const maximumPhrases = 1000;

const phraseEntries = (value: JsonValue | undefined): readonly JsonValue[] =>
	typeof value === 'string' ? value.split(',', maximumPhrases + 1) : list(value);

/** Tells whether the record has more phrases than its decoded form. */
export function hasMorePhrases({trigger_words: phrases}: JsonObject): boolean {
	return phraseEntries(phrases).length > maximumPhrases;
}

/** Returns the trigger phrases of a record as the service returned them. */
export function rawPhrases({trigger_words: phrases}: JsonObject): readonly string[] {
	return phraseEntries(phrases)
		.slice(0, maximumPhrases)
		.filter(phrase => typeof phrase === 'string');
}

const decodePhrases = (raw: JsonObject): readonly string[] =>
	rawPhrases(raw)
		.map(phrase => cleanText(phrase, 200))
		.filter(phrase => phrase !== '');

/** The latest time of a `Date`; formatting a later one throws. */
const maximumTime = 8.64e15;

/** Returns a name for display and search. */
export function cleanName(name: string): string {
	return cleanText(name, 200);
}

/** Returns the name for scripts: the service's own or, if it gave none, the displayed name. */
export function rawName({name, raw}: Pick<DecodedRecord, 'name' | 'raw'>): string {
	return typeof raw['name'] === 'string' && raw['name'] !== '' ? raw['name'] : name;
}

/** The fields whose name in the interface differs from their name here. */
const interfaceNames: ReadonlyMap<string, string> = new Map([
	['prompt', 'description'],
	['abilities', 'matching_capabilities'],
	['triggers', 'trigger_words'],
]);

/** Returns the name of a field in the records of the service. */
export function rawFieldName(field: string): string {
	return interfaceNames.get(field) ?? field;
}

/** Returns values under the names of the interface, without undefined ones. */
export function toRawValues(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
	return Object.fromEntries(
		Object.entries(values).flatMap(([field, value]) => (value === undefined ? [] : [[rawFieldName(field), value]])),
	);
}

/** The names of the descriptions of records. */
const descriptionNames: Readonly<Partial<Record<Resource, string>>> = {agents: 'prompt', abilities: 'description'};

/** A longer description is cleaned when it is first read. */
const longDescription = 10_000;

const decodeAbilityFields = (raw: JsonObject): AbilityFields => ({
	category: cleanText(text(raw['category']), 60),
	triggerPhrases: decodePhrases(raw),
	changedAt: decodeTime(raw['last_updated']),
});

/** The fields that only the records of this resource have. */
type Fields<Record_ extends DecodedRecord> = Omit<Record_, keyof DecodedRecord | 'prompt' | 'description'>;

const decodeAgent = (raw: JsonObject): Fields<Agent> => ({
	abilityIds: Array.isArray(raw['matching_capabilities'])
		? list(raw['matching_capabilities'])
				.map(entry => decodeId(isJsonObject(entry) ? (entry['capability_id'] ?? entry['id']) : entry))
				.filter(id => id !== undefined)
		: undefined,
});

/** Returns the versions of an ability, from a list of objects. */
export function decodeVersions(value: JsonValue | undefined): readonly AbilityVersion[] {
	return list(value)
		.map(version => decodeVersion(version))
		.filter(version => version !== undefined);
}

const decodeVersion = (value: JsonValue): AbilityVersion | undefined =>
	isJsonObject(value)
		? {
				id: decodeId(value['id']),
				version: cleanText(text(value['version']), 60),
				isEnabled: optionalBoolean(value['is_user_enabled']),
				isCommitted: optionalBoolean(value['is_committed']),
			}
		: undefined;

const decodeAbility = (raw: JsonObject): Fields<Ability> => ({
	...decodeAbilityFields(raw),
	isInstalled: optionalBoolean(raw['is_installed']),
	versions: decodeVersions(raw['capability_versions']),
});

const decodeInstalled = (raw: JsonObject): Fields<InstalledAbility> => ({
	...decodeAbilityFields(raw),
	isEnabled: optionalBoolean(raw['enabled']),
	abilityId: decodeId(raw['capability_id']),
	timer: decodeTimer(raw['timer']),
});

export type Records = {readonly agents: Agent; readonly abilities: Ability; readonly installed: InstalledAbility};

export type Resource = keyof Records;

export const resources = ['agents', 'abilities', 'installed'] as const satisfies readonly Resource[];

const decoders: {readonly [R in Resource]: (raw: JsonObject) => Fields<Records[R]>} = {
	agents: decodeAgent,
	abilities: decodeAbility,
	installed: decodeInstalled,
};

/** The interface's name for the identifier of a resource's records (`docs/interface.md`, Words). */
const identifierNames = {agents: 'personality_id', abilities: 'capability_id', installed: 'installed_cap_id'} as const satisfies Record<
	Resource,
	string
>;

/**
Decodes one record, in any of the shapes that services send (`docs/interface.md`, Records); `undefined` if the value is not a record: not an
object, or without an identifier.

@param known - records decoded before, by id: an unchanged record is returned as the same object.
*/
export function decodeRecord<R extends Resource>(
	resource: R,
	value: unknown,
	known?: ReadonlyMap<number, Records[R]>,
): Records[R] | undefined {
	const raw = isJsonObject(value) ? value : {};
	const id = decodeId(raw[identifierNames[resource]]) ?? decodeId(raw['id']);
	if (id === undefined) {
		return undefined;
	}

	const before = known?.get(id);
	if (before !== undefined && isSameJson(before.raw, raw) && !('isUnconfirmed' in before)) {
		return before;
	}

	const record = {id, name: cleanName(text(raw['name'])) || `#${id}`, raw, ...decoders[resource](raw)};
	const descriptionName = descriptionNames[resource];
	if (descriptionName !== undefined) {
		addDescription(record, descriptionName);
	}

	return record as unknown as Records[R];
}

/**
Adds the description. Cleaning the long descriptions of a whole list at once would hold everything up for seconds, and most are never shown.
*/
function addDescription(record: {readonly raw: JsonObject}, name: string): void {
	const description = text(record.raw['description']);
	const property =
		description.length > longDescription
			? {
					get() {
						const value = cleanLines(description);
						Object.defineProperty(record, name, {value});
						return value;
					},
				}
			: {value: cleanLines(description)};
	Object.defineProperty(record, name, {...property, enumerable: true, configurable: true});
}

/**
Returns a record without the keys of other services that are linked to an ability: these must not enter a message, log, report or file.
*/
export function withoutLinkedKeys(raw: JsonObject): JsonObject {
	const {selected_keys: keys, ...record} = raw;
	return keys === undefined || isSameJson(keys, []) ? raw : record;
}

/**
Returns the record for scripts (`docs/compatibility.md`, JSON): as the service returned it, with the interface's identifier as an integer,
and for an installed ability `enabled`: a boolean, or null if the service does not show it.
*/
export function toPublicRecord(resource: Resource, record: Agent | Ability | InstalledAbility): JsonObject {
	return {...record.raw, [identifierNames[resource]]: record.id, ...('isEnabled' in record && {enabled: record.isEnabled ?? null})};
}

/** ISO 8601, or seconds or milliseconds since the epoch. */
function decodeTime(value: JsonValue | undefined): number | undefined {
	if (typeof value === 'number') {
		const time = Math.abs(value) > 1e11 ? value : value * 1000;
		return Math.abs(time) <= maximumTime ? time : undefined;
	}

	// Otherwise the parser would find a date in “version 2”.
	const time = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

function optionalBoolean(value: JsonValue | undefined): boolean | undefined {
	if (typeof value === 'boolean') {
		return value;
	}

	const word = text(value).toLowerCase();
	return word === 'true' || word === '1' ? true : word === 'false' || word === '0' ? false : undefined;
}
