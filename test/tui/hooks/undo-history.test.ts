import {assert, nextTurn, test} from '../../helpers/node.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {createUndoHistory, type ReversibleStep, type UndoHistory} from '../../../source/tui/hooks/undo-history.ts';

function open() {
	const said: string[] = [];
	const history = createUndoHistory({
		say(level, text) {
			said.push(`${level}: ${text}`);
		},
	});
	return {said, history};
}

/** A value that steps set, each to what it was before. */
function createValue(initial: string) {
	let value = initial;
	const stepTo = (wanted: string): ReversibleStep => ({
		what: `the change to ${value}`,
		async takeBack() {
			const before = value;
			value = wanted;
			return {text: `it is ${wanted} again.`, reverse: stepTo(before)};
		},
	});
	return {
		read: () => value,
		/** Sets the value; returns how to undo that. */
		set(wanted: string): ReversibleStep {
			const before = value;
			value = wanted;
			return stepTo(before);
		},
	};
}

/** Undoes, or redoes, and waits for the answer; returns false if there was nothing. */
async function wait(history: UndoHistory, kind: 'undo' | 'redo'): Promise<boolean> {
	const isDone = history[kind]();
	await nextTurn();
	return isDone;
}

/** Something done whose undo is a call. */
const doneBy = (undo: () => void) => ({position: 0, undo});

test('the newest change is undone first, and what was undone last is redone first', async () => {
	const {said, history} = open();
	const value = createValue('a');
	history.begin('')(value.set('b'));
	history.begin('')(value.set('c'));
	const seen: string[] = [];
	for (const kind of ['undo', 'undo', 'undo', 'redo', 'redo', 'redo', 'undo'] as const) {
		const isDone = await wait(history, kind);
		seen.push(`${value.read()}${isDone ? '' : ' (nothing done)'}`);
	}

	assert.deepEqual(seen, ['b', 'a', 'a (nothing done)', 'b', 'c', 'c (nothing done)', 'b']);
	assert.deepEqual(said.slice(0, 2), ['info: Undoing: the change to c…', 'info: Undone: it is b again.']);
	assert.deepEqual(said.slice(4, 6), ['info: Redoing: the change to a…', 'info: Redone: it is b again.']);
});

test('a new change drops what could be redone; one that came to nothing does not', async () => {
	const {history} = open();
	const value = createValue('a');
	history.begin('')(value.set('b'));
	await wait(history, 'undo');
	history.begin('')();
	assert.equal(await wait(history, 'redo'), true);
	await wait(history, 'undo');
	history.begin('')({refusal: 'Gone for good.'});
	assert.equal(await wait(history, 'redo'), false);
	assert.equal(value.read(), 'a');
});

test('what is undone while a new change is made cannot be redone', async () => {
	const {history} = open();
	history.begin('')(createValue('a').set('b'));
	history.undo();
	history.add(doneBy(() => undefined));
	await nextTurn();
	assert.equal(history.redo(), false);
});

test('undo and redo wait for one that is under way', async () => {
	const {said, history} = open();
	const value = createValue('a');
	history.begin('')(value.set('b'));
	history.undo();
	history.undo();
	history.redo();
	await nextTurn();
	assert.deepEqual(said, [
		'info: Undoing: the change to b…',
		'info: Still undoing: the change to b.',
		'info: Still undoing: the change to b.',
		'info: Undone: it is a again.',
	]);
	history.redo();
	history.redo();
	history.undo();
	await nextTurn();
	assert.equal(value.read(), 'b');
	assert.deepEqual(said.slice(5), [
		'info: Still redoing: the change to a.',
		'info: Still redoing: the change to a.',
		'info: Redone: it is b again.',
	]);
});

/** A step that fails with these errors first. */
const failing = (text: string, ...errors: SwitchboardError[]): ReversibleStep => ({
	what: 'the name',
	async takeBack() {
		const error = errors.shift();
		if (error !== undefined) {
			throw error;
		}

		return {text, reverse: undefined};
	},
});

test('a redo that failed can be tried again', async () => {
	const {said, history} = open();
	const reverse = failing('it is new again.', new SwitchboardError('conflict', 'Somebody else changed it.'));
	history.begin('')({what: 'the name', takeBack: async () => ({text: 'it is old again.', reverse})});
	await wait(history, 'undo');
	await wait(history, 'redo');
	assert.equal(history.undo(), false, 'it is not done');
	await wait(history, 'redo');
	assert.deepEqual(said.filter(text => !text.includes('ing:')).slice(1), [
		'error: Not redone: Somebody else changed it.',
		'info: Redone: it is new again.',
	]);
});

test('an undo of unknown outcome is reported as such, and can be retried', async () => {
	const {said, history} = open();
	history.begin('')(
		failing(
			'it is back.',
			new SwitchboardError('timeout', 'No answer.', {isOutcomeUnknown: true}),
			new SwitchboardError('server-error', 'It failed.'),
		),
	);
	for (let time = 0; time < 3; time++) {
		await wait(history, 'undo');
	}

	assert.deepEqual(
		said.filter(text => !text.includes('Undoing')),
		['error: It is not known whether that was undone: No answer.', 'error: Not undone: It failed.', 'info: Undone: it is back.'],
	);
	assert.equal(history.undo(), false);
});

test('undo says once that the newest change cannot be undone, and the next undo steps over it', () => {
	const {said, history} = open();
	history.begin('')({refusal: 'Gone before.'});
	const silent = doneBy(() => {
		said.push('undone');
	});
	history.add(silent);
	history.begin('')({refusal: 'Gone for good.'});
	assert.deepEqual([history.undo(), history.undo()], [true, true]);
	assert.deepEqual(said, ['info: Gone for good. Undo again for the change before it.', 'undone']);
	history.remove(silent);
	assert.deepEqual([history.undo(), history.undo()], [true, false]);
	assert.deepEqual(said.slice(2), ['info: Gone before.']);
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
	assert.deepEqual(said, ['info: second Undo again for the change before it.']);
});

test('a change that is put back is undone in its place, and one of an earlier session last', async () => {
	const {said, history} = open();
	const entries = ['first', 'second', 'third'].map(name =>
		doneBy(() => {
			said.push(name);
		}),
	);
	for (const entry of entries) {
		history.add(entry);
	}

	for (const entry of [entries[1]!, entries[0]!]) {
		history.remove(entry);
		history.put(entry);
	}

	history.undoEarlier(failing('it is back.', new SwitchboardError('server-error', 'It failed.')));
	await nextTurn();
	const [newest] = said.splice(0);
	assert.equal(newest, 'info: Undoing: the name…');
	for (const entry of entries.toReversed()) {
		assert.equal(history.newest(), entry);
		assert.deepEqual(
			entries.filter(each => history.isNewest(each)),
			[entry],
		);
		history.undo();
		history.remove(entry);
	}

	await wait(history, 'undo');
	assert.deepEqual(said, ['third', 'second', 'first', 'info: Undoing: the name…', 'info: Undone: it is back.']);
});

test('the last twenty changes are kept, and a late answer does not restore an older one', () => {
	const {said, history} = open();
	const endOldest = history.begin('');
	const entries = Array.from({length: 20}, (_, index) =>
		doneBy(() => {
			said.push(String(index));
		}),
	);
	for (const entry of entries) {
		history.add(entry);
	}

	endOldest({refusal: 'the oldest'});
	for (const entry of entries.toReversed()) {
		history.undo();
		history.remove(entry);
	}

	assert.equal(history.undo(), false);
	assert.equal(said.length, 20);
});
