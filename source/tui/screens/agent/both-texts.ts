/** Two texts, line by line: what both begin and end with, and what each has between. */
export type Difference = {
	readonly before: readonly string[];
	readonly theirs: readonly string[];
	readonly mine: readonly string[];
	readonly after: readonly string[];
};

const startMark = '<<<<<<< your text';
const middleMark = '=======';
const endMark = '>>>>>>> on the service';

const commonLength = (first: readonly string[], second: readonly string[]): number => {
	const index = first.findIndex((line, place) => line !== second[place]);
	return index === -1 ? first.length : index;
};

export const differenceOf = (theirs: string, mine: string): Difference => {
	const theirLines = theirs.split('\n');
	const myLines = mine.split('\n');
	const start = commonLength(theirLines, myLines);
	const theirRest = theirLines.slice(start);
	const myRest = myLines.slice(start);
	const end = commonLength(theirRest.toReversed(), myRest.toReversed());
	return {
		before: theirLines.slice(0, start),
		theirs: theirRest.slice(0, theirRest.length - end),
		mine: myRest.slice(0, myRest.length - end),
		after: theirRest.slice(theirRest.length - end),
	};
};

/** One text that holds both, with marks around what differs, as version control makes it. */
export const joinBoth = (theirTexts: string, myText: string): string => {
	const {before, theirs, mine, after} = differenceOf(theirTexts, myText);
	return [...before, startMark, ...mine, middleMark, ...theirs, endMark, ...after].join('\n');
};

/** True while the marks of `joinBoth` are left: nobody has decided yet. */
export const holdsBoth = (text: string): boolean => {
	const lines = new Set(text.split('\n').map(line => line.trimEnd()));
	return lines.has(startMark) || lines.has(endMark);
};
