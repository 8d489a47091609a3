import {useState} from 'react';
import {categories, categoryLabel, categoryWords} from '../../interface/categories.ts';
import {type ServiceSession, useServiceSession} from '../hooks/service-session.ts';
import {useTypedLine} from '../keys/typed-line.ts';
import type {StateStore} from '../observable.ts';
import type {FilterLineAction} from '../state/app-state.ts';
import {agentFilter, filterTerms, parseFilter, stateNames} from '../../interface/filter.ts';
import {formatCount} from '../../interface/format-count.ts';
import {fold} from '../../interface/match.ts';
import type {Move} from '../state/list-state.ts';
import {maximumLineLength} from '../state/text-editing.ts';
import {graphemes} from '../../terminal/wrap.ts';
import type {Hint} from '../../words/keymap.ts';

const termNames: readonly string[] = ['is:', 'category:', 'agent:', 'changed:'];

/** Examples: any duration will do. */
const ageLimits = ['<1h', '<1d', '<7d', '>30d'];

const categoryNames = categories.map(category => categoryLabel(category));

/**
Returns a function that completes the term at the end of a filter line: its name, or after the colon an existing value. If several match, it
first adds their common beginning; then each call goes to the next one, or to the previous one.

@returns a function that returns the line after the key, or `undefined` if nothing fits.
*/
export function createFilterCompletion(): (line: string, by: 1 | -1, agentNames: readonly string[]) => string | undefined {
	/** The line before the last completion, and the completed one. Any other line is completed anew. */
	let last: {readonly typed: string; readonly line: string} | undefined;
	return (line, by, agentNames) => {
		const typed = last?.line === line ? last.typed : line;
		const completion = completionOf(typed, agentNames);
		if (completion === undefined) {
			return undefined;
		}

		const {lines, common} = completion;
		const index = lines.indexOf(line);
		const isGoingOn = last?.line === line || common === line;
		const next = index === -1 ? (by === 1 ? 0 : -1) : (index + by) % lines.length;
		const completed = isGoingOn ? lines.at(next)! : common;
		last = lines.length === 1 ? undefined : {typed, line: completed};
		return completed;
	};
}

type Completion = {readonly common: string; readonly lines: readonly string[]};

/** Returns the possible completions of the last term; `undefined` if nothing matches. */
function completionOf(line: string, agentNames: readonly string[]): Completion | undefined {
	const last = filterTerms(line).at(-1) ?? '';
	const term = line.endsWith(last) ? last.replace(/^!+/, '') : '';
	const head = line.slice(0, line.length - term.length);
	const {values, typed, write} = completableOf(term, agentNames);
	const [first, ...others] = values.filter(
		value => fold(value).startsWith(fold(typed)) && head.length + write(value, true).length <= maximumLineLength,
	);
	if (first === undefined) {
		return undefined;
	}

	const lines = [first, ...others].map(value => head + write(value, true));
	const common = commonBeginning([first, ...others]);
	return {lines, common: others.length === 0 ? lines[0]! : common.length > typed.length ? head + write(common, false) : line};
}

type Completable = {
	readonly values: readonly string[];
	readonly typed: string;
	/** Replaces the typed text with a value, or with the common beginning of several. */
	write(value: string, isWhole: boolean): string;
};

function completableOf(term: string, agentNames: readonly string[]): Completable {
	const {field, typed = ''} = /^(?<field>is|category|agent|changed):(?<typed>.*)$/isu.exec(term)?.groups ?? {};
	switch (field?.toLowerCase()) {
		case 'agent': {
			return agentValues(typed, agentNames);
		}

		case 'category': {
			const hasLabel = categoryNames.some(name => name.startsWith(fold(typed)));
			return {values: hasLabel ? categoryNames : categoryWords, typed, write: value => `category:${value}`};
		}

		case 'changed': {
			return {values: ageLimits, typed, write: value => `changed:${value}`};
		}

		case 'is': {
			return {values: stateNames, typed, write: value => `is:${value}`};
		}

		default: {
			const meant = termOf(term, agentNames);
			return {...(meant === undefined ? {values: termNames, typed: term} : {values: [meant], typed: ''}), write: value => value};
		}
	}
}

/** Returns the term for a word that names a state, a category or an agent, such as `is:off` for `off`; `undefined` if it names none. */
function termOf(word: string, agentNames: readonly string[]): string | undefined {
	const wanted = fold(word);
	if (termNames.some(name => name.startsWith(wanted))) {
		return undefined;
	}

	const field = stateNames.some(name => name === wanted) ? 'is' : categoryWords.includes(wanted) ? 'category' : undefined;
	const agent = agentNames.find(name => fold(name) === wanted);
	return field === undefined ? agent && agentFilter([agent], agentNames) : `${field}:${wanted}`;
}

/** Returns a filter of words with the term that Tab makes of the last one; `undefined` if it makes none. */
export function withTerm(line: string, agentNames: readonly string[]): string | undefined {
	const word = /\S*$/u.exec(line)![0];
	return parseFilter(line).hasConditions || termOf(word, agentNames) === undefined ? undefined : completionOf(line, agentNames)?.common;
}

