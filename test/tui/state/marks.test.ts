import {assert, test} from '../../helpers/node.ts';
import {noMarks, withAllToggled, withMarkToggled, withRangeTo, withRangeToggled} from '../../../source/tui/state/view.ts';

const ids = [10, 20, 30, 40, 50];

const marked = ({marks}: {readonly marks: ReadonlySet<number>}): readonly number[] =>
	[...marks].toSorted((first, second) => first - second);

test('a row is marked and unmarked', () => {
	const once = withMarkToggled(noMarks, 20);
	assert.deepEqual(marked(once), [20]);
	assert.deepEqual(marked(withMarkToggled(withMarkToggled(once, 30), 20)), [30]);
	assert.deepEqual(marked(noMarks), [], 'nothing is changed in place');
});

test('a range spans from its start to the cursor, in both directions', () => {
	const begun = withRangeToggled(noMarks, 30);
	assert.deepEqual(marked(begun), [30]);
	const down = withRangeTo(begun, ids, 50);
	assert.deepEqual(marked(down), [30, 40, 50]);
	assert.deepEqual(marked(withRangeTo(down, ids, 40)), [30, 40], 'going back takes marks away again');
	assert.deepEqual(marked(withRangeTo(down, ids, 10)), [10, 20, 30]);
});

test('a range keeps earlier marks', () => {
	const begun = withRangeToggled(withMarkToggled(noMarks, 50), 10);
	const wide = withRangeTo(begun, ids, 30);
	assert.deepEqual(marked(wide), [10, 20, 30, 50]);
	assert.deepEqual(marked(withRangeTo(wide, ids, 10)), [10, 50]);
});

test('a range whose start is gone marks nothing new', () => {
	const begun = withRangeToggled(noMarks, 30);
	assert.deepEqual(marked(withRangeTo(begun, [10, 20, 40], 40)), []);
	assert.deepEqual(marked(withRangeTo(begun, ids, undefined)), [30]);
});

test('all rows shown are marked, and unmarked again', () => {
	const hidden = withMarkToggled(noMarks, 99);
	const all = withAllToggled(withMarkToggled(hidden, 20), ids);
	assert.deepEqual(marked(all), [...ids, 99]);
	assert.deepEqual(marked(withAllToggled(all, ids)), [99], 'what the filter hides keeps its mark');
	assert.deepEqual(marked(withAllToggled(hidden, [])), [99]);
});
