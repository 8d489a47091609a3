import assert from 'node:assert/strict';
import type {RenderedApp} from '../../helpers/render-app.tsx';

export type ExpectedScreen = {
	/** With two spaces wherever there are more, and `00:00` for any time of day. */
	readonly header: string;
	readonly tabs: string;
	/** The names of the columns; those of abilities at 64 columns unless given, none above what is no row. */
	readonly head?: string;
	/** The lines of the list, or of what stands in its place, as they are. */
	readonly rows: readonly string[];
	/** The lines of the message. */
	readonly message?: readonly string[];
	/** The line of the filter, as it is. */
	readonly filter?: string;
};

const squeezed = (line: string): string =>
	line
		.trim()
		.replaceAll(/ {2,}/g, '  ')
		.replace(/as of \d\d:\d\d/, 'as of 00:00');

/**
A whole frame, but for the line of the hints, which grows with the keys that there are: the header and the tabs with no
more than two spaces in a row, then the other lines as they are, several empty ones as one.
*/
export function shown(lines: readonly string[], {hasHints = true} = {}): readonly string[] {
	const [header = '', tabs = '', ...below] = hasHints ? lines.slice(0, -1) : lines;
	const whole = [squeezed(header), squeezed(tabs), ...below];
	const compact = whole.filter((line, index) => line !== '' || whole[index - 1] !== '');
	return compact.at(-1) === '' ? compact.slice(0, -1) : compact;
}

/** The names of the columns above abilities, installed or not, on a screen of 64 columns. */
export const abilityHead = ' state  name                               category   changed';

const isRow = (line: string): boolean => /^[ !*^][ >] (?:on|off|–|\?)/.test(line);

/** What `shown` gives of a screen of at least 14 rows. */
export function screen({
	header,
	tabs,
	rows,
	head = rows.some(line => isRow(line)) ? abilityHead : '',
	message = [],
	filter,
}: ExpectedScreen): readonly string[] {
	return [
		header,
		tabs,
		head,
		...rows,
		...(message.length === 0 && filter === undefined ? [] : ['', ...message]),
		...(filter === undefined ? [] : [filter]),
	];
}

/** What `shown` gives of a lower screen: every line counts there. */
export function lowScreen({header, tabs, rows, message = []}: ExpectedScreen): readonly string[] {
	return [header, tabs, ...rows, ...message];
}

/** The row of a record whose last change failed: it keeps a mark. */
export function failedRow(row: string): string {
	return `!${row.slice(1)}`;
}

/** Compares a whole frame, but for its hints. */
export function assertScreen(lines: readonly string[], expected: ExpectedScreen, message?: string): void {
	assert.deepEqual(shown(lines), screen(expected), message);
}

/** The line of the record under the cursor. */
export function cursorLine(lines: readonly string[]): string | undefined {
	return lines.find(line => /^[ !*^]> /.test(line));
}

/** The line of the filter, which begins at the first column, cut at its start or not; empty without one. */
export function filterLine(lines: readonly string[]): string {
	return lines.findLast(line => /^[/…]/.test(line)) ?? '';
}

/** The keys that go back one step: Escape dismisses an error first, where one is shown. */
export function escapeKeys({state}: Pick<RenderedApp, 'state'>): readonly ['escape', ...Array<'escape'>] {
	return state().messages.shown?.level === 'error' ? ['escape', 'escape'] : ['escape'];
}

/** True where the text stands in one line. */
export function includes(text: string) {
	return (lines: readonly string[]): boolean => lines.some(line => line.includes(text));
}

/** True where the agents of each row are drawn, or the categories in their place; they may arrive after the rows. */
export function hasAgents(lines: readonly string[]): boolean {
	const column = lines[2]?.indexOf('agents ') ?? -1;
	return column === -1 || lines.every(line => !isRow(line) || (line[column] ?? ' ') !== ' ');
}

/** True where the list is up to date, with the agents of its rows: the service tells of changes, or is polled. */
export function isFresh(lines: readonly string[]): boolean {
	return /\b(?:live\b|reads ever)/.test(lines[0] ?? '') && hasAgents(lines);
}

/** What stands in the box of a question, line by line; nothing where there is none. */
export function boxOf(lines: readonly string[]): readonly string[] {
	const top = lines.findIndex(line => /[┌╔][─═]+[┐╗]/.test(line));
	const bottom = lines.findLastIndex(line => /[└╚][─═]+[┘╝]/.test(line));
	const start = top === -1 ? 0 : lines[top]!.search(/[┌╔]/);
	const end = top === -1 ? 0 : lines[top]!.search(/[┐╗]/);
	return lines.slice(top + 1, Math.max(0, bottom)).map(line => line.slice(start + 2, end - 1).trimEnd());
}

/** True where no question is in a box. */
export function isAnswered(lines: readonly string[]): boolean {
	return boxOf(lines).length === 0;
}

/** True where the sentence is said, on one line or over several, or asked in a box. */
export function says(sentence: string) {
	return (lines: readonly string[]): boolean =>
		[lines.map(line => line.trim()), boxOf(lines)].some(said => said.join(' ').includes(sentence));
}
