import {assert, test} from '../../helpers/node.ts';
import type {ConversationEvent} from '../../../source/client/conversation.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {emptyLine, initialTalk, recalled, reduceTalk, saidLine, type TalkAction, type TalkState} from '../../../source/tui/state/talk.ts';

const turn = (role: 'assistant' | 'user', text: string, isFinal = true): TalkAction => ({
	type: 'event',
	event: {kind: 'turn', role, text, isFinal},
});

const event = (given: ConversationEvent): TalkAction => ({type: 'event', event: given});

const say = (phrase: string): TalkAction => ({type: 'say', phrase});

const lost: TalkAction = {type: 'lost', error: new SwitchboardError('unreachable', 'It broke off.'), pauseMilliseconds: 500};

function then(state: TalkState, ...actions: readonly TalkAction[]): TalkState {
	let next = state;
	for (const action of actions) {
		next = reduceTalk(next, action);
	}

	return next;
}

const after = (...actions: readonly TalkAction[]): TalkState => then(initialTalk, {type: 'open'}, ...actions);

/** Who spoke, and the text; a text that may still be replaced ends with `~`. */
const textsOf = ({entries}: TalkState): readonly string[] => entries.map(({kind, text, isFinal}) => `${kind} ${text}${isFinal ? '' : '~'}`);

test('an answer that comes in 20,000 parts is one entry, whatever comes between the parts', () => {
	const parts = Array.from({length: 20_000}, (_, count) => turn('assistant', `This is part ${count}`, false));
	const state = after(
		say('hello'),
		...parts,
		event({kind: 'log', level: 'info', text: 'half-way'}),
		turn('assistant', 'This is all', false),
	);
	assert.deepEqual(textsOf(state), ['you hello', 'agent This is all~', 'activity info: half-way']);
	assert.equal(state.isAnswering, true);
	const next = then(state, turn('assistant', 'This is all.'), turn('assistant', 'Another.'));
	assert.deepEqual(textsOf(next), ['you hello', 'agent This is all.', 'activity info: half-way', 'agent Another.']);
	assert.equal(next.isAnswering, false);
});

test('words that were said here are not shown again where the service repeats them, those of somebody else are', () => {
	const state = after(say('Lamps, please!'), turn('user', 'something else'), turn('user', 'lamps please'), turn('user', 'lamps please'));
	assert.deepEqual(textsOf(state), ['you lamps please', 'you something else', 'other lamps please']);
});

test('after a loss nothing goes on, and it is said what is not known', () => {
	const heard = turn('user', 'hello');
	for (const [actions, texts] of [
		[[], []],
		[[say('hello')], ['you hello', 'note It is not known whether “hello” was heard.']],
		[
			[say('hello'), heard],
			['you hello', 'note The connection was lost before the whole answer came.'],
		],
		[
			[say('hello'), heard, turn('assistant', 'Hel', false)],
			['you hello', 'agent Hel', 'note The connection was lost before the whole answer came.'],
		],
		[
			[say('hello'), turn('assistant', 'Hello.')],
			['you hello', 'agent Hello.'],
		],
	] as const) {
		const state = after(...actions, lost);
		assert.deepEqual(textsOf(state), texts);
		assert.equal(state.isAnswering, false);
		// The next connection does not go on with the turn of the last one.
		assert.equal(textsOf(reduceTalk(state, turn('assistant', 'New.', false))).at(-1), 'agent New.~');
	}
});

test('an agent that was cut off cannot be cut off again, though parts of that answer still come', () => {
	const state = after(say('hello'), turn('assistant', 'Hel', false), {type: 'interrupt'}, turn('assistant', 'Hello', false));
	assert.equal(state.isAnswering, false);
	const next = then(state, turn('assistant', 'Hello th'), say('more'), turn('assistant', 'Mo', false));
	assert.equal(next.isAnswering, true);
	assert.deepEqual(textsOf(next), ['you hello', 'agent Hello th', 'you more', 'agent Mo~']);
});

test('a fault ends the wait for an answer; what abilities do is kept in the words that came', () => {
	const state = after(
		say('hello'),
		event({kind: 'action', text: '{"step":1}'}),
		event({kind: 'question', text: 'Which room?'}),
		event({kind: 'fault', text: 'Too many phrases.', error: new SwitchboardError('server-error', 'x')}),
	);
	assert.deepEqual(textsOf(state), [
		'you hello',
		'activity action: {"step":1}',
		'activity question: Which room?',
		'fault Too many phrases.',
	]);
	assert.equal(state.isAnswering, false);
});

test('of a long conversation the last 500 parts and 200,000 characters are kept, of one turn its start', () => {
	const many = Array.from({length: 700}, (_, count) => turn('assistant', `turn ${count}`));
	const state = after(...many);
	assert.deepEqual([state.entries.length, state.entries[0]!.text, state.entries.at(-1)!.text], [500, 'turn 200', 'turn 699']);
	const large = after(...Array.from({length: 30}, (_, count) => turn('assistant', String(count % 10).repeat(1_000_000))));
	assert.equal(large.entries.length, 9);
	assert.ok(large.entries.every(({text}) => text.length === 20_001 && text.endsWith('…')));
	assert.equal(large.length, large.entries.map(({text}) => text).join('').length);
});

test('Up and Down go through what was said, and come back to what is typed', () => {
	const line = {...saidLine(saidLine(saidLine(emptyLine, 'one'), 'two'), 'one'), value: 'new'};
	assert.deepEqual(line.past, ['two', 'one']);
	const values: string[] = [];
	let shown = line;
	for (const by of [-1, -1, -1, 1, 1, 1] as const) {
		shown = recalled(shown, by);
		values.push(shown.value);
	}

	assert.deepEqual(values, ['one', 'two', 'two', 'one', 'new', 'new']);
});
