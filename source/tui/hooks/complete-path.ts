import {readdir, stat} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join, resolve, sep} from 'node:path';
import {cleanText} from '../../interface/clean-text.ts';

type Completion = {
	/** The text with everything added that all candidates share. */
	readonly text: string;
	/** Possible names if there are several, those of folders with a slash. */
	readonly candidates: readonly string[];
};

/** Removes quotes and backslashes as a shell does; a terminal adds them when a file is dropped on it. */
const unquote = (text: string): string => {
	if (/^(?<quote>["']).*\k<quote>$/u.test(text)) {
		return text.slice(1, -1);
	}

	return sep === '\\' ? text : text.replaceAll(/\\(?<escaped>[^\p{Letter}\p{Number}])/gu, '$<escaped>');
};

/** The path that a person typed, pasted or dropped, as a shell reads it, with `~` for the home folder. */
export const expandPath = (typed: string): string => {
	const text = unquote(typed.trim());
	if (text === '') {
		return '';
	}

	return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : resolve(text);
};

/** What a path leads to; `undefined` if it cannot be read. Never rejects. */
export const pathKind = async (path: string): Promise<'folder' | 'file' | undefined> => {
	try {
		return (await stat(path)).isDirectory() ? 'folder' : 'file';
	} catch {
		return undefined;
	}
};

const commonPrefix = (first: string, second: string): string => {
	const others = [...second];
	const characters = [...first];
	const end = characters.findIndex((character, index) => character !== others[index]);
	return end === -1 ? first : characters.slice(0, end).join('');
};

const list = async (folder: string): Promise<readonly string[]> => {
	try {
		return await readdir(folder === '' ? '.' : expandPath(folder));
	} catch {
		return [];
	}
};

/**
Completes a path as a shell does: folders, and files with one of the extensions. Offers names that begin with a dot only
if one was typed, and ignores case if nothing matches otherwise. Never rejects: if nothing can be read, nothing is
added.

@param extensions - such as `.zip`.
@param goal - a file whose folder the person looks for: nothing in that folder is offered.
*/
export const completePath = async (typed: string, extensions: readonly string[], goal?: string): Promise<Completion> => {
	if (typed === '~') {
		return {text: '~/', candidates: []};
	}

	const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
	const beginning = typed.slice(folder.length);
	const listed = await list(folder);
	if (beginning === '' && goal !== undefined && listed.includes(goal)) {
		return {text: typed, candidates: []};
	}

	// A name with control characters cannot be typed into a field.
	const names = listed.filter(name => cleanText(name) === name && (!name.startsWith('.') || beginning.startsWith('.')));
	const exact = names.filter(name => name.startsWith(beginning));
	const matching = exact.length > 0 ? exact : names.filter(name => name.toLowerCase().startsWith(beginning.toLowerCase()));
	const marked = await Promise.all(matching.map(async name => await pathKind(join(expandPath(folder === '' ? '.' : folder), name)) === 'folder'
		? `${name}/`
		: (extensions.some(extension => name.toLowerCase().endsWith(extension)) ? name : undefined)));
	const candidates = marked.filter(name => name !== undefined).toSorted();
	const [first, ...others] = candidates;
	if (first === undefined) {
		return {text: typed, candidates};
	}

	let common = first;
	for (const other of others) {
		common = commonPrefix(common, other);
	}

	// Names that differ in case may have less in common than was typed.
	return {text: common.length < beginning.length ? typed : folder + common, candidates: others.length === 0 ? [] : candidates};
};
