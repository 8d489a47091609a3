import {createHash} from 'node:crypto';

/** Tells profiles apart at a glance: a colour, and a sign that works without colour. */
export type ProfileMark = {readonly sign: string; readonly color: string};

/**
The colours, of the sixteen, that are legible on black and on white in the palettes of the common terminals and have no
meaning here, as cyan, yellow and plain red have. Bright black is not legible: it is the background of Solarized.
*/
export const profileColors: readonly string[] = ['magenta', 'blueBright', 'green', 'redBright', 'magentaBright'];

/** Every terminal has these, and none means anything else on the screens. */
export const profileSigns: readonly string[] = ['{', '@', '%', '&', ';', '}', '$', '\\'];

/** The choice at this number, or the next one that is not taken; the first one once all are taken. */
const choose = <Choice>(choices: readonly Choice[], start: number, taken: ReadonlySet<Choice>): Choice => {
	const inTurn = choices.map((_, index) => choices[(start + index) % choices.length]!);
	return inTurn.find(choice => !taken.has(choice)) ?? inTurn[0]!;
};

/**
A mark for each profile, chosen by its name. If two names choose the same mark, the profile that was stored later takes the
next one: so a profile keeps its mark when others are added.
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
