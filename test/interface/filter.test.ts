import {assert, assertMapped, assertNone, test} from '../helpers/node.ts';
import {parseFilter, searchTextOf, unknownTermsText, type Filterable} from '../../source/interface/filter.ts';

const pantry: Filterable = {
	name: 'Pantry',
	category: 'brain_skill',
	triggerPhrases: ['what is in the cupboard', 'café time'],
	text: 'Keeps a list: Straße ＡＢＣ οδός №',
};

function fits(line: string, record: Filterable = pantry): boolean {
	const {allows, match: fitOf} = parseFilter(line);
	const text = searchTextOf(record);
	return allows(record, () => text) && fitOf(text, true) !== undefined;
}

for (const [title, fitting, others] of [
	['an empty filter matches everything', ['', ' '.repeat(3)], []],
	['a word is found in name, category, trigger phrases and text, in any case', ['pan', 'PANTRY', 'brain', 'cupboard', 'keeps'], ['lamp']],
	['every word must be found, in any order', ['cupboard pan', '  pan   cupboard  '], ['pan lamp']],
	['accents do not matter, however they are written', ['cafe', 'CAFÉ', 'café'.normalize('NFD')], []],
	[
		'case, compatibility forms and letters with two spellings do not matter',
		['strasse', 'STRASSE', 'straße', 'ABC', 'ａｂｃ', 'οδοσ', 'ΟΔΌΣ', '№', 'no'],
		['´', '¨'],
	],
	['a match never spans two fields', [], ['yw']],
	['the filter is text, not a pattern', [], ['p.ntry', '.*', '^']],
	['an exclamation mark excludes a word', ['!lamp', '!is:off'], ['!pan', '!is:on']],
	[
		'records can be filtered by state, mark and category',
		['is:on', 'is:failed', 'category:brain', 'category:brain_skill', 'category:brain pan !lamp', 'category:BRAIN_', '!category:skill'],
		['is:off', 'is:marked', 'is:failed is:changed', 'category:daemon', 'category:skill', 'category:rain', '!category:brain'],
	],
] as const) {
	test(title, () => {
		const record = {...pantry, isEnabled: true, hasFailed: true};
		assertNone(fitting, line => !fits(line, record));
		assertNone(others, line => fits(line, record));
	});
}

test('scripts without case or spaces are found', () => {
	assert.ok(fits('見張', {name: '夜の見張り'}));
	assert.ok(fits('능력', {name: '한국어 능력'}));
	assert.ok(!fits('朝', {name: '夜の見張り'}));
	assert.ok(fits('uber', {name: 'Über'}));
});

test('a record without a state is neither on nor off, and marks and changes are known', () => {
	assertNone(['is:off', 'is:on'], line => fits(line));
	assert.ok(fits('is:marked', {...pantry, isMarked: true}));
	assert.ok(fits('is:changed', {...pantry, isChanged: true}));
	assert.ok(fits('(x)', {name: 'f(x)'}));
});

test('a subsequence of a name matches and is highlighted', () => {
	assert.ok(fits('pty'));
	for (const [filter, name, start, end] of [
		['pan', 'Pantry', 0, 3],
		['見張', '夜の見張り', 2, 4],
		['thumbs', '👍🏽 thumbs', 5, 11],
		['café', 'cafe\u{301}'.normalize(), 0, 4],
		['straße', 'Straße', 0, 6],
		['stanbul', 'İstanbul', 1, 8],
	] as const) {
		assert.deepEqual(
			[...parseFilter(filter).highlight(false).matchPositions(name)],
			Array.from({length: end - start}, (_, index) => start + index),
			name,
		);
	}

	assert.deepEqual([...parseFilter('!pan is:on').highlight(true).matchPositions('Pantry')], []);
});

test('abilities can be filtered by agent', () => {
	const tied = {...pantry, agents: ['Hearth', 'Front Porch']};
	assertNone(['agent:hearth', 'AGENT:Porch', 'agent:ea', '!agent:attic', 'agent:hearth pan'], line => !fits(line, tied));
	assertNone(['agent:attic', '!agent:hearth', 'agent:hearth lamp'], line => fits(line, tied));
	assert.ok(!fits('agent:hearth'), 'it is not known who has it');
	assert.ok(parseFilter('pan !Agent:x').dependsOnAgents);
	assert.ok(!parseFilter('agent').dependsOnAgents);
});

test('records can be filtered by the age of their last change, and an unknown one fits neither', () => {
	const old = {...pantry, changedAt: Date.now() - 3 * 24 * 60 * 60 * 1000};
	assertNone(['changed:>2d', 'changed:<1w', 'Changed:<73H', '!changed:<2d', 'changed:>1h changed:<4d pan'], line => !fits(line, old));
	assertNone(['changed:<2d', 'changed:>30d', 'changed:<x', 'changed:2d'], line => fits(line, old));
	assertNone(['changed:<2d', 'changed:>2d'], line => fits(line));
	assertNone(['changed:', 'changed:<', 'changed:>3', 'changed:<1.'], line => !fits(line));
	assert.deepEqual(
		['changed:2d', 'chan:<2d', 'changed:<x'].map(line => unknownTermsText(parseFilter(line).unknownTerms)),
		[
			'Unknown filter “changed:2d”. Did you mean: changed:<2d',
			'Unknown filter “chan:<2d”. Did you mean: changed:<2d',
			'Unknown filter “changed:<x”. Use is:, category:, agent: or changed:.',
		],
	);
});

test('an unfinished condition is ignored', () => {
	for (const line of ['!', 'is:', 'is:o', 'is:of', 'IS:mark', '!is:', '!is:o', 'category:', '!category:', 'agent:', '!agent:']) {
		assert.ok(fits(line), line);
		assert.ok(fits(`${line} pan`), line);
		assert.ok(!fits(`${line} lamp`), line);
	}

	assert.ok(!fits('is:lit'), 'there is no such state');
	assert.deepEqual(parseFilter('is:lit pan !is:fo is:of').unknownTerms, ['is:lit', 'is:fo']);
	assert.equal(parseFilter('pan is:of').unfinishedTerm, 'is:of');
	assert.equal(parseFilter('pan is:off').unfinishedTerm, undefined);
});

test('an unknown condition suggests the one that was probably meant, or names all', () => {
	const suggested = (line: string): string | undefined => unknownTermsText(parseFilter(line).unknownTerms);
	assertMapped(['cat:skill', 'status:on', 'catgeory:skill', 'pan !is:offf'], line => suggested(line), [
		'Unknown filter “cat:skill”. Did you mean: category:skill',
		'Unknown filter “status:on”. Did you mean: is:on',
		'Unknown filter “catgeory:skill”. Did you mean: category:skill',
		'Unknown filter “is:offf”. Did you mean: is:off',
	]);
	assert.equal(suggested('foo:bar'), 'Unknown filter “foo:bar”. Use is:, category:, agent: or changed:.');
	assert.equal(suggested('is:lit'), 'Unknown filter “is:lit”. Use is:on, is:off, is:marked, is:timed, is:failed or is:changed.');
	assert.deepEqual(
		['is:of', 'category:x agent:y is:on', '10:30', 'pan'].map(line => suggested(line)),
		[undefined, undefined, undefined, undefined],
	);
	assert.ok(fits('note:x', {...pantry, text: 'see note:x'}), 'a text that has it is found');
});