function agentValues(typed: string, names: readonly string[]): Completable {
	const isQuoted = typed.startsWith('"');
	return {
		values: [...new Set(names)],
		typed: isQuoted
			? typed
					.slice(1)
					.replace(/(?<=(?:^|[^"])(?:"")*)"$/u, '')
					.replaceAll('""', '"')
			: typed,
		write(value, isWhole) {
			if (isWhole) {
				return agentFilter([value], names);
			}

			return isQuoted || /[\s"]/u.test(value) ? `agent:"${value.replaceAll('"', '""')}` : `agent:${value}`;
		},
	};
}

/** Returns the common beginning of all values, in any case; spelled as in the first one. */
function commonBeginning([first, ...others]: readonly [string, ...string[]]): string {
	const rest = others.map(other => charactersOf(other));
	const characters = charactersOf(first);
	const end = characters.findIndex((character, index) => rest.some(other => fold(other[index] ?? '') !== fold(character)));
	return characters.slice(0, end === -1 ? characters.length : end).join('');
}

const charactersOf = (text: string): readonly string[] => [...graphemes.segment(text)].map(({segment}) => segment);

const completions: Readonly<Record<string, 1 | -1>> = {tab: 1, 'shift+tab': -1};

type FilterLine = {
	readonly store: Pick<StateStore<unknown, FilterLineAction>, 'dispatch'>;
	/** Returns the newest state, because several keys may come between two frames. */
	read(): {readonly filter: string; readonly isFilterOpen: boolean};
	move(move: Move): void;
	/** Switches the row under the cursor, for Ctrl+T. */
	switchRow?(): void;
	/** Called after Enter has kept a filter. */
	onKept?(filter: string): void;
};

/**
Handles the keys of a filter line while it is open: text, Tab, which completes terms and values, and the keys that move the cursor of its
list, or switch the row there. Enter keeps the filter, Escape clears it.
*/
export function useFilterLine({store, read, move, switchRow, onKept}: FilterLine): void {
	const session = useServiceSession();
	const [complete] = useState(createFilterCompletion);
	const edit = (filter: string): void => store.dispatch({type: 'edit-filter', filter});
	useTypedLine(
		{
			read: () => read().filter,
			type: edit,
			keep(filter) {
				store.dispatch({type: 'keep-filter'});
				onKept?.(filter);
			},
			leave() {
				store.dispatch({type: 'clear-filter'});
			},
			move,
			onKey({name}) {
				const {filter} = read();
				const by = completions[name];
				const completed = by && complete(filter, by, agentNamesIn(session));
				if (name === 'ctrl+t') {
					switchRow?.();
				} else if (completed !== undefined && completed !== filter) {
					edit(completed);
				}

				return name === 'ctrl+t' ? switchRow !== undefined : by !== undefined;
			},
		},
		() => read().isFilterOpen,
	);
}

/** Returns the names of the agents, as far as they were read. */
export function agentNamesIn({records}: Pick<ServiceSession, 'records'>): readonly string[] {
	return records.seen('agents')?.map(({name}) => name) ?? [];
}

const syntaxHints: readonly Hint[] = [
	{key: '!word', label: 'without it'},
	{key: 'is:', label: stateNames.join(' ')},
	{key: 'category:', label: 'skill'},
	{key: 'agent:', label: 'name'},
	{key: 'changed:', label: '<2d'},
];

/** Hints for the values of a condition, by the start of the term. */
const hintsByStart: Readonly<Record<string, Hint>> = {
	'is:': {key: 'is:', label: stateNames.join(', ')},
	'category:': {key: 'category:', label: categoryNames.join(', ')},
	'agent:': {key: 'agent:', label: "part of an agent's name"},
	'changed:': {key: 'changed:', label: '<2d (in the last 2 days) or >30d (longer ago)'},
};

type FilterHints = {readonly canSwitch?: boolean; readonly agentNames?: readonly string[]};

/** Returns the hints for an open filter line: its keys, and the values of the current term. */
export function filterHints(line: string, {canSwitch = false, agentNames = []}: FilterHints = {}): readonly Hint[] {
	const lineKeys: readonly Hint[] = [
		{key: 'enter', label: 'keep'},
		{key: 'esc', label: 'clear'},
		...(canSwitch ? [{key: 'ctrl+t', label: 'switch'}] : []),
		{key: 'tab', label: withTerm(line, agentNames) ?? 'complete'},
	];
	if (line.length >= maximumLineLength) {
		return [{key: 'full', label: `at most ${formatCount(maximumLineLength)} characters`}, ...lineKeys];
	}

	const start = /(?:^|\s)!?(?<start>[a-z]{1,20}:)\S*$/i.exec(line)?.groups!['start']?.toLowerCase();
	if (start === undefined) {
		return [...lineKeys, ...syntaxHints];
	}

	const hint = hintsByStart[start];
	return hint === undefined
		? [{key: start, label: 'is not known: use is:, category:, agent: or changed:'}, ...lineKeys]
		: [hint, ...lineKeys];
}
