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
import {areTogether, type KeyOverrides} from './keymap.ts';

/** Leaving by this key can neither be unbound nor given to another action. */
const wayOut = 'ctrl+c';

type Complaint = {readonly line: number; readonly text: string};

type Entry = {readonly action: ActionName; readonly keys: readonly string[]; readonly line: number};

export type CheckedOverrides = {
	readonly overrides: KeyOverrides;
	/** What is left out and why, as clauses that begin with the line in the file. */
	readonly complaints: readonly string[];
};

const toOverrides = (entries: readonly Entry[]): KeyOverrides =>
	Object.fromEntries(entries.map(({action, keys}) => [action, action === 'quit' ? [...new Set([...keys, wayOut])] : keys]));

/** The first of an action's keys that another action has where both are active. */
const findClash = (action: ActionName, overrides: KeyOverrides): {readonly key: string; readonly other: ActionName} | undefined => {
	const keysOf = (name: ActionName): readonly string[] => overrides[name] ?? keyTable[name].keys;
	for (const key of keysOf(action)) {
		const other = actionNames.find(name => name !== action && areTogether(keyTable[name].place, keyTable[action].place) && keysOf(name).includes(key));
		if (other !== undefined) {
			return {key, other};
		}
	}

	return undefined;
};

/** Leaves out, from the last one on, what takes a key that another action has. Two that exchange their keys do not clash. */
const withoutClashes = (entries: readonly Entry[]): {readonly entries: readonly Entry[]; readonly complaints: readonly Complaint[]} => {
	const complaints: Complaint[] = [];
	let left = entries;
	for (;;) {
		const overrides = toOverrides(left);
		const clashing = left.findLast(({action}) => findClash(action, overrides) !== undefined);
		if (clashing === undefined) {
			return {entries: left, complaints};
		}

		const {key, other} = findClash(clashing.action, overrides)!;
		complaints.push({line: clashing.line, text: `“${clashing.action}” cannot have ${keyLabel(key)}, the key of “${other}”`});
		// What is left out has its own keys again, which another entry may have taken.
		left = left.filter(entry => entry !== clashing);
	}
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

/** The person's own keys as far as they can be used, with a complaint for each entry that cannot. */
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
