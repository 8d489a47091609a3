import {createHash} from 'node:crypto';
import {stateWord} from '../interface/installed-lookup.ts';
import {withCursor} from '../terminal/cursor-mark.ts';

/** How serious a text is: `warning` if something needs care, `error` if something failed. */
export type Severity = 'info' | 'warning' | 'error';

/** Marks a problem without colour. */
export const problemMark = '!';

export const severityTone = {info: 'plain', warning: 'warning', error: 'error'} as const satisfies Readonly<Record<Severity, string>>;

export function withMark(severity: Severity, text: string): string {
	return severity === 'info' ? text : `${problemMark} ${text}`;
}

/** The mark of a profile, recognized at a glance: a colour, and a sign that works without colour. */
export type ProfileMark = {readonly sign: string; readonly color: string};

/**
The colours among the sixteen that are legible on black and on white in the palettes of common terminals and have no other meaning here,
unlike cyan, yellow and the reds. Bright black is not legible, as it is the background of Solarized.
*/
export const profileColors: readonly string[] = ['magenta', 'blueBright', 'green', 'magentaBright'];

/** Every terminal has these, and they have no other meaning on the screens. */
export const profileSigns: readonly string[] = ['{', '@', '%', '&', ';', '}', '$', '\\'];

/**
Returns a mark for each profile, chosen by its name. If two names choose the same mark, the profile that was stored later takes the next
one, so that a profile keeps its mark when others are added.
*/
export function profileMarks(names: readonly string[]): ReadonlyMap<string, ProfileMark> {
	const marks = new Map<string, ProfileMark>();
	for (const name of names) {
		const [first = 0, second = 0] = createHash('sha256').update(name).digest();
		const others = [...marks.values()];
		marks.set(name, {
			color: choose(profileColors, first, new Set(others.map(({color}) => color))),
			sign: choose(profileSigns, second, new Set(others.map(({sign}) => sign))),
		});
	}

	return marks;
}

/** Returns the choice at this number, or the next free one; the first one once all are taken. */
function choose<Choice>(choices: readonly Choice[], start: number, taken: ReadonlySet<Choice>): Choice {
	const inTurn = choices.map((_, index) => choices[(start + index) % choices.length]!);
	return inTurn.find(choice => !taken.has(choice)) ?? inTurn[0]!;
}

/** The signs of the rows and of the lines above them. Each has one meaning, in ASCII too. */
export const signs = {
	cursor: '>',
	marked: '*',
	pending: '~',
	problem: problemMark,
	changed: '^',
	none: '–',
	hidden: stateWord(undefined),
	isOn: '●',
	isOff: '○',
	chosen: '[x]',
	notChosen: '[ ]',
	id: '#',
	cut: '…',
	rising: '↑',
	falling: '↓',
	screen: '[1 Agents]',
	filter: '/',
	typing: '_',
	sentence: '"',
	starts: '+',
	collides: '=',
	hasPhrase: '|',
	readOnly: '[read-only]',
	insecure: '[insecure http]',
} as const satisfies Readonly<Record<string, string>>;

/** The end of a line that is being typed, with the terminal's cursor. */
export const typingEnd = withCursor('field', signs.typing);

/** Every sign with its meaning, for the help. In ASCII some signs are replaced with words. */
export const signRows: ReadonlyArray<{readonly sign: string; readonly description: string; readonly isWordsInAscii?: true}> = [
	{sign: signs.cursor, description: 'the cursor is on this row'},
	{sign: signs.marked, description: 'the row is marked; after a number: how many rows are marked'},
	{sign: signs.pending, description: 'the service has not confirmed the change yet'},
	{sign: signs.problem, description: 'the last change failed; before words, a problem'},
	{sign: signs.changed, description: 'it was changed elsewhere'},
	{sign: 'changed', description: 'the age of the newest change, of the ability or its installed record'},
	{sign: signs.none, description: 'the ability is not installed; in other columns, none'},
	{sign: signs.hidden, description: 'the service does not show it'},
	{sign: `${signs.isOn} ${signs.isOff}`, description: 'an ability of the agent is on, or is off', isWordsInAscii: true},
	{sign: `${signs.chosen} ${signs.notChosen}`, description: 'the ability is chosen for the agent, or is not'},
	{sign: signs.id, description: 'the id of an agent follows'},
	{sign: signs.cut, description: 'there is no room for the rest'},
	{sign: `${signs.rising} ${signs.falling}`, description: 'the list is sorted by this column, rising or falling'},
	{sign: signs.screen, description: 'the screen that is shown; underlined where there are colours'},
	{sign: `${signs.filter} ${signs.typing}`, description: 'the filter follows; the end of a line that is being typed'},
	{sign: signs.sentence, description: 'a sentence follows, and the ability that it would start'},
	{
		sign: `${signs.starts} ${signs.collides} ${signs.hasPhrase}`,
		description: 'the sentence starts it, fits several, or fits but it is off',
	},
	{sign: signs.readOnly, description: 'keys that change something are refused'},
	{sign: signs.insecure, description: 'the connection is not encrypted'},
	{sign: profileSigns.join(' '), description: "a profile's own mark, before its name"},
];
