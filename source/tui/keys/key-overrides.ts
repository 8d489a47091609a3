import {cleanText} from '../../interface/clean-text.ts';
import {type KeyBinding, type KeyBindings} from '../../settings/key-bindings.ts';
import {keyLabel} from './key-labels.ts';
import {parseKeyName} from './key-names.ts';
import {
	actionNames,
	isActionName,
	keyTable,
	type ActionName,
} from './key-table.ts';
import {doScopesOverlap, type KeyOverrides} from './keymap.ts';

/** This key always quits: it cannot be unbound or given to another action. */
const quitKey = 'ctrl+c';

type Problem = {readonly line: number; readonly text: string};

type Entry = {readonly action: ActionName; readonly keys: readonly string[]; readonly line: number};

export type CheckedOverrides = {
	readonly overrides: KeyOverrides;
	/** What is ignored and why, as clauses that start with the line in the file. */
	readonly problems: readonly string[];
};

/** The keys of an entry; quitting always keeps its own key too. */
const keysOf = ({action, keys}: Entry): readonly string[] => action === 'quit' ? [...new Set([...keys, quitKey])] : keys;

const doActionsOverlap = (first: ActionName, second: ActionName): boolean => doScopesOverlap(keyTable[first].scope, keyTable[second].scope);

/** The first key of an entry that another entry has while both are active, or that always quits. */
const findConflict = (entry: Entry, entries: readonly Entry[]): {readonly key: string; readonly other: ActionName} | undefined => {
	const keys = entry.action === 'quit' ? entry.keys.filter(key => key !== quitKey) : entry.keys;
	for (const key of keys) {
		if (key === quitKey) {
			return {key, other: 'quit'};
		}

		const other = entries.find(candidate => candidate.action !== entry.action && doActionsOverlap(candidate.action, entry.action) && keysOf(candidate).includes(key));
		if (other !== undefined) {
			return {key, other: other.action};
		}
	}

	return undefined;
};

/** Ignores entries that use a key of another entry, from the last one on. */
const withoutConflicts = (entries: readonly Entry[]): {readonly entries: readonly Entry[]; readonly problems: readonly Problem[]} => {
	const [last] = entries.toReversed().flatMap(entry => {
		const conflict = findConflict(entry, entries);
		return conflict === undefined ? [] : [{entry, ...conflict}];
	});
	if (last === undefined) {
		return {entries, problems: []};
	}

	const {entry: {action, line}, key, other} = last;
	const rest = withoutConflicts(entries.filter(entry => entry !== last.entry));
	return {...rest, problems: [...rest.problems, {line, text: `“${action}” cannot use ${keyLabel(key)}, the key of “${other}”`}]};
};

/** The default keys that an action keeps if entries have taken some of them. */
const remainingKeys = (name: ActionName, entries: readonly Entry[]): readonly string[] => {
	const taken = new Set(entries.filter(({action}) => doActionsOverlap(action, name)).flatMap(entry => keysOf(entry)));
	return keyTable[name].keys.filter(key => !taken.has(key));
};

const toOverrides = (entries: readonly Entry[]): KeyOverrides => {
	const own: KeyOverrides = Object.fromEntries(entries.map(entry => [entry.action, keysOf(entry)]));
	const yielding: KeyOverrides = Object.fromEntries(actionNames
		.filter(name => own[name] === undefined && remainingKeys(name, entries).length < keyTable[name].keys.length)
		.map(name => [name, remainingKeys(name, entries)]));
	return {...own, ...yielding};
};

/** The entry, or the problem with it as a clause. */
const checkEntry = ({action, keys, line}: KeyBinding): Entry | string => {
	if (!isActionName(action)) {
		return `unknown action “${cleanText(action, 60)}”`;
	}

	if (keys === undefined) {
		return `“${action}” needs a key, a list of keys, or null`;
	}

	const parse = (key: string): string | undefined => parseKeyName(key, keyTable[action].scope === 'text');
	const unknown = keys.find(key => parse(key) === undefined);
	return unknown === undefined
		? {action, keys: keys.map(key => parse(key)!), line}
		: `“${action}” cannot use “${cleanText(unknown, 60)}”, which terminals do not send as a key of its own`;
};

/**
Checks the person's own keys: each entry that conflicts or is unknown is ignored and reported. A default key that the
person gave to another action is taken from its action, which keeps its other keys.
*/
export const checkKeyOverrides = ({bindings, wrongLine}: Pick<KeyBindings, 'bindings' | 'wrongLine'>): CheckedOverrides => {
	const problems: Problem[] = wrongLine === undefined ? [] : [{line: wrongLine, text: '“keys” is not an object'}];
	const entries: Entry[] = [];
	for (const binding of bindings) {
		const entry = checkEntry(binding);
		if (typeof entry === 'string') {
			problems.push({line: binding.line, text: entry});
		} else {
			entries.push(entry);
		}
	}

	const checked = withoutConflicts(entries);
	return {
		overrides: toOverrides(checked.entries),
		problems: [...problems, ...checked.problems]
			.toSorted((first, second) => first.line - second.line)
			.map(({line, text}) => `line ${line}: ${text}`),
	};
};
