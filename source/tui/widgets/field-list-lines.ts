import stringWidth from 'string-width';
import {type Tone} from '../theme.ts';
import {wrapText} from './wrap.ts';

/** A labelled value, or a heading above more of them. */
export type ListedField =
	| {readonly label: string; readonly text: string; readonly tone?: Tone | undefined}
	| {readonly heading: string};

/** One line on the screen: a label or its continuation, and a part of its value. */
export type FieldLine = {readonly label: string; readonly text: string; readonly tone: Tone; readonly isHeading: boolean};

const largestLabel = 24;

/** Columns for the labels: what the longest of them needs, and no more than two fifths of the width. */
export const labelColumnsOf = (fields: readonly ListedField[], width: number): number => {
	const widths = fields.map(field => 'label' in field ? stringWidth(field.label) : 0);
	return Math.min(Math.max(0, ...widths), largestLabel, Math.floor(width * 0.4)) + 2;
};

/** Lines longer than this are hard to read, however wide the terminal is. */
const largestText = 100;

const linesOfText = (text: string, width: number): readonly string[] => {
	const lines = text.split('\n').flatMap(line => line.trim() === '' ? [''] : wrapText(line, width));
	return lines.length === 0 ? [''] : lines;
};

/** The fields as lines of at most `width` columns; long values go on below themselves. */
export const fieldLines = (fields: readonly ListedField[], width: number): readonly FieldLine[] => {
	const room = Math.max(1, Math.min(largestText, width - labelColumnsOf(fields, width)));
	return fields.flatMap((field): readonly FieldLine[] => {
		if ('heading' in field) {
			const empty = {
				label: '', text: '', tone: 'plain', isHeading: false,
			} as const;
			return [empty, {...empty, text: field.heading, isHeading: true}];
		}

		const {label, text, tone = 'plain'} = field;
		return linesOfText(text, room).map((line, index) => ({
			label: index === 0 ? label : '', text: line, tone, isHeading: false,
		}));
	});
};
