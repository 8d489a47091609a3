import {type View} from './view.ts';

type Marking = Pick<View, 'marks' | 'range'>;

/** The ids between two of them, both included, in the order of the list; none where one is not in it. */
const between = (ids: readonly number[], first: number, second: number): readonly number[] => {
	const rows = [ids.indexOf(first), ids.indexOf(second)].toSorted((one, other) => one - other) as [number, number];
	return rows[0] === -1 ? [] : ids.slice(rows[0], rows[1] + 1);
};

/** Marks a record, or takes its mark away. */
export const withMarkToggled = ({marks}: Marking, id: number): Marking => {
	const next = new Set(marks);
	if (!next.delete(id)) {
		next.add(id);
	}

	return {marks: next, range: undefined};
};

/** Begins a range at a record; where one is under way, ends it and keeps its marks. */
export const withRangeToggled = ({marks, range}: Marking, id: number): Marking => range === undefined
	? {marks: new Set(marks).add(id), range: {anchorId: id, marksBefore: marks}}
	: {marks, range: undefined};

/** The marks after the cursor went to a record while a range is marked. */
export const withRangeTo = (marking: Marking, ids: readonly number[], cursorId: number | undefined): Marking => {
	const {marks, range} = marking;
	return range === undefined || cursorId === undefined
		? {marks, range}
		: {marks: new Set([...range.marksBefore, ...between(ids, range.anchorId, cursorId)]), range};
};

/** Marks all that is shown; where all of it is marked already, takes those marks away. */
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
