import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseFilter, searchTextOf, type Filterable} from '../../../source/tui/state/filter.ts';

const pantry: Filterable = {
	name: 'Pantry', category: 'brain_skill', triggerPhrases: ['what is in the cupboard', 'café time'], text: 'Keeps a list',
};

const fits = (line: string, record: Filterable = pantry): boolean => {
	const {allows, match: fitOf} = parseFilter(line);
	const text = searchTextOf(record);
	return allows(record, () => text) && fitOf(text, true) !== undefined;
};

test('an empty filter matches everything', () => {
	assert.ok(fits(''));
	assert.ok(fits(' '.repeat(3)));
	assert.ok(fits('', {name: ''}));
});

test('a word is found in name, category, trigger phrases and text, in any case', () => {
	assert.deepEqual(['pan', 'PANTRY', 'brain', 'cupboard', 'keeps'].filter(line => !fits(line)), []);
	assert.ok(!fits('lamp'));
});

test('every word must be found, in any order', () => {
	assert.ok(fits('cupboard pan'));
	assert.ok(fits('  pan   cupboard  '));
	assert.ok(!fits('pan lamp'));
});

test('accents do not matter, however they are written', () => {
	assert.ok(fits('cafe'));
	assert.ok(fits('CAFÉ'));
	assert.ok(fits('café'.normalize('NFD')));
	assert.ok(fits('uber', {name: 'Über'}));
});

test('scripts without case or spaces are found', () => {
	assert.ok(fits('見張', {name: '夜の見張り'}));
	assert.ok(fits('능력', {name: '한국어 능력'}));
	assert.ok(!fits('朝', {name: '夜の見張り'}));
});

test('a match never spans two fields', () => {
	assert.ok(!fits('yb', {name: 'pantry', category: 'brain'}));
});

test('the filter is text, not a pattern', () => {
	assert.ok(!fits('p.ntry'));
	assert.ok(!fits('.*'));
	assert.ok(fits('(x)', {name: 'f(x)'}));
	assert.ok(!fits('^', {name: 'pantry'}));
});

test('a subsequence of a name matches and is highlighted', () => {
	assert.ok(fits('pty'));
	assert.deepEqual([...parseFilter('pan').highlight(false).matchPositions('Pantry')], [0, 1, 2]);
	assert.deepEqual([...parseFilter('!pan is:on').highlight(true).matchPositions('Pantry')], []);
});

test('an exclamation mark excludes a word', () => {
	assert.ok(!fits('!pan'));
	assert.ok(fits('!lamp'));
	assert.ok(!fits('!is:on', {...pantry, isEnabled: true}));
});

test('records can be filtered by state, mark and category', () => {
	assert.ok(fits('is:on', {...pantry, isEnabled: true}));
	assert.ok(!fits('is:off', {...pantry, isEnabled: true}));
	assert.ok(!fits('is:off', pantry));
	assert.ok(!fits('is:marked', pantry));
	assert.ok(fits('is:marked', {...pantry, isMarked: true}));
	assert.ok(fits('is:failed', {...pantry, hasFailed: true}));
	assert.ok(!fits('is:failed is:changed', {...pantry, hasFailed: true}));
	assert.ok(fits('is:changed', {...pantry, isChanged: true}));
	assert.ok(fits('category:brain'));
	assert.ok(fits('category:brain_skill'));
	assert.ok(!fits('category:daemon'));
	assert.ok(fits('category:brain pan !lamp'));
});

test('abilities can be filtered by agent', () => {
	const tied = {...pantry, agents: ['Hearth', 'Front Porch']};
	assert.deepEqual(['agent:hearth', 'AGENT:Porch', 'agent:ea', '!agent:attic', 'agent:hearth pan'].filter(line => !fits(line, tied)), []);
	assert.deepEqual(['agent:attic', '!agent:hearth', 'agent:hearth lamp'].filter(line => fits(line, tied)), []);
	assert.ok(!fits('agent:hearth'), 'it is not known who has it');
	assert.ok(parseFilter('pan !Agent:x').dependsOnAgents);
	assert.ok(!parseFilter('agent').dependsOnAgents);
});

test('an unfinished condition is ignored', () => {
	for (const line of ['!', 'is:', 'is:o', 'is:of', 'IS:mark', '!is:', '!is:o', 'category:', '!category:', 'agent:', '!agent:']) {
		assert.ok(fits(line), line);
		assert.ok(fits(`${line} pan`), line);
		assert.ok(!fits(`${line} lamp`), line);
	}

	assert.ok(!fits('is:lit'), 'there is no such state');
	assert.deepEqual(parseFilter('is:lit pan !is:fo is:of').unknownStates, ['is:lit', 'is:fo']);
});
