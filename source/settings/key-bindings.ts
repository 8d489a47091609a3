import {withoutFailing} from '../interface/errors.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {parseObject} from '../platform/kept-file.ts';
import {userFolders} from '../platform/user-folders.ts';
import {readSettingsText, settingsPath} from './settings-file.ts';

/** An entry of `keys` in the settings file. The terminal UI knows which actions and keys there are. */
export type KeyBinding = {
	readonly action: string;
	/** Empty if `null` unbinds the action; `undefined` if the value is neither a string, nor a list of strings, nor `null`. */
	readonly keys: readonly string[] | undefined;
	/** The line of the entry in the file, from 1. */
	readonly line: number;
};

export type KeyBindings = {
	readonly file: string;
	/** In the order of the file. */
	readonly bindings: readonly KeyBinding[];
	/** The line of `keys` itself if it is not an object. */
	readonly wrongLine: number | undefined;
	/** `mouse` in the settings: true or false; anything else is a mistake. */
	readonly mouse?: JsonValue | undefined;
};

const section = 'keys';

const tokens = /"(?:[^"\\]|\\.)*"|[\n:[\]{}]/g;

/**
Returns the key bindings in the settings file: `"keys": {"toggle": "space", "quit": ["q", "ctrl+q"], "delete": null}`. A file that
is missing or broken has none: opening the settings reports it.
*/
export function readKeyBindings({configFolder = userFolders().config}: {readonly configFolder?: string | undefined} = {}): KeyBindings {
	const none: KeyBindings = {file: settingsPath(configFolder), bindings: [], wrongLine: undefined};
	const text = withoutFailing(() => readSettingsText(configFolder)) ?? '';
	const settings = parseObject(text) ?? {};
	const found = {...none, ...(settings['mouse'] !== undefined && {mouse: settings['mouse']})};
	if (settings[section] === undefined) {
		return found;
	}

	const lines = linesIn(text);
	const entries = settings[section];
	return isJsonObject(entries)
		? {
				...found,
				bindings: Object.entries(entries).map(([action, value]) => ({
					action,
					keys: toKeys(value),
					line: lines.get(nameIn(section, action))!,
				})),
			}
		: {...found, wrongLine: lines.get(nameIn(section))};
}

/** Returns the line of each name in a JSON text, from 1, by the names that lead to it (`nameIn`). Parsing loses the lines. */
function linesIn(json: string): ReadonlyMap<string, number> {
	const lines = new Map<string, number>();
	/** The names that lead to the object or array around the token; that of the outermost is empty. */
	const parents: string[] = [];
	let name = '';
	let text = {value: '', line: 1};
	let line = 1;
	for (const [token] of json.matchAll(tokens)) {
		if (token === '\n') {
			line++;
		} else if ('{['.includes(token)) {
			parents.push(name);
		} else if ('}]'.includes(token)) {
			parents.pop();
		} else if (token === ':') {
			name = text.value;
			lines.set(nameIn(...parents.slice(1), name), text.line);
		} else {
			text = {value: JSON.parse(token) as string, line};
		}
	}

	return lines;
}

const nameIn = (...names: readonly string[]): string => JSON.stringify(names);

function toKeys(value: JsonValue): readonly string[] | undefined {
	if (value === null) {
		return [];
	}

	const keys = Array.isArray(value) ? value : [value];
	return keys.every(key => typeof key === 'string') ? keys : undefined;
}
