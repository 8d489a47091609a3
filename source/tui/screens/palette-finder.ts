import {useEffect, useState} from 'react';
import {parseFilter} from '../../interface/filter.ts';
import {fold} from '../../interface/match.ts';
import {cleanName, resources, type Resource} from '../../interface/records.ts';
import {localProfileName} from '../../settings/profile.ts';
import type {Preset} from '../../settings/preset.ts';
import type {UiServices} from '../app-context.ts';
import type {ServiceSession} from '../hooks/service-session.ts';
import type {Toggle} from '../hooks/use-resource.ts';
import {keyTable, scopesOf, screensOf, type ActionName} from '../../words/key-table.ts';
import {keyRows} from '../../words/keymap.ts';
import type {HelpTopic} from '../state/app-state.ts';
import {createRowFilter} from '../state/rows.ts';
import type {ScreenName} from '../state/view.ts';
import {actOnSwitches} from './act-on-switches.ts';
import {refuseChange} from './refuse-change.ts';
import {countsText} from './presets.tsx';
import {showProfile} from './profiles.tsx';

type ListedRecord = {readonly resource: Resource; readonly id: number};

export type PaletteEntry = {
	readonly name: string;
	readonly description: string;
	/** Joined by commas. */
	readonly keys: string;
	/** The screens where it works, if the current screen is not one of them. */
	readonly elsewhere: string;
	readonly synonyms: readonly string[];
	/** The record that it opens; it is listed only once text is typed. */
	readonly record?: ListedRecord;
	run(toggle: Toggle): void;
};

const on = ['turn on', 'switch on', 'on', 'enable', 'activate', 'start'];

const off = ['turn off', 'switch off', 'off', 'disable', 'deactivate', 'stop'];

const removal = ['remove', 'delete', 'rm', 'erase'];

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
	'edit-phrases': ['triggers', 'trigger words'],
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

/** The words before a name that act on its record. */
const verbs: ReadonlyArray<readonly [name: string, words: readonly string[], resource: Resource, action: ActionName]> = [
	['turn on', on, 'installed', 'enable-marked'],
	['turn off', off, 'installed', 'disable-marked'],
	['switch', ['toggle', 'switch', 'flip'], 'installed', 'toggle'],
	['uninstall', ['uninstall', 'remove'], 'installed', 'uninstall'],
	['delete', removal, 'abilities', 'delete'],
	['install', ['install', 'add', 'get'], 'abilities', 'install'],
	['rename', ['rename'], 'agents', 'edit-name'],
	['edit the prompt of', ['edit', 'prompt'], 'agents', 'edit-prompt'],
];

/** More than anybody reads; people narrow the list as they type. */
const mostVerbRows = 100;

const kinds: Readonly<Record<Resource, string>> = {agents: 'agent', abilities: 'ability', installed: 'installed ability'};

type EntriesOptions = {
	readonly screen: ScreenName;
	readonly session: ServiceSession;
	readonly presets: readonly Preset[];
	readonly topics: readonly HelpTopic[];
};

