import {withMark} from '../../state/severity.ts';
import {wrapText} from '../../widgets/wrap.ts';
import {type FieldNote} from './validate-upload.ts';

/** A field of a form with its note. */
export type FormRow<Field> = {
	readonly field: Field;
	/** The note's lines; the field itself takes one more. */
	readonly below: readonly string[];
	readonly isProblem: boolean;
};

type NotedField<Field> = {readonly field: Field; readonly note: FieldNote | undefined};

const linesOf = (note: FieldNote | undefined, width: number): readonly string[] =>
	note === undefined ? [] : wrapText(withMark(note.isProblem ? 'error' : 'info', note.text), width);

const heightOf = (rows: ReadonlyArray<FormRow<unknown>>): number => rows.reduce((sum, {below}) => sum + 1 + below.length, 0);

/**
The fields of a form that fit on the screen: all with their notes if there is room, else the focused field with its
note and as many others around it as fit.

@param width - columns for a note.
*/
export const visibleRows = <Field>(fields: ReadonlyArray<NotedField<Field>>, focus: Field, width: number, height: number): ReadonlyArray<FormRow<Field>> => {
	const whole = fields.map(({field, note}) => ({field, below: linesOf(note, width), isProblem: note?.isProblem ?? false}));
	if (heightOf(whole) <= height) {
		return whole;
	}

	const rows = whole.map(row => row.field === focus ? {...row, below: row.below.slice(0, Math.max(0, height - 1))} : {...row, below: []});
	const focused = rows.findIndex(({field}) => field === focus);
	let start = 0;
	while (start < focused && heightOf(rows.slice(start, focused + 1)) > height) {
		start++;
	}

	let end = rows.length;
	while (end > focused + 1 && heightOf(rows.slice(start, end)) > height) {
		end--;
	}

	return rows.slice(start, end);
};
