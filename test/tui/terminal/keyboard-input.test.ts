import assert from 'node:assert/strict';
import {Readable} from 'node:stream';
import {test} from 'node:test';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {createContainment} from '../../../source/tui/terminal/containment.ts';
import {createKeyboardInput} from '../../../source/tui/terminal/keyboard-input.ts';

/** A keyboard whose listener is ready for the next key when the test says so. */
const openKeyboard = () => {
	const stdin = new Readable({read: () => undefined});
	const delays = new Set<() => void>();
	let time = 0;
	const keyboard = createKeyboardInput(stdin, undefined, () => undefined, createContainment(error => {
		throw error;
	}), {
		// Each reading is a millisecond later.
		now: () => time++,
		after(_milliseconds, callback) {
			const expire = (): void => {
				delays.delete(expire);
				callback();
			};

			delays.add(expire);
			return () => {
				delays.delete(expire);
			};
		},
	});
	const keys: string[] = [];
	let waiting: PromiseWithResolvers<void> | undefined;
	keyboard.listen({
		key({name}) {
			keys.push(name);
		},
		paste(text) {
			keys.push(`paste ${text}`);
		},
		get whenReady() {
			return waiting?.promise;
		},
	});
	return {
		stdin,
		keys,
		/** Lets every delay expire; those that begin then are others. */
		passTime() {
			for (const expire of new Set(delays)) {
				expire();
			}
		},
		stop() {
			waiting = Promise.withResolvers();
		},
		proceed() {
			waiting?.resolve();
			waiting = undefined;
		},
		async waitFor(isMet: () => boolean) {
			for (let turn = 0; !isMet(); turn++) {
				assert.ok(turn < 10_000, `${keys.length} keys`);
				await nextTurn();
			}
		},
	};
};

test('keys that come faster than they are taken make the stream wait, and all of them come in order', async () => {
	const {stdin, keys, stop, proceed, waitFor} = openKeyboard();
	stop();
	stdin.push('ab'.repeat(50_000) + 'c');
	await waitFor(() => stdin.isPaused());
	assert.deepEqual(keys, ['a']);
	stdin.push('d\u{1B}[200~p\u{1B}[201~e');
	proceed();
	await waitFor(() => keys.at(-1) === 'e');
	assert.equal(keys.join(''), 'ab'.repeat(50_000) + 'cdpaste pe');
	assert.equal(stdin.isPaused(), false);
});

test('many keys are taken in several turns', async () => {
	const {stdin, keys, waitFor} = openKeyboard();
	stdin.push('x'.repeat(500));
	const counts = new Set<number>();
	await waitFor(() => {
		counts.add(keys.length);
		return keys.length === 500;
	});
	assert.ok(counts.size > 5, [...counts].join(' '));
});

test('a sequence whose rest waits in the stream is not given up', async () => {
	const {stdin, keys, passTime, stop, proceed, waitFor} = openKeyboard();
	stop();
	// Its first byte is the last one of those read together.
	stdin.push('x'.repeat(2047) + '\u{1B}[A' + 'y'.repeat(2000));
	await waitFor(() => stdin.isPaused());
	passTime();
	proceed();
	await waitFor(() => keys.at(-1) === 'y');
	await waitFor(() => keys.length >= 4048);
	assert.equal(keys.join(''), 'x'.repeat(2047) + 'up' + 'y'.repeat(2000));
});
