import {assert, test} from '../../helpers/node.ts';
import {createFilterCompletion} from '../../../source/tui/screens/filter-line.ts';
import {maximumLineLength} from '../../../source/tui/widgets/text-editing.ts';

const agents = ['Hearth', 'Hearth two', 'Front Porch', 'Frost', 'the "old" one', 'Café'];

/** The line after each Tab; after Shift+Tab where `by` is -1. Stops where nothing fits. */
const completed = (line: string, count: number, by: 1 | -1 = 1): readonly string[] => {
	const complete = createFilterCompletion();
	const lines: string[] = [];
	for (let press = 0; press < count; press++) {
		const next = complete(lines.at(-1) ?? line, by, agents);
		if (next === undefined) {
			break;
		}

		lines.push(next);
	}

	return lines;
};

for (const [what, line, expected] of [
	['the name of a term', 'categ', ['category:', 'category:skill', 'category:brain']],
	['each term in turn', '', ['is:', 'category:', 'agent:', 'is:']],
	['a term after other terms', 'lamp is:on ag', ['lamp is:on agent:']],
	['a negated term', '!CAT', ['!category:', '!category:skill']],
	['a negated value', 'lamp !is:m', ['lamp !is:marked', 'lamp !is:marked']],
	['a state', 'is:', ['is:on', 'is:off', 'is:marked', 'is:failed', 'is:changed', 'is:on']],
	['a state that others begin like', 'is:o', ['is:on', 'is:off', 'is:on']],
	['a category', 'Category:D', ['category:daemon']],
	["a category by the interface's word", 'category:back', ['category:background_daemon']],
	['an agent without spaces', 'agent:fros', ['agent:Frost']],
	['an agent with spaces, in quotes', 'agent:front', ['agent:"Front Porch"']],
	['what agents have in common first', 'agent:f', ['agent:Fro', 'agent:"Front Porch"', 'agent:Frost', 'agent:"Front Porch"']],
	['what is in quotes', 'is:on agent:"Front P', ['is:on agent:"Front Porch"', 'is:on agent:"Front Porch"']],
	['an agent with quotes in its name', 'agent:"the ""o', ['agent:"the ""old"" one"']],
	['an agent whose name another one begins with', 'agent:hea', ['agent:Hearth', 'agent:"Hearth"', 'agent:"Hearth two"']],
	['an agent by its letters without accents', 'agent:cafe', ['agent:Café']],
] as const) {
	test(`Tab completes ${what}`, () => {
		assert.deepEqual(completed(line, expected.length), expected);
	});
}

test('Shift+Tab goes through the candidates backwards', () => {
	assert.deepEqual(completed('is:', 3, -1), ['is:changed', 'is:failed', 'is:marked']);
	assert.deepEqual(completed('agent:f', 3, -1), ['agent:Fro', 'agent:Frost', 'agent:"Front Porch"']);
});

test('Tab does nothing where nothing fits', () => {
	for (const line of ['lamp', 'is:lit', 'category:x', 'agent:nobody', '!word', 'is:on,']) {
		assert.deepEqual(completed(line, 1), [], line);
	}
});

test('a line typed further is completed anew', () => {
	const complete = createFilterCompletion();
	assert.equal(complete('is:', 1, agents), 'is:on');
	assert.equal(complete('is:on cat', 1, agents), 'is:on category:');
	assert.equal(complete('is:on category:', 1, agents), 'is:on category:skill');
});

test('a value that has no room in the line is not offered', () => {
	const start = 'x'.repeat(maximumLineLength - 'x agent:'.length);
	assert.deepEqual(completed(`${start} agent:h`, 1), []);
});
