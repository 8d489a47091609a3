import type {Key} from './key.ts';

/**
The keys of one chunk that look like a text: it was pasted into a terminal without bracketed paste, or at a program that did not ask for that
yet. Who holds a key, types ahead or counts sends fewer characters, or the same ones.
*/
export type Chunk = {
	readonly text: string;
	/** True if it was taken as pasted; `undefined` until the first of its keys is there. */
	isPasted?: boolean;
};

const fewestCharacters = 8;
const fewestDifferent = 5;

/** True if a line follows the first one. After a filter or a command one key may: `/pantry`, Enter, Space. */
const hasMoreLines = (text: string, isCommand: boolean): boolean => {
	const end = text.indexOf('\n');
	const rest = end === -1 ? '' : text.slice(end).replaceAll('\n', '');
	return isCommand ? rest.trim().length > 1 : rest !== '';
};

/** Escape right before a character is Alt and that one. */
const textOf = ({name, text}: Key): string =>
	name === 'enter' ? '\n' : (/^alt\+(?<character>.)$/u.exec(name)?.groups?.['character'] ?? text);

/** Returns the keys that came at once as a text if they look like one. */
export function chunkOf(keys: readonly Key[]): Chunk | undefined {
	const text = keys.map(key => textOf(key)).join('');
	const isCommand = /^[/:]/.test(text);
	const characters = [...text.replaceAll('\n', '')];
	const isLong = characters.length >= fewestCharacters && new Set(characters).size >= fewestDifferent;
	return (isLong && !isCommand) || hasMoreLines(text, isCommand) ? {text} : undefined;
}
