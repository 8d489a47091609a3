import {createHash} from 'node:crypto';

/** By what a profile is known at a glance: a colour, and a sign that says the same without colour. */
export type ProfileMark = {readonly sign: string; readonly color: string};

/**
Those of the sixteen colours that can be read on black and on white in the palettes of the common terminals, without
those that mean something here: cyan, yellow and plain red. Bright black is none of them: Solarized has it for its background.
*/
export const profileColors: readonly string[] = ['magenta', 'blueBright', 'green', 'redBright', 'magentaBright'];

/** Any keyboard and any terminal has them, and no row begins with one. */
export const profileSigns: readonly string[] = ['#', '@', '%', '&', '=', '+', '$', '^'];

/** The choice that a number points at, or the next one that is not taken, as long as there is one. */
const choose = <Choice>(choices: readonly Choice[], start: number, taken: ReadonlySet<Choice>): Choice => {
	const inTurn = choices.map((_, index) => choices[(start + index) % choices.length]!);
	return inTurn.find(choice => !taken.has(choice)) ?? inTurn[0]!;
};

/**
A mark for each profile, in the order in which they were stored: the name decides, and where two names point at the same
one the later profile takes the next. So a profile keeps its mark when others come.
*/
export const profileMarks = (names: readonly string[]): ReadonlyMap<string, ProfileMark> => {
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
};
