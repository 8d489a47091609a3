import {fold, toDisplayText} from '../state/match.ts';

/** A part of a line that matches a search, in UTF-16 units. */
export type FoundRange = {readonly start: number; readonly end: number};

/** A match: a part of one line or, if the text was broken within it, of several. */
type FoundMatch = ReadonlyArray<FoundRange & {readonly line: number}>;

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/**
Finds a text in these lines, ignoring case and accents. A space in it also matches the end of a line and the indentation of
the next one: lines are mostly broken at a space.
*/
export const findText = (lines: readonly string[], wanted: string): readonly FoundMatch[] => {
	const words = fold(wanted).trim().split(/\s+/).filter(word => word !== '');
	if (words.length === 0) {
		return [];
	}

	const whole = lines.join('\n');
	const {text: {folded}, offsets} = toDisplayText(whole);
	const ends = [...offsets, whole.length];
	const pattern = new RegExp(words.map(word => escaped(word)).join(String.raw`\s+`), 'g');
	const starts: number[] = [];
	let lineStart = 0;
	for (const line of lines) {
		starts.push(lineStart);
		lineStart += line.length + 1;
	}

	let line = 0;
	return [...folded.matchAll(pattern)].map(({index, 0: text}) => {
		const start = ends[index]!;
		const end = ends[index + text.length]!;
		while (line + 1 < starts.length && starts[line + 1]! <= start) {
			line++;
		}

		const parts = [];
		for (let part = line; part < lines.length && starts[part]! < end; part++) {
			const from = Math.max(start, starts[part]!) - starts[part]!;
			// The indentation of a line is no part of the match.
			const indentation = part === line ? from : lines[part]!.length - lines[part]!.trimStart().length;
			parts.push({line: part, start: indentation, end: Math.min(end - starts[part]!, lines[part]!.length)});
		}

		return parts;
	});
};