/** Returns all actions, records, presets, profiles and topics; entries that work on the current screen come first. */
export function paletteEntries(
	ui: UiServices,
	{screen, session, presets, topics}: EntriesOptions,
): ReadonlyArray<PaletteEntry & {readonly id: number}> {
	const {keymap} = ui;
	const plain = {keys: '', elsewhere: '', synonyms: []};
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
	const records = [screen, ...resources.toReversed().filter(resource => resource !== screen)].flatMap(resource =>
		(session.records.seen(resource) ?? []).map(
			(record): PaletteEntry => ({
				...plain,
				name: cleanName(record.name),
				description: `${kinds[resource]} ${record.id}`,
				record: {resource, id: record.id},
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

/** Shows the list with the cursor on a record, and the open record above it. */
function openRecord({store}: UiServices, {resource, id}: ListedRecord): void {
	const {list} = store.getState().views[resource];
	store.dispatch({type: 'show-screen', screen: resource});
	store.dispatch({type: 'change-list', screen: resource, list: {...list, cursorId: id}});
	store.dispatch({type: 'open', overlay: resource === 'agents' ? {kind: 'agent', id} : {kind: 'ability', resource, id}});
}

/** Finds entries for the typed text; the texts of the records are prepared once. */
export function createFinder(
	entries: ReturnType<typeof paletteEntries>,
	{ui, session}: {readonly ui: UiServices; readonly session: ServiceSession},
) {
	const chooseRows = createRowFilter();
	const words = entries.map(entry => wordsOf(entry));
	const ofResource = Map.groupBy(
		entries.filter(({record}) => record !== undefined),
		({record}) => record!.resource,
	);
	const choosers = new Map(resources.map(resource => [resource, createRowFilter()]));
	const options = (filter: string) =>
		({
			filter,
			sort: {column: 'none', isReversed: false},
			toRowData: ({name, keys, description, synonyms: others, record}: PaletteEntry) => ({
				name,
				triggerPhrases: [...keys.split(', '), ...others],
				text: record === undefined ? description : '',
			}),
		}) as const;

	const withVerbs = (text: string): readonly PaletteEntry[] =>
		verbs.flatMap(([verb, phrases, resource, action]) => {
			const phrase = phrases.find(each => fold(text).startsWith(`${each} `));
			const rest = phrase === undefined ? '' : text.slice(phrase.length).trim();
			if (rest === '') {
				return [];
			}

			const all = ofResource.get(resource) ?? [];
			// A name may look like a term of a filter.
			const exact = all.filter(entry => entry.name === cleanName(rest)).map(({id}) => id);
			return [...new Set([...exact, ...choosers.get(resource)!(all, options(rest)).ids])].slice(0, mostVerbRows).map((id): PaletteEntry => {
				const {name, record} = entries[id]!;
				return {
					...entries[id]!,
					name: `${verb} ${name}`,
					description: `${verb} the ${kinds[resource]} ${name} (${record!.id})`,
					keys: '',
					run(toggle) {
						if (keyTable[action].writes !== true || !refuseChange(ui, action)) {
							runOn(action, record!, {ui, session, toggle});
						}
					},
				};
			});
		});

	return (filter: string) => {
		const text = filter.trim();
		if (text === '') {
			return {found: entries.filter(({record}) => record === undefined), highlight: parseFilter('').highlight(false)};
		}

		const rows = chooseRows(entries, options(filter));
		const {words: wanted, highlight} = parseFilter(filter);
		const byGrade = Map.groupBy(rows.ids, id => gradeOf(entries[id]!, words[id]!, text, wanted));
		const sorted = [0, 1, 2, 3].flatMap(grade => byGrade.get(grade) ?? []).map(id => entries[id]!);
		return {found: [...withVerbs(text), ...sorted], highlight: highlight(rows.isFuzzy)};
	};
}

/** Returns the words of an entry's name and synonyms, each between spaces. */
const wordsOf = ({name, synonyms: others}: PaletteEntry): string =>
	` ${fold([name, ...others].join(' ')).replaceAll(/[^\p{Letter}\p{Mark}\p{Number}!]+/gu, ' ')} `;

/** Carries out an action on a record, whatever is marked. */
function runOn(
	action: ActionName,
	record: ListedRecord,
	{ui, session, toggle}: {readonly ui: UiServices; readonly session: ServiceSession; readonly toggle: Toggle},
): void {
	const installed =
		action === 'enable-marked' || action === 'disable-marked'
			? session.records.seen('installed')?.find(({id}) => id === record.id)
			: undefined;
	if (installed === undefined) {
		openRecord(ui, record);
		ui.act(action);
	} else {
		actOnSwitches(action, {
			ui,
			toggle,
			markedIds: undefined,
			record: installed,
			sayNoRecord() {
				/* There is one. */
			},
		});
	}
}

/**
Returns how well an entry matches the typed text: by its name or key, by whole words, by their beginnings, or in another way. Lower is
better.
*/
function gradeOf({name, keys, synonyms: others}: PaletteEntry, words: string, typed: string, wanted: readonly string[]): number {
	// `m` and `M` are two keys.
	if ([name, ...keys.split(', '), ...others].includes(typed)) {
		return 0;
	}

	if (wanted.every(word => words.includes(` ${word} `))) {
		return 1;
	}

	return wanted.every(word => words.includes(` ${word}`)) ? 2 : 3;
}

/** Returns what the palette finds beside actions: presets, topics, and lists that no screen has read yet. */
export function useFindable(ui: UiServices, session: ServiceSession) {
	const [findable, setFindable] = useState<Pick<EntriesOptions, 'presets' | 'topics'>>({presets: [], topics: []});
	useEffect(() => {
		const add = async (load: () => Promise<Partial<typeof findable>>): Promise<void> => {
			try {
				const more = await load();
				setFindable(before => ({...before, ...more}));
			} catch {
				// The screens of the presets and of the list show the reason.
			}
		};

		void add(async () => ({presets: await ui.presets().list()}));
		void add(async () => ({topics: await ui.loadTopics()}));
		for (const resource of resources) {
			if (session.records.seen(resource) === undefined) {
				void add(async () => {
					await session.records.readAgain(resource);
					return {};
				});
			}
		}
	}, [ui, session]);
	return findable;
}
