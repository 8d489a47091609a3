import {cleanText} from '../../interface/clean-text.ts';

/*
How a frame is read out. Widgets say what they show in words and commas in place of columns, and begin a line as it is
here: `> ` where the cursor is, two spaces where the rest of a list is, `Keys: ` where keys are named.
*/

/** Parts of a line, as they are read out; those that are empty are left out. */
export const spokenText = (...parts: readonly string[]): string => parts.map(part => part.trim()).filter(part => part !== '').join(', ');

/** A row of a list, or a field of a form. */
export const spokenRow = (isCurrent: boolean, text: string): string => `${isCurrent ? '>' : ' '} ${text}`;

export const spokenKeys = (...parts: readonly string[]): string => `Keys: ${spokenText(...parts)}`;

export type SpokenLine = {
	/** `current`: where the cursor is. `listed`: the rest of its list. `keys`: what can be pressed. `news`: anything else. */
	readonly kind: 'current' | 'listed' | 'keys' | 'news';
	/** Without what tells the kind of a row. */
	readonly text: string;
};

const maximumLength = 4000;

/** Columns are parted by two spaces or more. */
const inWords = (text: string): string => cleanText(text.trim().replaceAll(/ {2,}/g, ', '), maximumLength);

const rowStart = /^[ !*]{0,2}> |^[ !*] {2,}(?=\S)|^ {2,}(?=\S)/;

const toLine = (line: string): SpokenLine => {
	const start = rowStart.exec(line)?.[0];
	return start === undefined ? {kind: line.startsWith('Keys: ') ? 'keys' : 'news', text: inWords(line)} : {kind: start.includes('>') ? 'current' : 'listed', text: inWords(line.slice(start.length))};
};

const ageAtEnd = /, (?:(?:just )?now|\d+ (?:min|(?:hour|day|week|month|year)s?)(?: ago)?)$/;

/** A line but for how long ago something was, which changes by itself and is no reason to say the line again; its comma stays. */
export const withoutAge = (text: string): string => text.replace(ageAtEnd, ',');

/** Whose row it is, whatever its state is now and whether it is marked. */
export const recordNameIn = (text: string): string => text.replace(/^(?:on|off|chosen|not chosen) /, '').split(', ', 1)[0]!;

/** The lines of a frame that say something. One is the current one at most, and only then are others the rest of its list. */
export const parseSpokenLines = (frame: string): readonly SpokenLine[] => {
	const lines = frame.replaceAll(/\u{1B}\[[\d;]*m/gu, '').split('\n').map(line => toLine(line)).filter(({text}) => text !== '');
	const current = lines.findLastIndex(({kind}) => kind === 'current');
	return lines.map((line, index) => line.kind === 'current' || line.kind === 'listed'
		? {...line, kind: current === -1 ? 'news' : (index === current ? 'current' : 'listed')}
		: line);
};
