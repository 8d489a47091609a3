import {useEffect, useState} from 'react';
import {abilityLookup, stateWord} from '../../interface/installed-lookup.ts';
import {
	cleanName,
	resources,
	type Ability,
	type Agent,
	type InstalledAbility,
	type Records,
	type Resource,
} from '../../interface/records.ts';
import {localProfileName} from '../../settings/profile.ts';
import type {Preset} from '../../settings/presets.ts';
import type {UiServices} from '../app-context.ts';
import type {ServiceSession} from '../hooks/service-session.ts';
import {isShownEnabled} from '../hooks/switching.ts';
import {namesByAbility, type Toggle} from '../hooks/use-resource.ts';
import {scopesOf, screensOf, type ActionName} from '../../words/key-table.ts';
import {keyRows} from '../../words/keymap.ts';
import type {HelpTopic} from '../state/app-state.ts';
import type {ScreenName} from '../state/view.ts';
import {countsText} from './presets.tsx';
import {showProfile} from './profiles.tsx';
import {onCountText, tiedAbilitiesIn, tiedWord, type TiedAbility} from './tied-abilities.ts';

export type ListedRecord = {readonly resource: Resource; readonly id: number};

export type PaletteEntry = {
	readonly name: string;
	readonly description: string;
	/** Joined by commas. */
	readonly keys: string;
	/** The screens where it works, if the current screen is not one of them. */
	readonly elsewhere: string;
	readonly synonyms: readonly string[];
	/** The name of a preset or a profile. */
	readonly ownName?: string;
	/** The record that it opens; it is listed only once text is typed. */
	readonly record?: ListedRecord;
	/** The state of a record in a word, and its agents; an agent has no state. */
	readonly facts?: {readonly state: string; readonly agents: string} | undefined;
	/** True for a record that is listed under its other one: an ability, or its installed record. Verbs find both. */
	readonly isElsewhere?: boolean;
	run(toggle: Toggle): void;
};

export const on = ['turn on', 'switch on', 'on', 'enable', 'activate', 'start'];

export const off = ['turn off', 'switch off', 'off', 'disable', 'deactivate', 'stop'];

export const removal = ['remove', 'delete', 'rm', 'erase'];

const synonyms: Readonly<Partial<Record<ActionName, readonly string[]>>> = {
	toggle: ['switch', 'flip', 'turn on', 'turn off', 'on', 'off', 'enable', 'disable'],
	'enable-marked': on,
	'disable-marked': off,
	uninstall: removal,
	delete: removal,
	install: ['add', 'get'],
	upload: ['add', 'new', 'create', 'push'],
	filter: ['search', 'find', 'grep'],
	open: ['show', 'view', 'details'],
	mark: ['select', 'tag'],
	'mark-all': ['select all'],
	'edit-name': ['rename'],
	'edit-prompt': ['edit', 'personality'],
	'edit-installed': ['edit-phrases', 'triggers', 'trigger words'],
	'edit-ties': ['capabilities'],
	undo: ['revert', 'back'],
	refresh: ['reload', 'update'],
	profiles: ['account', 'context', 'service', 'sign out', 'logout'],
	connect: ['account', 'sign in', 'login', 'api key'],
	quit: ['q', 'q!', 'wq', 'wq!', 'qa', 'exit', 'leave'],
	messages: ['log', 'history'],
	requests: ['log', 'debug'],
	repaint: ['redraw'],
	help: ['keys'],
};

const topicSynonyms: Readonly<Record<string, readonly string[]>> = {
	environment: ['dark', 'light', 'theme', 'color', 'colour', 'settings'],
	keys: ['keyboard', 'shortcuts', 'bindings'],
	filter: ['search'],
	ssh: ['remote'],
};

export const kinds: Readonly<Record<Resource, string>> = {agents: 'agent', abilities: 'ability', installed: 'installed ability'};

export const plain = {keys: '', elsewhere: '', synonyms: []} as const;

/** All entries, each with its place. */
export type PaletteEntries = ReadonlyArray<PaletteEntry & {readonly id: number}>;

type EntriesOptions = {
	readonly screen: ScreenName;
	readonly session: ServiceSession;
	readonly presets: readonly Preset[];
	readonly topics: readonly HelpTopic[];
};

