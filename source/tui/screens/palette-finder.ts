import {useEffect, useState} from 'react';
import {errorText, toSwitchboardError} from '../../interface/errors.ts';
import {parseFilter} from '../../interface/filter.ts';
import {fold} from '../../interface/match.ts';
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
import {withDeadline} from '../observable.ts';
import type {ServiceSession} from '../hooks/service-session.ts';
import type {SwitchTarget} from '../hooks/switch-words.ts';
import {isShownEnabled} from '../hooks/switching.ts';
import {namesByAbility, type Toggle} from '../hooks/use-resource.ts';
import {keyTable, scopesOf, screensOf, type ActionName} from '../../words/key-table.ts';
import {keyRows} from '../../words/keymap.ts';
import type {HelpTopic} from '../state/app-state.ts';
import {createRowFilter} from '../state/rows.ts';
import type {ScreenName} from '../state/view.ts';
import {actOnSwitches} from './act-on-switches.ts';
import {refuseChange} from './refuse-change.ts';
import {switchAgents} from './switch-agents.ts';
import {countsText} from './presets.tsx';
import {showProfile} from './profiles.tsx';
import {parseNoted} from './timer-field.tsx';
import {onCountText, tiedAbilitiesIn, tiedWord, type TiedAbility} from './tied-abilities.ts';

type ListedRecord = {readonly resource: Resource; readonly id: number};

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

/** The words before a name that act on its record. */
const verbs: ReadonlyArray<readonly [name: string, words: readonly string[], resource: Resource, action: ActionName]> = [
	['switch on', on, 'installed', 'enable-marked'],
	['switch off', off, 'installed', 'disable-marked'],
	['toggle', ['toggle', 'switch', 'flip'], 'installed', 'toggle'],
	['uninstall', ['uninstall', 'remove'], 'installed', 'uninstall'],
	['delete', removal, 'abilities', 'delete'],
	['install', ['install', 'add', 'get'], 'abilities', 'install'],
	['rename', ['rename'], 'agents', 'edit-name'],
	['edit the prompt of', ['edit', 'prompt'], 'agents', 'edit-prompt'],
];

/** More than anybody reads; people narrow the list as they type. */
const mostVerbRows = 100;

const kinds: Readonly<Record<Resource, string>> = {agents: 'agent', abilities: 'ability', installed: 'installed ability'};

const plain = {keys: '', elsewhere: '', synonyms: []} as const;

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
	const texts = entries.map(entry => ({folded: fold(entry.name), words: wordsOf(entry)}));
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

	/** @param time - of a timer, for verbs that switch on or off. */
	const withVerbs = (text: string, time?: string): readonly Found[] => {
		const problem = time === undefined ? '' : problemOf(time, ui);
		return verbs.flatMap(([verb, phrases, resource, action]) => {
			const rest = restAfter(text, phrases);
			if (rest === '' || (time !== undefined && action !== 'enable-marked' && action !== 'disable-marked')) {
				return [];
			}

			const all = ofResource.get(resource) ?? [];
			// A name may look like a term of a filter.
			const exact = all.filter(entry => entry.name === cleanName(rest)).map(({id}) => id);
			return [...new Set([...exact, ...choosers.get(resource)!(all, options(rest)).ids])].slice(0, mostVerbRows).map((id): Found => {
				const {name, record} = entries[id]!;
				const entry: PaletteEntry = {
					...entries[id]!,
					name: `${verb} ${name}${time === undefined ? '' : ` until ${time}`}`,
					description: problem || `${verb} the ${kinds[resource]} ${name} (${record!.id})`,
					keys: '',
					facts: undefined,
					run(toggle) {
						if (keyTable[action].writes === true && refuseChange(ui, action)) {
							return;
						}

						if (problem !== '') {
							ui.store.dispatch({type: 'open', overlay: {kind: 'palette', text: `${phrases[0]!} ${rest} until ${time!}`}});
						} else if (time === undefined) {
							runOn(action, record!, {ui, session, toggle});
						} else {
							void switchUntil(ui, toggle, {id: record!.id, name, isEnabled: action === 'enable-marked'}, time);
						}
					},
				};
				return {entry, grade: nameGrade(name, rest)};
			});
		});
	};

	const tiedOf = tiedAbilitiesIn(session);

	const ofAgents = (text: string): readonly Found[] =>
		[true, false].flatMap(isEnabled => {
			const rest = restAfter(text, isEnabled ? on : off);
			const agents = rest === '' ? [] : (session.records.seen('agents') ?? []);
			return agents
				.filter(({name, abilityIds = []}) => abilityIds.length > 0 && nameGrade(name, rest) < grades.other)
				.slice(0, mostVerbRows)
				.map((agent): Found => {
					const verb = `switch ${stateWord(isEnabled)}`;
					const name = cleanName(agent.name);
					const entry = {
						...plain,
						name: `${verb} the abilities of ${name}`,
						description: `agent ${agent.id}, ${onCountText(tiedOf(agent))}`,
						run(toggle: Toggle) {
							if (!refuseChange(ui, isEnabled ? 'enable-marked' : 'disable-marked')) {
								switchAgents(isEnabled, {ui, session, toggle, chosen: [agent], isAsked: true});
							}
						},
					};
					return {entry, grade: nameGrade(name, rest)};
				});
		});

	return (filter: string) => {
		const text = filter.trim();
		if (text === '') {
			return {found: entries.filter(({record}) => record === undefined), only: undefined, highlight: parseFilter('').highlight(false)};
		}

		const rows = chooseRows(entries, options(filter));
		const {words: wanted, highlight} = parseFilter(filter);
		const {head = '', time} = /^(?<head>.+) (?:until|for) (?<time>.+)$/iu.exec(text)?.groups ?? {};
		const timed = withVerbs(head, time);
		// Otherwise a part of the time could be taken for a part of a name.
		const untimed = withVerbs(text).filter(({grade}) => timed.length === 0 || grade <= grades.folded);
		const byVerbs = [...untimed, ...timed, ...ofAgents(text)].toSorted((first, second) => first.grade - second.grade);
		const byGrade = Map.groupBy(
			rows.ids.filter(id => !entries[id]!.isElsewhere),
			id => gradeOf(entries[id]!, {...texts[id]!, typed: text, wanted}),
		);
		const ofGrade = (grade: number): readonly PaletteEntry[] => (byGrade.get(grade) ?? []).map(id => entries[id]!);
		const found = [...byVerbs.map(({entry}) => entry), ...Object.values(grades).flatMap(ofGrade)];
		const exact = [grades.name, grades.folded]
			.map(grade => [...byVerbs.filter(each => each.grade === grade).map(({entry}) => entry), ...ofGrade(grade)])
			.find(({length}) => length > 0);
		const fitting = exact ?? found;
		return {
			found,
			/** The entry that is meant if only one fits: by its whole name or key, or else at all. */
			only: fitting.length === 1 ? fitting[0] : undefined,
			highlight: highlight(rows.isFuzzy),
		};
	};
}

