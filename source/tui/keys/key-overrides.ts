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

/** Leaving by this key can neither be unbound nor given to another action. */
const wayOut = 'ctrl+c';

type Complaint = {readonly line: number; readonly text: string};

type Entry = {readonly action: ActionName; readonly keys: readonly string[]; readonly line: number};

export type CheckedOverrides = {
	readonly overrides: KeyOverrides;
	/** What is left out and why, as clauses that begin with the line in the file. */
	readonly complaints: readonly string[];
};

/** The keys of an entry, and for leaving always the way out. */
const keysOf = ({action, keys}: Entry): readonly string[] => action === 'quit' ? [...new Set([...keys, wayOut])] : keys;

const isTogether = (first: ActionName, second: ActionName): boolean => doScopesOverlap(keyTable[first].scope, keyTable[second].scope);

/** The first key of an entry that another entry has where both are active, or that is the way out. */
const findClash = (entry: Entry, entries: readonly Entry[]): {readonly key: string; readonly other: ActionName} | undefined => {
	const keys = entry.action === 'quit' ? entry.keys.filter(key => key !== wayOut) : entry.keys;
	for (const key of keys) {
		if (key === wayOut) {
			return {key, other: 'quit'};
		}

		const other = entries.find(candidate => candidate.action !== entry.action && isTogether(candidate.action, entry.action) && keysOf(candidate).includes(key));
		if (other !== undefined) {
			return {key, other: other.action};
		}
	}

	return undefined;
};

/** Leaves out, from the last one on, what takes a key that another entry has. */
const withoutClashes = (entries: readonly Entry[]): {readonly entries: readonly Entry[]; readonly complaints: readonly Complaint[]} => {
	const [last] = entries.toReversed().flatMap(entry => {
		const clash = findClash(entry, entries);
		return clash === undefined ? [] : [{entry, ...clash}];
	});
	if (last === undefined) {
		return {entries, complaints: []};
	}

	const {entry: {action, line}, key, other} = last;
	const rest = withoutClashes(entries.filter(entry => entry !== last.entry));
	return {...rest, complaints: [...rest.complaints, {line, text: `“${action}” cannot have ${keyLabel(key)}, the key of “${other}”`}]};
};

/** The keys that are left to an action of its default ones, where entries have taken some of them. */
const keysLeft = (name: ActionName, entries: readonly Entry[]): readonly string[] => {
	const taken = new Set(entries.filter(({action}) => isTogether(action, name)).flatMap(entry => keysOf(entry)));
	return keyTable[name].keys.filter(key => !taken.has(key));
};

const toOverrides = (entries: readonly Entry[]): KeyOverrides => {
	const own: KeyOverrides = Object.fromEntries(entries.map(entry => [entry.action, keysOf(entry)]));
	const yielding: KeyOverrides = Object.fromEntries(actionNames
		.filter(name => own[name] === undefined && keysLeft(name, entries).length < keyTable[name].keys.length)
		.map(name => [name, keysLeft(name, entries)]));
	return {...own, ...yielding};
};

/** What is wrong with an entry in itself, as a clause; the entry where nothing is. */
const checkEntry = ({action, keys, line}: KeyBinding): Entry | string => {
	if (!isActionName(action)) {
		return `“${cleanText(action, 60)}” is no action`;
	}

	if (keys === undefined) {
		return `“${action}” takes a key, a list of keys, or null`;
	}

	const unknown = keys.find(key => parseKeyName(key) === undefined);
	return unknown === undefined
		? {action, keys: keys.map(key => parseKeyName(key)!), line}
		: `“${cleanText(unknown, 60)}” of “${action}” is no key that a terminal tells from others`;
};

/**
The person's own keys as far as they can be used, with a complaint for each entry that cannot. A default key that the
person has given to another action yields: its action keeps its other keys.
*/
export const toKeyOverrides = ({bindings, wrongLine}: Pick<KeyBindings, 'bindings' | 'wrongLine'>): CheckedOverrides => {
	const complaints: Complaint[] = wrongLine === undefined ? [] : [{line: wrongLine, text: '“keys” is no object'}];
	const entries: Entry[] = [];
	for (const binding of bindings) {
		const entry = checkEntry(binding);
		if (typeof entry === 'string') {
			complaints.push({line: binding.line, text: entry});
		} else {
			entries.push(entry);
		}
	}

	const checked = withoutClashes(entries);
	return {
		overrides: toOverrides(checked.entries),
		complaints: [...complaints, ...checked.complaints]
			.toSorted((first, second) => first.line - second.line)
			.map(({line, text}) => `line ${line}: ${text}`),
	};
};
