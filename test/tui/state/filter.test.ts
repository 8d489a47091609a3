import {assert, test} from '../../helpers/node.ts';
import {createFilterCompletion} from '../../../source/tui/screens/filter-line.ts';
import {actOnLine} from '../../../source/tui/keys/typed-line.ts';
import {createKeyReader} from '../../../source/terminal/keyboard-input.ts';
import {keyBytes} from '../../helpers/key-bytes.ts';
import {maximumLineLength} from '../../../source/tui/state/text-editing.ts';
import {agentFilter, parseFilter} from '../../../source/interface/filter.ts';
import {createRowFilter} from '../../../source/tui/state/rows.ts';

/** A line after these chunks from the keyboard. */
function typed(...chunks: readonly string[]) {
	let line = {filter: '', isFilterOpen: true};
	const reader = createKeyReader({
		key(key) {
			actOnLine(
				{
					read: () => line.filter,
					type(filter) {
						line = {...line, filter};
					},
					keep() {
						line = {...line, isFilterOpen: false};
					},
					leave() {
						line = {filter: '', isFilterOpen: false};
					},
					move: () => undefined,
				},
				key,
			);
		},
		paste(text) {
			assert.fail(`“${text}” was no paste`);
		},
	});
	for (const chunk of chunks) {
		reader.write(chunk);
	}

	reader.close();
	return line;
}

const open = (filter: string) => ({filter, isFilterOpen: true});

test('every printable key is text, even those with an action elsewhere', () => {
	assert.deepEqual(typed('qr1 /?P'), open('qr1 /?P'));
	assert.deepEqual(typed('夜é👍🏽.'), open('夜é👍🏽.'));
});

test('Backspace deletes the last character as a person sees it', () => {
	assert.deepEqual(typed('pan\u{7F}'), open('pa'));
	assert.deepEqual(typed('a👍🏽\u{7F}'), open('a'));
	assert.deepEqual(typed('e\u{301}\u{7F}'), open(''));
});

test('Backspace in an empty line closes it', () => assert.deepEqual(typed('p\u{7F}\u{7F}'), {filter: '', isFilterOpen: false}));

test('Ctrl+W deletes the last word, Ctrl+U the whole line', () => {
	assert.deepEqual(typed('good morning\u{17}'), open('good '));
	assert.deepEqual(typed('good morning  \u{17}'), open('good '));
	assert.deepEqual(typed('good\u{17}'), open(''));
	assert.deepEqual(typed('good morning\u{15}'), open(''));
});

test('keys that type nothing change nothing', () =>
	assert.deepEqual(typed(keyBytes('p', 'down', 'pageup', 'f5', 'ctrl+c', 'ctrl+d', 'alt+x', 'delete')), open('p')));

const agents = ['Hearth', 'Hearth two', 'Front Porch', 'Frost', 'the "old" one', 'Café'];

/** The line after each Tab; after Shift+Tab where `by` is -1. Stops where nothing fits. */
function completed(line: string, count: number, by: 1 | -1 = 1): readonly string[] {
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
}

for (const [what, line, expected] of [
	['the name of a term', 'categ', ['category:', 'category:skill', 'category:brain']],
	['each term in turn', '', ['is:', 'category:', 'agent:', 'changed:', 'is:']],
	['a term after other terms', 'lamp is:on ag', ['lamp is:on agent:']],
	['the age of a change', 'changed:<', ['changed:<1h', 'changed:<1d', 'changed:<7d', 'changed:<1h']],
	['a negated term', '!CAT', ['!category:', '!category:skill']],
	['a negated value', 'lamp !is:m', ['lamp !is:marked', 'lamp !is:marked']],
	['a state', 'is:', ['is:on', 'is:off', 'is:marked', 'is:timed', 'is:failed', 'is:changed', 'is:on']],
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
	test(`Tab completes ${what}`, () => assert.deepEqual(completed(line, expected.length), expected));
}

test('Shift+Tab goes through the candidates backwards', () => {
	assert.deepEqual(completed('is:', 3, -1), ['is:changed', 'is:failed', 'is:timed']);
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

const owners = ['Hearth', 'Hearth two', 'Porch', 'the "old" one', 'Café'];

/** The agents whose abilities a filter leaves. */
function left(filter: string): readonly string[] {
	const records = owners.map((agent, id) => ({id, name: `ability of ${id}`, agents: [agent]}));
	return createRowFilter()(records, {filter, sort: {column: 'none', isReversed: false}, toRowData: record => record}).ids.map(
		id => owners[id]!,
	);
}

test('the filter for one agent matches that agent only', () => {
	for (const agent of owners) {
		assert.deepEqual(left(agentFilter([agent], owners)), [agent], agentFilter([agent], owners));
	}
});

test('a comma between agents means or', () => {
	assert.deepEqual(left('agent:porch,café'), ['Porch', 'Café']);
	assert.deepEqual(left('agent:porch,'), ['Porch']);
	assert.deepEqual(left('!agent:porch,"Hearth"'), ['Hearth two', 'the "old" one', 'Café']);
	const several = agentFilter(['Hearth', 'Hearth two', 'Porch'], owners);
	assert.equal(several, 'agent:Hearth,"Hearth two",Porch');
	assert.deepEqual(left(several), ['Hearth', 'Hearth two', 'Porch']);
	assert.equal(agentFilter(['a, b'], ['a, b']), 'agent:"a, b"');
});

test('a name is quoted only where needed', () => {
	assert.equal(agentFilter(['Porch'], owners), 'agent:Porch');
	assert.equal(agentFilter(['Hearth'], owners), 'agent:"Hearth"');
	assert.equal(agentFilter(['Hearth two'], owners), 'agent:"Hearth two"');
	assert.equal(agentFilter(['the "old" one'], owners), 'agent:"the ""old"" one"');
});

test('without quotes, or before they are closed, part of the name matches', () => {
	assert.deepEqual(left('agent:hearth'), ['Hearth', 'Hearth two']);
	assert.deepEqual(left('agent:"hearth t'), ['Hearth two']);
	assert.deepEqual(left('agent:cafe'), ['Café']);
	assert.deepEqual(left('agent:"'), owners);
	assert.deepEqual(left('!agent:"hearth two" agent:hearth'), ['Hearth']);
});

test('quotes elsewhere are text', () => {
	assert.deepEqual(left('"ability'), []);
	assert.ok(parseFilter('agent:"Hearth two" is:on').dependsOnAgents);
});