type Found = {readonly entry: PaletteEntry; readonly grade: number};

/** How well an entry matches the typed text; lower is better. */
const grades = {name: 0, folded: 1, start: 2, synonym: 3, words: 4, beginnings: 5, other: 6} as const;

function nameGrade(name: string, typed: string, folded = fold(name)): number {
	if (name === typed) {
		return grades.name;
	}

	const wanted = fold(typed);
	return folded === wanted ? grades.folded : folded.startsWith(wanted) ? grades.start : grades.other;
}

/** Returns the text after one of these phrases; empty if it begins with none. */
function restAfter(text: string, phrases: readonly string[]): string {
	const phrase = phrases.find(each => fold(text).startsWith(`${each} `));
	return phrase === undefined ? '' : text.slice(phrase.length).trim();
}

/** Returns the words of an entry's name and synonyms, each between spaces. */
const wordsOf = ({name, synonyms: others}: PaletteEntry): string =>
	` ${fold([name, ...others].join(' ')).replaceAll(/[^\p{Letter}\p{Mark}\p{Number}!]+/gu, ' ')} `;

/** Returns the reason why a text is not the time of a timer; empty if it is one. */
function problemOf(text: string, {timeZone}: UiServices): string {
	try {
		parseNoted(text, {now: Date.now(), ...timeZone});
		return '';
	} catch (error) {
		return errorText(toSwitchboardError(error));
	}
}

/** Switches an ability until a time. */
async function switchUntil(
	{say, timeZone}: UiServices,
	toggle: Toggle,
	{id, name, isEnabled}: SwitchTarget & {readonly name: string},
	text: string,
): Promise<void> {
	const time = parseNoted(text, {now: Date.now(), ...timeZone});
	if ((await toggle.timers.agree()) && toggle.setMany([id], isEnabled, '', {...time, enabled: !isEnabled}) === 0) {
		say('info', `${name} is already ${stateWord(isEnabled)}: no timer was set.`);
	}
}

type Acting = {readonly ui: UiServices; readonly session: ServiceSession; readonly toggle: Toggle};

/** Carries out an action on a record, whatever is marked. */
function runOn(action: ActionName, record: ListedRecord, {ui, session, toggle}: Acting): void {
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

type GradedTexts = {readonly folded: string; readonly words: string; readonly typed: string; readonly wanted: readonly string[]};

/** Grades an entry by its name or key, by whole words, by their beginnings, or in another way. A name of a record may be longer. */
function gradeOf({name, ownName, keys, synonyms: others, record}: PaletteEntry, {folded, words, typed, wanted}: GradedTexts): number {
	const grade = nameGrade(name, typed, folded);
	// `m` and `M` are two keys.
	if (grade <= grades.folded || [ownName, ...keys.split(', ')].includes(typed)) {
		return Math.min(grade, grades.folded);
	}

	if (record !== undefined && grade === grades.start) {
		return grade;
	}

	if (others.includes(typed)) {
		return grades.synonym;
	}

	if (wanted.every(word => words.includes(` ${word} `))) {
		return grades.words;
	}

	return wanted.every(word => words.includes(` ${word}`)) ? grades.beginnings : grades.other;
}

type Findable = Pick<EntriesOptions, 'presets' | 'topics'>;

const nothingFindable: Findable = {presets: [], topics: []};

/**
Reads what the palette finds beside actions: presets, topics, and lists that no screen has read yet. The screens of what cannot be read show
the reason.
*/
async function readFindable(ui: UiServices, session: ServiceSession, add: (more: Partial<Findable>) => void): Promise<void> {
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

/** A list that takes longer is left out: the key should not seem to be dead. */
const patienceMilliseconds = 2000;

/** Runs what a line of the palette means, if only one thing fits it; else opens the palette with the line. */
export async function runPaletteLine(text: string, {ui, session, toggle}: Acting): Promise<void> {
	let findable = nothingFindable;
	const read = readFindable(ui, session, more => {
		findable = {...findable, ...more};
	});
	await withDeadline(read, patienceMilliseconds);
	const entries = paletteEntries(ui, {...findable, screen: ui.store.getState().screen, session});
	const {only} = createFinder(entries, {ui, session})(text);
	if (only === undefined) {
		ui.store.dispatch({type: 'open', overlay: {kind: 'palette', text}});
	} else {
		only.run(toggle);
	}
}
