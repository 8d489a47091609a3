import {type View} from './view.ts';

type Marking = Pick<View, 'marks' | 'range'>;

/** The ids from one to another, both included, in list order; none if one is missing. */
const between = (ids: readonly number[], first: number, second: number): readonly number[] => {
	const rows = [ids.indexOf(first), ids.indexOf(second)].toSorted((one, other) => one - other) as [number, number];
	return rows[0] === -1 ? [] : ids.slice(rows[0], rows[1] + 1);
};

/** Marks or unmarks a record. */
export const withMarkToggled = ({marks}: Marking, id: number): Marking => {
	const next = new Set(marks);
	if (!next.delete(id)) {
		next.add(id);
	}

	return {marks: next, range: undefined};
};

/** Starts a range at a record; ends the current one, if any, and keeps its marks. */
export const withRangeToggled = ({marks, range}: Marking, id: number): Marking => range === undefined
	? {marks: new Set(marks).add(id), range: {anchorId: id, marksBefore: marks}}
	: {marks, range: undefined};

/** The marks after the cursor moved to a record while marking a range. */
export const withRangeTo = (marking: Marking, ids: readonly number[], cursorId: number | undefined): Marking => {
	const {marks, range} = marking;
	return range === undefined || cursorId === undefined
		? {marks, range}
		: {marks: new Set([...range.marksBefore, ...between(ids, range.anchorId, cursorId)]), range};
};

/** Marks all rows shown; unmarks them if all are marked already. */
export const withAllToggled = ({marks}: Marking, ids: readonly number[]): Marking => {
	const next = new Set(marks);
	const areAllMarked = ids.length > 0 && ids.every(id => marks.has(id));
	for (const id of ids) {
		if (areAllMarked) {
			next.delete(id);
		} else {
			next.add(id);
		}
	}

	return {marks: next, range: undefined};
};

export const noMarks: Marking = {marks: new Set(), range: undefined};
