import {fold, toDisplayText} from '../state/match.ts';

/** A part of a line that was searched for, in UTF-16 units. */
export type FoundRange = {readonly start: number; readonly end: number};

/** One match: its part of a line, or of several where the text was broken within it. */
export type FoundMatch = ReadonlyArray<FoundRange & {readonly line: number}>;

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/**
Where a text stands in these lines, whatever its case and accents. A space in it fits the end of a line and what the next
one begins with: lines are mostly broken where there was one.
*/
export const findText = (lines: readonly string[], wanted: string): readonly FoundMatch[] => {
	const words = fold(wanted).trim().split(/\s+/).filter(word => word !== '');
	if (words.length === 0) {
		return [];
	}

	const whole = lines.join('\n');
	const {text: {folded}, offsets} = toDisplayText(whole);
	const places = [...offsets, whole.length];
	const pattern = new RegExp(words.map(word => escaped(word)).join(String.raw`\s+`), 'g');
	const starts: number[] = [];
	let lineStart = 0;
	for (const line of lines) {
		starts.push(lineStart);
		lineStart += line.length + 1;
	}

	let line = 0;
	return [...folded.matchAll(pattern)].map(({index, 0: text}) => {
		const start = places[index]!;
		const end = places[index + text.length]!;
		while (line + 1 < starts.length && starts[line + 1]! <= start) {
			line++;
		}

		const parts = [];
		for (let part = line; part < lines.length && starts[part]! < end; part++) {
			const from = Math.max(start, starts[part]!) - starts[part]!;
			// What a line only begins with is no part of what was found.
			const indentation = part === line ? from : lines[part]!.length - lines[part]!.trimStart().length;
			parts.push({line: part, start: indentation, end: Math.min(end - starts[part]!, lines[part]!.length)});
		}

		return parts;
	});
};
