import assert from 'node:assert/strict';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {test} from 'node:test';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {createUndoHistory} from '../../../source/tui/hooks/undo-history.ts';

const open = () => {
	const said: string[] = [];
	const history = createUndoHistory({
		say(level, text) {
			said.push(`${level}: ${text}`);
		},
	});
	return {said, history};
};

test('the newest change is undone first, and each change once', async () => {
	const {said, history} = open();
	for (const name of ['name', 'prompt']) {
		history.begin('')({
			what: `the ${name}`,
			takeBack: async () => `The ${name} is back.`,
		});
	}

	assert.equal(history.undo(), true);
	await nextTurn();
	assert.equal(history.undo(), true);
	await nextTurn();
	assert.equal(history.undo(), false);
	assert.deepEqual(said, ['info: Undoing: the prompt…', 'info: The prompt is back.', 'info: Undoing: the name…', 'info: The name is back.']);
});

test('undo keeps reporting the newest change that cannot be undone, and does nothing older', () => {
	const {said, history} = open();
	history.add(() => assert.fail('it was reached past'));
	history.begin('')({refusal: 'Gone for good.'});
	assert.deepEqual([history.undo(), history.undo()], [true, true]);
	assert.deepEqual(said, ['info: Gone for good.', 'info: Gone for good.']);
});

test('undo reports a change that is still pending, and forgets it if it failed', () => {
	const {said, history} = open();
	const end = history.begin('Still being saved.');
	history.undo();
	end();
	assert.equal(history.undo(), false);
	assert.deepEqual(said, ['info: Still being saved.']);
});

test('changes are undone in the order they were begun, not answered', () => {
	const {said, history} = open();
	const endFirst = history.begin('');
	const endSecond = history.begin('');
	endSecond({refusal: 'second'});
	endFirst({refusal: 'first'});
	history.undo();
	assert.deepEqual(said, ['info: second']);
});

test('an undo of unknown outcome is reported as such, and can be retried', async () => {
	const {said, history} = open();
	const errors = [new SwitchboardError('timeout', 'No answer.', {isOutcomeUnknown: true}), new SwitchboardError('server-error', 'It failed.')];
	history.begin('')({
		what: 'the name',
		async takeBack() {
			const error = errors.shift();
			if (error !== undefined) {
				throw error;
			}

			return 'It is back.';
		},
	});
	for (let time = 0; time < 3; time++) {
		history.undo();
		await nextTurn();
	}

	assert.deepEqual(said.filter(text => !text.includes('Undoing')), [
		'error: It is not known whether that was undone: No answer.', 'error: Not undone: It failed.', 'info: It is back.',
	]);
	assert.equal(history.undo(), false);
});

test('the last twenty changes are kept, and a late answer does not restore an older one', () => {
	const {said, history} = open();
	const endOldest = history.begin('');
	const places = Array.from({length: 20}, (_, index) => history.add(() => {
		said.push(String(index));
	}));
	endOldest({refusal: 'the oldest'});
	for (const place of places.toReversed()) {
		history.undo();
		history.remove(place);
	}

	assert.equal(history.undo(), false);
	assert.equal(said.length, 20);
});
