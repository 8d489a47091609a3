import {assert, nextTurn} from '../helpers/node.ts';
import {before, mock, test} from 'node:test';
import {createFlowControl} from '../../source/terminal/flow-control.ts';

const request = '\u{1B}[5n';

before(() => mock.timers.enable({apis: ['setTimeout']}));

/** A terminal that takes bytes at once and answers when told. */
function openLine() {
	const written: string[] = [];
	let frameCount = 0;
	const flow = createFlowControl((bytes, onWritten) => {
		written.push(bytes);
		onWritten();
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
	};
}

test('a few bytes are sent without asking anything', () => {
	const line = openLine();
	assert.equal(line.sendFrames(1), 1);
	assert.equal(line.requestCount(), 0);
});

test('a terminal that answers nothing gets every frame', () => {
	const line = openLine();
	assert.equal(line.sendFrames(100), 100);
	mock.timers.tick(10_000);
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
	mock.timers.tick(10_000);
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
	mock.timers.tick(10_000);
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
	mock.timers.tick(5000);
	await nextTurn();
	assert.equal(ends.at(-1), 'no answer came');
	line.sendFrames(2);
	void watch('the line was cut');
	line.flow.forget();
	await nextTurn();
	assert.equal(ends.at(-1), 'the line was cut');
});
