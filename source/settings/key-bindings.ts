import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {userFolders} from '../platform/user-folders.ts';
import {readPrivateFile} from '../platform/private-files.ts';
import {settingsPath} from './settings-file.ts';

/** An entry of `keys` in the settings file, as it was written there: the terminal UI knows what it can mean. */
export type KeyBinding = {
	readonly action: string;
	/** None where `null` unbinds the action; `undefined` where the value is neither a text, nor a list of texts, nor `null`. */
	readonly keys: readonly string[] | undefined;
	/** The line of the entry in the file, from 1. */
	readonly line: number;
};

export type KeyBindings = {
	readonly file: string;
	/** In the order of the file. */
	readonly bindings: readonly KeyBinding[];
	/** The line of `keys` itself where it is there but no object. */
	readonly wrongLine: number | undefined;
};

const section = 'keys';

const maximumBytes = 4 * 1024 * 1024;

const tokens = /"(?:[^"\\]|\\.)*"|[\n:[\]{}]/g;

type Lines = {ofSection: number; readonly ofEntries: Map<string, number>};

/** The lines of `keys` and of its entries. What was parsed has lost them. */
const linesIn = (json: string): Readonly<Lines> => {
	const lines: Lines = {ofSection: 1, ofEntries: new Map()};
	/** The names that lead to the object or array in which the token stands; that of the whole is empty. */
	const path: string[] = [];
	let name = '';
	let text = {value: '', line: 1};
	let line = 1;

	const readName = (): void => {
		name = text.value;
		if (path.length === 1 && name === section) {
			lines.ofSection = text.line;
		} else if (path.length === 2 && path[1] === section) {
			lines.ofEntries.set(name, text.line);
		}
	};

	const readers: Readonly<Record<string, () => void>> = {
		'\n'() {
			line++;
		},
		'{'() {
			path.push(name);
		},
		'['() {
			path.push(name);
		},
		'}'() {
			path.pop();
		},
		']'() {
			path.pop();
		},
		':': readName,
	};

	for (const [token] of json.matchAll(tokens)) {
		if (token.startsWith('"')) {
			text = {value: JSON.parse(token) as string, line};
		} else {
			readers[token]!();
		}
	}

	return lines;
};

const toKeys = (value: JsonValue): readonly string[] | undefined => {
	if (value === null) {
		return [];
	}

	const keys = Array.isArray(value) ? value : [value];
	return keys.every(key => typeof key === 'string') ? keys : undefined;
};

/**
The keys of the person's own in the settings file: `"keys": {"toggle": "space", "quit": ["q", "ctrl+q"], "delete": null}`.
None where the file is not there or holds no settings: opening the settings tells about that.
*/
export const readKeyBindings = ({configFolder}: {readonly configFolder?: string | undefined} = {}): KeyBindings => {
	const file = settingsPath(configFolder ?? userFolders().config);
	const none: KeyBindings = {file, bindings: [], wrongLine: undefined};
	let text: string;
	let settings: unknown;
	try {
		text = readPrivateFile(file, maximumBytes) ?? '';
		settings = JSON.parse(text);
	} catch {
		return none;
	}

	if (!isJsonObject(settings) || settings[section] === undefined) {
		return none;
	}

	const lines = linesIn(text);
	const entries = settings[section];
	if (!isJsonObject(entries)) {
		return {...none, wrongLine: lines.ofSection};
	}

	return {
		...none,
		bindings: Object.entries(entries).map(([action, value]) => ({
			action,
			keys: toKeys(value),
			line: lines.ofEntries.get(action) ?? lines.ofSection,
		})),
	};
};