/** Returns all actions, records, presets, profiles and topics; entries that work on the current screen come first. */
export function paletteEntries(ui: UiServices, {screen, session, presets, topics}: EntriesOptions): PaletteEntries {
	const {keymap} = ui;
	const actions = keyRows(keymap)
		// The palette is open already, and does not open over the editor.
		.filter(({name, scope}) => name !== 'palette' && scope !== 'text')
		.map(
			({name, keys, scope, description}): PaletteEntry => ({
				name,
				description,
				keys,
				elsewhere: scopesOf[screen].includes(scope) ? '' : screensOf(scope).join(' and '),
				synonyms: synonyms[name] ?? [],
				run() {
					ui.act(name);
				},
			}),
		);
	const factsOf = recordFacts(screen, session);
	const records = [screen, ...resources.toReversed().filter(resource => resource !== screen)].flatMap(resource =>
		(session.records.seen(resource) ?? []).map(
			(record): PaletteEntry => ({
				...plain,
				name: cleanName(record.name),
				description: `${kinds[resource]} ${record.id}`,
				record: {resource, id: record.id},
				...factsOf(resource, record),
				run() {
					openRecord(ui, {resource, id: record.id});
				},
			}),
		),
	);
	const profiles = keymap.isAvailable('profiles') ? [localProfileName, ...ui.profiles.all().map(({name}) => name)] : [];
	return [
		...actions.filter(({elsewhere}) => elsewhere === ''),
		...records,
		...presets.map(
			(preset): PaletteEntry => ({
				...plain,
				name: `preset ${cleanName(preset.name)}`,
				ownName: preset.name,
				description: `show what the preset would change, and ask (${countsText(preset)})`,
				synonyms: ['apply'],
				run() {
					ui.store.dispatch({type: 'open', overlay: {kind: 'preset', preset}});
				},
			}),
		),
		...profiles.map(
			(name): PaletteEntry => ({
				...plain,
				name: `profile ${cleanName(name)}`,
				ownName: name,
				description: `switch to the profile ${cleanName(name)}`,
				synonyms: ['account', 'use', 'service'],
				run() {
					void showProfile(ui, name);
				},
			}),
		),
		...topics.map(
			(topic): PaletteEntry => ({
				...plain,
				name: `help ${topic.name}`,
				description: `read about ${topic.description}`,
				synonyms: topicSynonyms[topic.name] ?? [],
				run() {
					ui.store.dispatch({type: 'open', overlay: {kind: 'topic', topic}});
				},
			}),
		),
		...actions.filter(({elsewhere}) => elsewhere !== ''),
	].map((entry, id) => ({...entry, id}));
}

/** Returns a function for the state of a record, its agents, and whether its line is that of its ability or of its installed record. */
function recordFacts(screen: ScreenName, session: ServiceSession) {
	const {seen} = session.records;
	const tiedOf = tiedAbilitiesIn(session);
	const abilityOf = abilityLookup(seen('abilities') ?? []);
	const agentNames = namesByAbility(seen('agents') ?? []);
	const intents = session.changes.queue.intents('installed', 'enabled');
	const agentsOf = (id: number | undefined): string => (agentNames.get(id ?? -1) ?? []).map(name => cleanName(name)).join(', ');
	const installedOf = (ability: Ability): TiedAbility => tiedOf({abilityIds: [ability.id]})![0]!;
	return (resource: Resource, record: Records[Resource]): Pick<PaletteEntry, 'facts' | 'isElsewhere'> => {
		if (resource === 'agents') {
			const tied = tiedOf(record as Agent) ?? [];
			return {facts: {state: '', agents: tied.length === 0 ? 'agent' : `agent, ${onCountText(tied)}`}};
		}

		const installed = resource === 'installed' ? (record as InstalledAbility) : installedOf(record as Ability).installed;
		const ability = resource === 'abilities' ? (record as Ability) : abilityOf(record as InstalledAbility);
		const isOneLine =
			ability !== undefined && installed !== undefined && installedOf(ability).installed === installed && abilityOf(installed) === ability;
		return {
			facts: {
				state: installed === undefined ? tiedWord(installedOf(ability!)) : stateWord(isShownEnabled(installed, intents)),
				agents: agentsOf(ability?.id ?? installed?.abilityId),
			},
			isElsewhere: isOneLine && (screen === 'abilities') !== (resource === 'abilities'),
		};
	};
}

/** Shows the list with the cursor on a record, and the open record above it. */
export function openRecord({store}: UiServices, {resource, id}: ListedRecord): void {
	const {list} = store.getState().views[resource];
	store.dispatch({type: 'show-screen', screen: resource});
	store.dispatch({type: 'change-list', screen: resource, list: {...list, cursorId: id}});
	store.dispatch({type: 'open', overlay: resource === 'agents' ? {kind: 'agent', id} : {kind: 'ability', resource, id}});
}

type Findable = Pick<EntriesOptions, 'presets' | 'topics'>;

export const nothingFindable: Findable = {presets: [], topics: []};

/**
Reads what the palette finds beside actions: presets, topics, and lists that no screen has read yet. The screens of what cannot be read show
the reason.
*/
export async function readFindable(ui: UiServices, session: ServiceSession, add: (more: Partial<Findable>) => void): Promise<void> {
	const reads: ReadonlyArray<() => Promise<Partial<Findable>>> = [
		async () => ({presets: await ui.presets().list()}),
		async () => ({topics: await ui.loadTopics()}),
		...resources
			.filter(resource => session.records.seen(resource) === undefined)
			.map(resource => async () => {
				await session.records.readAgain(resource);
				return {};
			}),
	];
	await Promise.allSettled(reads.map(async read => add(await read())));
}

/** Returns what the palette finds beside actions, as far as it was read. */
export function useFindable(ui: UiServices, session: ServiceSession): Findable {
	const [findable, setFindable] = useState(nothingFindable);
	useEffect(() => {
		void readFindable(ui, session, more => setFindable(before => ({...before, ...more})));
	}, [ui, session]);
	return findable;
}

/** Returns how rows are chosen by a typed text. */
export function searchFor(filter: string) {
	return {
		filter,
		sort: {column: 'none', isReversed: false},
		toRowData: ({name, keys, description, synonyms: others, record}: PaletteEntry) => ({
			name,
			triggerPhrases: [...keys.split(', '), ...others],
			text: record === undefined ? description : '',
		}),
	} as const;
}
