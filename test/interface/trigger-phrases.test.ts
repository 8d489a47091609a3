import {assert, assertMapped, test} from '../helpers/node.ts';
import {hearSentence, listPhrases, spokenForm, type Listener} from '../../source/interface/trigger-phrases.ts';
import {fieldsOf} from '../helpers/fields-of.ts';

const listener = (id: number, name: string, phrases: readonly string[], fields: Partial<Listener> = {}): Listener => ({
	id,
	name,
	phrases,
	category: 'skill',
	isEnabled: true,
	agentIds: [],
	...fields,
});

const pantry = listener(2, 'pantry', ['pantry list', 'what is in the pantry']);
const night = listener(5, 'nightwatch', ['watch the night'], {isEnabled: false});

test('case, punctuation, spaces and the form of letters do not count', () => {
	assert.equal(spokenForm('  What’s\tfor—DINNER?! '), 'what s for dinner');
	assert.equal(spokenForm('CAFE\u{301}'), spokenForm('caf\u{E9}'));
	assert.equal(hearSentence('please, WHAT   is in the “pantry”?', [pantry]).starts?.phrase, 'what is in the pantry');
});

test('only whole words that follow each other are heard', () => {
	for (const sentence of ['pantry lists', 'my pantry nice list', 'list pantry', 'apantry list', '', '…']) {
		assert.equal(hearSentence(sentence, [pantry]).starts, undefined, sentence);
	}

	assert.equal(hearSentence('the pantry list, please', [pantry]).starts?.listener, pantry);
	// A phrase of punctuation alone would be heard everywhere.
	assert.equal(hearSentence('anything', [listener(1, 'odd', ['…'])]).starts, undefined);
});

test('the longest phrase starts its ability, then the lowest id; others are told apart by why they do not start', () => {
	const longer = listener(9, 'longer', ['the pantry list']);
	const same = listener(3, 'same', ['Pantry, list!']);
	const off = listener(1, 'off', ['pantry list'], {isEnabled: false});
	const unknown = listener(4, 'unknown', ['list'], {isEnabled: undefined});
	const hearing = hearSentence('read the pantry list', [same, pantry, unknown, off, longer]);
	assert.equal(hearing.starts?.listener, longer);
	assert.deepEqual(hearing.collisions, []);
	assertMapped(hearing.shorter, heard => heard.listener.name, ['pantry', 'same', 'unknown']);
	assertMapped(hearing.off, heard => heard.listener.name, ['off']);
	const without = hearSentence('read pantry list', [same, pantry, unknown, off, longer]);
	assert.equal(without.starts?.listener, pantry);
	assertMapped(without.collisions, heard => heard.listener.name, ['same']);
});

test('no phrase starts a daemon or a brain skill', () => {
	for (const category of ['background_daemon', 'brain_skill']) {
		assert.equal(hearSentence('watch the night', [{...night, category, isEnabled: true}]).starts, undefined);
	}

	assert.equal(hearSentence('watch the night', [{...night, category: 'a new one', isEnabled: true}]).starts?.listener.name, 'nightwatch');
});

test('phrases are listed with those that collide, those inside longer ones, and those that nothing listens for', () => {
	const first = listener(1, 'first', ['good night'], {agentIds: [7]});
	const second = listener(2, 'second', ['Good night!', 'say good night now'], {agentIds: [7, 8]});
	const other = listener(3, 'other', ['good night'], {agentIds: [9]});
	const rows = listPhrases([first, second, other, night]).map(row => ({
		is: `${row.listener.name}: ${row.phrase}`,
		isHeard: row.isHeard,
		collisions: row.collisions.map(({name}) => name),
		within: row.within.map(({phrase}) => phrase),
	}));
	assert.deepEqual(rows, [
		{is: 'first: good night', isHeard: true, collisions: ['second'], within: ['say good night now']},
		{is: 'second: Good night!', isHeard: true, collisions: ['first'], within: []},
		{is: 'other: good night', isHeard: true, collisions: [], within: []},
		{is: 'second: say good night now', isHeard: true, collisions: [], within: []},
		{is: 'nightwatch: watch the night', isHeard: false, collisions: [], within: []},
	]);
});

test('a phrase that is off is heard where another ability has it and is on', () => {
	const [row] = listPhrases([night, listener(8, 'other', ['watch the night'])]);
	assert.equal(row?.listener, night);
	assert.equal(row?.isHeard, true);
	assert.deepEqual(fieldsOf(row?.collisions, 'name'), ['other']);
});

test('hundreds of long phrases are listed, and each is heard', () => {
	const many = Array.from({length: 500}, (_, index) =>
		listener(index, `a${index}`, [Array.from({length: 30}, (__, word) => `w${index}x${word}`).join(' '), 'the same for all']),
	);
	assert.equal(listPhrases(many).filter(({isHeard}) => isHeard).length, 1000);
});
