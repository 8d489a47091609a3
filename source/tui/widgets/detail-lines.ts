import stringWidth from 'string-width';
import {type Tone} from '../theme.ts';
import {type ScrollLine} from './scroll-text.tsx';
import {wrapText} from './wrap.ts';

/** A labelled value, or a heading above more of them. */
export type DetailField =
	| {readonly label: string; readonly text: string; readonly tone?: Tone | undefined}
	| {readonly heading: string};

const mostLabelColumns = 24;

/** Columns for the labels: what the longest of them needs, and no more than two fifths of the width. */
export const labelColumnsOf = (fields: readonly DetailField[], width: number): number => {
	// A hostile record has more fields than a call can have arguments.
	let longest = 0;
	for (const field of fields) {
		longest = Math.max(longest, 'label' in field ? stringWidth(field.label) : 0);
	}

	return Math.min(longest, mostLabelColumns, Math.floor(width * 0.4)) + 2;
};

/** Lines longer than this are hard to read, however wide the terminal is. */
const mostTextColumns = 100;

/** The fields as lines of at most `width` columns; long values continue below themselves. */
export const detailLines = (fields: readonly DetailField[], width: number): readonly ScrollLine[] => {
	const textColumns = Math.max(1, Math.min(mostTextColumns, width - labelColumnsOf(fields, width)));
	return fields.flatMap((field): readonly ScrollLine[] => {
		if ('heading' in field) {
			return [{text: ''}, {text: field.heading, tone: 'title'}];
		}

		const lines = field.text.split('\n').flatMap(line => line.trim() === '' ? [''] : wrapText(line, textColumns));
		return lines.map((text, index) => ({label: index === 0 ? field.label : '', text, tone: field.tone}));
	});
};
