import {readdir, stat} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join, resolve, sep} from 'node:path';
import {cleanText} from '../../interface/clean-text.ts';

export type Completion = {
	/** The text with as much added as is certain. */
	readonly text: string;
	/** What it may go on as, where there are several: names, those of folders with a slash. */
	readonly candidates: readonly string[];
};

/** Takes off the quotes or the backslashes that a shell would; a terminal writes them when a file is dropped on it. */
const unquote = (text: string): string => {
	if (/^(?<quote>["']).*\k<quote>$/u.test(text)) {
		return text.slice(1, -1);
	}

	return sep === '\\' ? text : text.replaceAll(/\\(?<escaped>[^\p{Letter}\p{Number}])/gu, '$<escaped>');
};

/** The path that a person has typed, pasted or dropped: as a shell would read it, `~` for the home folder. */
export const expandPath = (typed: string): string => {
	const text = unquote(typed.trim());
	if (text === '') {
		return '';
	}

	return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : resolve(text);
};

const isFolder = async (path: string): Promise<boolean> => {
	try {
		return (await stat(path)).isDirectory();
	} catch {
		return false;
	}
};

/** True where a path that was typed names what is there. Never rejects. */
export const isThere = async (typed: string): Promise<boolean> => {
	try {
		await stat(expandPath(typed));
		return true;
	} catch {
		return false;
	}
};

const commonToBoth = (first: string, second: string): string => {
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
Completes a path as a shell does: folders, and files with one of the endings. Names that begin with a dot only where the
text asks for them; letters in any case where none fits otherwise. Never rejects: where nothing can be read, nothing is added.

@param endings - such as `.zip`.
@param goal - a file whose folder is what is looked for: nothing within it is offered.
*/
export const completePath = async (typed: string, endings: readonly string[], goal?: string): Promise<Completion> => {
	if (typed === '~') {
		return {text: '~/', candidates: []};
	}

	const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
	const beginning = typed.slice(folder.length);
	const listed = await list(folder);
	if (beginning === '' && goal !== undefined && listed.includes(goal)) {
		return {text: typed, candidates: []};
	}

	// A name that a terminal would obey cannot be typed into a field either.
	const names = listed.filter(name => cleanText(name) === name && (!name.startsWith('.') || beginning.startsWith('.')));
	const exact = names.filter(name => name.startsWith(beginning));
	const fitting = exact.length > 0 ? exact : names.filter(name => name.toLowerCase().startsWith(beginning.toLowerCase()));
	const marked = await Promise.all(fitting.map(async name => await isFolder(join(expandPath(folder === '' ? '.' : folder), name))
		? `${name}/`
		: (endings.some(ending => name.toLowerCase().endsWith(ending)) ? name : undefined)));
	const candidates = marked.filter(name => name !== undefined).toSorted();
	const [first, ...others] = candidates;
	if (first === undefined) {
		return {text: typed, candidates};
	}

	let common = first;
	for (const other of others) {
		common = commonToBoth(common, other);
	}

	// Names that differ in case may have less in common than was typed.
	return {text: common.length < beginning.length ? typed : folder + common, candidates: others.length === 0 ? [] : candidates};
};
