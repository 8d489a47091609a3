/** Two texts, line by line: what both begin and end with, and what each has between. */
type Difference = {
	readonly before: readonly string[];
	readonly theirs: readonly string[];
	readonly mine: readonly string[];
	readonly after: readonly string[];
};

const startMarker = '<<<<<<< your text';
const middleMarker = '=======';
const endMarker = '>>>>>>> on the service';

const commonLength = (first: readonly string[], second: readonly string[]): number => {
	const index = first.findIndex((line, number) => line !== second[number]);
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

/** One text that holds both, with markers around what differs, as version control writes it. */
export const withConflictMarkers = (theirText: string, myText: string): string => {
	const {before, theirs, mine, after} = differenceOf(theirText, myText);
	return [...before, startMarker, ...mine, middleMarker, ...theirs, endMarker, ...after].join('\n');
};

/** True while markers are left: the conflict is not resolved. */
export const hasConflictMarkers = (text: string): boolean => {
	const lines = new Set(text.split('\n').map(line => line.trimEnd()));
	return lines.has(startMarker) || lines.has(endMarker);
};
