import {Buffer} from 'node:buffer';
/** An entry of a list, which may be no record at all. */
export type Entry = unknown;

export type Loose = Record<string, unknown>;

export type SourceFile = {readonly path: string; readonly bytes: Uint8Array};

/** Everything the service holds. All of it may be changed behind the caller's back. */
export type LiveLikeHome = {
	agents: Entry[];
	abilities: Entry[];
	installed: Entry[];
	/** Ability ids by agent id; no list shows them. */
	readonly ties: Map<number, readonly number[]>;
	readonly sources: Map<number, readonly SourceFile[]>;
	readonly images: Map<number, Uint8Array>;
	readonly releases: Map<number, {readonly files: readonly SourceFile[]; readonly message: string}>;
};

export function isRecord(value: unknown): value is Loose {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The record with this id, whatever type its id has. */
export function findRecord(entries: readonly Entry[], id: number): Loose | undefined {
	return entries.filter(entry => isRecord(entry)).find(entry => Number(entry['id']) === id && entry['id'] !== null);
}

export function nextId(entries: readonly Entry[]): number {
	return Math.max(0, ...entries.filter(entry => isRecord(entry)).map(entry => Number(entry['id']) || 0)) + 1;
}

/** The installed record of an ability: the two are tied by name alone. */
export function findInstalledOf(home: LiveLikeHome, abilityId: number): Loose | undefined {
	const name = findRecord(home.abilities, abilityId)?.['name'];
	return home.installed.filter(entry => isRecord(entry)).find(entry => entry['name'] === name);
}

export function abilityRecord(id: number, name: string, category: string, triggerWords: readonly string[], isInstalled = true): Loose {
	return {
		id,
		name,
		category,
		description: `What ${name} does`,
		trigger_words: triggerWords,
		is_installed: isInstalled,
		is_approved: true,
		is_published: false,
		last_updated: '2026-03-04T05:06:07.000Z',
		capability_versions: [{id: 9000 + id, version: '1.0.0', is_user_enabled: true}],
	};
}

const installedRecord = (id: number, {name, category, trigger_words: triggerWords}: Loose, isEnabled: boolean): Loose => ({
	id,
	name,
	category,
	enabled: isEnabled,
	trigger_words: triggerWords,
	last_updated: '2026-03-04T05:06:07.000Z',
	image_file: null,
	default: false,
	system_capability: false,
	agent_capability: true,
	shortcut: null,
});

/** Installs the ability, unless it is. */
export function install(home: LiveLikeHome, ability: Loose): Loose {
	const present = findInstalledOf(home, Number(ability['id']));
	if (present !== undefined) {
		return present;
	}

	const record: Loose = {
		...installedRecord(nextId(home.installed), ability, true),
		last_updated: new Date().toISOString(),
		agent_capability: false,
	};
	home.installed.push(record);
	ability['is_installed'] = true;
	return record;
}

/** A small home: two agents, four abilities of four categories, three of them installed, one switched off. */
export function createHome(): LiveLikeHome {
	const abilities = [
		abilityRecord(21, 'lamps', 'skill', ['lamps please', 'it is dark']),
		abilityRecord(22, 'pantry', 'brain_skill', []),
		abilityRecord(23, 'nightwatch', 'background_daemon', []),
		abilityRecord(24, 'desk', 'local', ['open the desk'], false),
	];
	return {
		agents: [
			{id: 1, name: 'Hearth', description: 'You look after a house.', image: null},
			{id: 2, name: 'Porch', description: 'You greet guests.', image: null},
		],
		abilities,
		installed: [
			installedRecord(301, abilities[0]!, true),
			installedRecord(302, abilities[1]!, true),
			installedRecord(303, abilities[2]!, false),
		],
		ties: new Map([[1, [21, 22]]]),
		sources: new Map(
			abilities.map(({id}) => [
				Number(id),
				[
					{path: 'main.py', bytes: Buffer.from(`print(${String(id)})\n`)},
					{path: '__init__.py', bytes: Buffer.alloc(0)},
				],
			]),
		),
		images: new Map(),
		releases: new Map(),
	};
}

/** Entries that are no record at all; a client leaves them out and says how many. */
export const entriesThatAreNoRecord: readonly Entry[] = [
	null,
	'lamps',
	7,
	true,
	[],
	{},
	{name: 'nameless number'},
	{id: null, name: 'null'},
	{id: 'x7', name: 'word'},
	{id: 1.5, name: 'half'},
];
