import {withMark} from '../../state/severity.ts';
import {wrapText} from '../../widgets/wrap.ts';
import {type FieldNote} from './validate-upload.ts';

/** A field of a form with what stands below it. */
export type FormRow<Field> = {
	readonly field: Field;
	/** Lines below the field, which itself takes one. */
	readonly below: readonly string[];
	readonly isProblem: boolean;
};

type Asked<Field> = {readonly field: Field; readonly note: FieldNote | undefined};

const linesOf = (note: FieldNote | undefined, width: number): readonly string[] =>
	note === undefined ? [] : wrapText(withMark(note.isProblem ? 'error' : 'info', note.text), width);

const heightOf = (rows: ReadonlyArray<FormRow<unknown>>): number => rows.reduce((sum, {below}) => sum + 1 + below.length, 0);

/**
The fields of a form that are on the screen: all with all that is to be said about them where there is room for that, else
what is said about the field that has the focus, and of the others as many as fit around it.

@param width - columns for what stands below a field.
*/
export const visibleRows = <Field>(asked: ReadonlyArray<Asked<Field>>, focus: Field, width: number, height: number): ReadonlyArray<FormRow<Field>> => {
	const whole = asked.map(({field, note}) => ({field, below: linesOf(note, width), isProblem: note?.isProblem ?? false}));
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
