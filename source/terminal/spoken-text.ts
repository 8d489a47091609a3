import {cleanText} from '../interface/clean-text.ts';

/*
How a screen reader gets a frame. Widgets use words and commas instead of columns, and begin each line with its kind: `> ` for the line
under the cursor, two spaces for the rest of a list, `Keys: ` for keys.
*/

/** Joins the parts of a line with commas; empty parts are dropped. */
export function spokenText(...parts: readonly string[]): string {
	return parts
		.map(part => part.trim())
		.filter(part => part !== '')
		.join(', ');
}

/** Returns a row of a list, or a field of a form. */
export function spokenRow(isCurrent: boolean, text: string): string {
	return `${isCurrent ? '>' : ' '} ${text}`;
}

export function spokenKeys(...parts: readonly string[]): string {
	return `Keys: ${spokenText(...parts)}`;
}

const rowStart = /^[ !*]{0,2}> |^[ !*] {2,}(?=\S)|^ {2,}(?=\S)/;

const ageAtEnd = /, (?:(?:just )?now|\d+ (?:min|(?:hour|day|week|month|year)s?)(?: ago)?)$/;

/** Returns a line without its age, which changes with time and is not a reason to read the line again; the comma before it is kept. */
export function withoutAge(text: string): string {
	return text.replace(ageAtEnd, ',');
}

/** Returns the name of a row's record, without its state and mark. */
export function recordNameIn(text: string): string {
	return text.replace(/^(?:on|off|chosen|not chosen) /, '').split(', ', 1)[0]!;
}

type SpokenLine = {
	/** `current`: under the cursor. `listed`: the rest of its list. `keys`: keys to press. `news`: anything else. */
	readonly kind: 'current' | 'listed' | 'keys' | 'news';
	readonly text: string;
};

/** Returns the lines of a frame that are not empty. At most one is `current`; without a current line, none is `listed`. */
export function parseSpokenLines(frame: string): readonly SpokenLine[] {
	const lines = frame
		.replaceAll(/\u{1B}\[[\d;]*m/gu, '')
		.split('\n')
		.map(line => toLine(line))
		.filter(({text}) => text !== '');
	const current = lines.findLastIndex(({kind}) => kind === 'current');
	return lines.map((line, index) =>
		line.kind === 'current' || line.kind === 'listed'
			? {...line, kind: current === -1 ? 'news' : index === current ? 'current' : 'listed'}
			: line,
	);
}

function toLine(line: string): SpokenLine {
	const start = rowStart.exec(line)?.[0];
	return start === undefined
		? {kind: line.startsWith('Keys: ') ? 'keys' : 'news', text: withCommas(line)}
		: {kind: start.includes('>') ? 'current' : 'listed', text: withCommas(line.slice(start.length))};
}

/** Replaces the gaps between columns (two or more spaces) with commas. */
const withCommas = (text: string): string => cleanText(text.trim().replaceAll(/ {2,}/g, ', '), 4000);
