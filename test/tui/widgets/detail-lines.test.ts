import {assert, test} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {detailLines, labelColumnsOf, type DetailField} from '../../../source/tui/widgets/scroll-text.tsx';

const shown = (fields: readonly DetailField[], width: number): readonly string[] => {
	const columns = labelColumnsOf(fields, width);
	return detailLines(fields, width).map(({label, text, tone}) =>
		tone === 'title' ? `[${text}]` : `${(label ?? '').padEnd(columns)}${text}`.trimEnd(),
	);
};

test('long values continue below themselves, and line breaks stay', () => {
	assert.deepEqual(
		shown(
			[
				{label: 'Name', text: 'lamps'},
				{label: 'About', text: 'lights up the whole house\n\nand the porch'},
				{heading: 'Other fields'},
				{label: 'is_new', text: 'true'},
			],
			24,
		),
		['Name    lamps', 'About   lights up the', '        whole house', '', '        and the porch', '', '[Other fields]', 'is_new  true'],
	);
});

test('a long label takes no more than two fifths of a narrow screen', () => {
	assert.equal(labelColumnsOf([{label: 'a_label_that_is_much_too_long', text: ''}], 40), 18);
	assert.equal(labelColumnsOf([{label: 'a_label_that_is_much_too_long', text: ''}], 200), 26);
});

test('values of any script fit their column', () => {
	const fields = [
		{label: 'name', text: '音楽を流す'.repeat(20)},
		{label: 'long', text: 'x'.repeat(500)},
	];
	for (const width of [12, 40, 80, 200]) {
		const columns = labelColumnsOf(fields, width);
		assert.ok(detailLines(fields, width).every(({text}) => stringWidth(text) + columns <= Math.max(width, columns + 2)));
	}
});

test('a record of more fields than a call can have arguments is laid out', () => {
	const fields = Array.from({length: 300_000}, (_value, index) => ({label: `f${index}`, text: 'x'}));
	assert.equal(labelColumnsOf(fields, 80), 'f299999'.length + 2);
});
