import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {createFlowControl} from '../../../source/tui/terminal/flow-control.ts';

const request = '\u{1B}[5n';

/** A terminal that takes bytes at once and answers when told, and a stopped clock. */
const openLine = () => {
	const written: string[] = [];
	const timers = new Set<{readonly callback: () => void; readonly milliseconds: number}>();
	let frameCount = 0;
	const flow = createFlowControl({
		write(bytes, onWritten) {
			written.push(bytes);
			onWritten();
		},
		clock: {
			after(milliseconds, callback) {
				const timer = {milliseconds, callback};
				timers.add(timer);
				return () => {
					timers.delete(timer);
				};
			},
		},
	});
	return {
		flow,
		/** Sends frames of 400 bytes while the line takes them, at most so many. */
		sendFrames(count: number): number {
			frameCount = 0;
			const next = (): void => {
				if (frameCount === count) {
					return;
				}

				frameCount++;
				flow.send('x'.repeat(400), next);
			};

			next();
			return frameCount;
		},
		get frameCount() {
			return frameCount;
		},
		requestCount: () => written.filter(bytes => bytes.endsWith(request)).length,
		waitCount: () => timers.size,
		/** Lets the shortest wait end. */
		passTime() {
			const [timer] = [...timers].toSorted((one, other) => one.milliseconds - other.milliseconds);
			timers.delete(timer!);
			timer!.callback();
		},
	};
};

test('a few bytes are sent without asking anything', () => {
	const line = openLine();
	assert.equal(line.sendFrames(1), 1);
	assert.equal(line.requestCount(), 0);
});

test('a terminal that answers nothing gets every frame', () => {
	const line = openLine();
	assert.equal(line.sendFrames(100), 100);
	line.passTime();
	assert.equal(line.sendFrames(100), 100);
});

test('a frame waits while more than two kilobytes are under way, and goes when the terminal has drawn enough of them', () => {
	const line = openLine();
	line.sendFrames(2);
	line.flow.answer();
	assert.equal(line.sendFrames(100), 6);
	line.flow.answer();
	assert.equal(line.frameCount, 8);
	line.flow.answer();
	assert.equal(line.frameCount, 10);
});

test('frames go on when the answers stop, and wait again once they are back', () => {
	const line = openLine();
	line.sendFrames(2);
	line.flow.answer();
	assert.equal(line.sendFrames(50), 6);
	line.passTime();
	assert.equal(line.frameCount, 50);
	line.flow.answer();
	assert.ok(line.sendFrames(100) < 100);
});

test('an answer that nobody asked for changes nothing', () => {
	const line = openLine();
	line.flow.answer();
	assert.equal(line.sendFrames(100), 100);
});

test('a terminal that has answered nothing for long is not waited for', async () => {
	const line = openLine();
	line.sendFrames(4);
	line.passTime();
	line.sendFrames(4);
	await line.flow.whenAnswered();
});

test('the last answers are waited for, but not for ever', async () => {
	const line = openLine();
	const ends: string[] = [];
	const watch = async (name: string): Promise<void> => {
		await line.flow.whenAnswered();
		ends.push(name);
	};

	await watch('nothing was asked');
	line.sendFrames(4);
	void watch('both were answered');
	line.flow.answer();
	await nextTurn();
	assert.deepEqual(ends, ['nothing was asked']);
	line.flow.answer();
	await nextTurn();
	assert.deepEqual(ends, ['nothing was asked', 'both were answered']);
	line.sendFrames(2);
	void watch('no answer came');
	line.passTime();
	await nextTurn();
	assert.equal(ends.at(-1), 'no answer came');
	line.sendFrames(2);
	void watch('the line was cut');
	line.flow.forget();
	await nextTurn();
	assert.equal(ends.at(-1), 'the line was cut');
	assert.equal(line.waitCount(), 0);
});
