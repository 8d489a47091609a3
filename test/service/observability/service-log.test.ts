import {assert, test, Writable, addTo} from '../../helpers/node.ts';
import {createStreamLog, createErrorLog} from '../../../source/service/observability/service-log.ts';
import {StoreFailure} from '../../../source/service/store-errors.ts';
import {waitUntil} from '../../helpers/wait-until.ts';

/** A stream that takes nothing until it is let. */
function createReader() {
	let text = '';
	const waiting: Array<() => void> = [];
	const stream = new Writable({
		write(chunk: Uint8Array, _encoding, done) {
			text += new TextDecoder().decode(chunk);
			waiting.push(done);
		},
	});
	return {
		stream,
		text: () => text,
		async take() {
			await waitUntil(() => waiting.length > 0);
			waiting.shift()!();
		},
	};
}

/** The lines without their times. */
const entriesOf = (text: string): readonly unknown[] =>
	text
		.trimEnd()
		.split('\n')
		.map(line => {
			const {time: _time, ...entry} = JSON.parse(line) as {readonly time: string};
			return entry;
		});

test('lines of one turn of the event loop are written at once', async () => {
	const {stream, text, take} = createReader();
	const {note} = createStreamLog('json', stream);
	note('one');
	note('two');
	assert.equal(text(), '');
	await take();
	assert.deepEqual(entriesOf(text()), [{message: 'one'}, {message: 'two'}]);
});

test('while nobody reads, memory is bounded; then the number of missing lines is a line', async () => {
	const {stream, text, take} = createReader();
	const {note} = createStreamLog('json', stream);
	note('first');
	await waitUntil(() => text() !== '');
	const message = 'x'.repeat(1023);
	for (let count = 0; count < 1000; count++) {
		note(message);
	}

	assert.deepEqual(entriesOf(text()), [{message: 'first'}]);
	await take();
	await waitUntil(() => text().includes('dropped'));
	const entries = entriesOf(text());
	const kept = entries.length - 2;
	assert.ok(kept > 200);
	assert.ok(kept < 300);
	assert.deepEqual(entries.at(-1), {dropped: 1000 - kept});
	await take();
	note('last');
	await take();
	assert.deepEqual(entriesOf(text()).slice(-2), [{dropped: 1000 - kept}, {message: 'last'}]);
});

test('without a data folder an internal error is reported with its stack, the same once a minute at most', () => {
	const reports: string[] = [];
	const log = createErrorLog(undefined, addTo(reports));
	const error = new Error('wires crossed');
	for (const where of ['GET /lists', 'GET /lists', 'PUT /lists']) {
		log.logError(error, where);
	}

	const failure = new StoreFailure('no-room', 'The disk is full.', {nextStep: 'Make room on it.'});
	log.logError(failure, 'GET /lists');
	log.writeWaiting();
	assert.deepEqual(reports, [
		`Internal error at GET /lists: ${error.stack!}`,
		`Internal error at PUT /lists: ${error.stack!}`,
		'The disk is full. Make room on it. The service then goes on by itself.',
	]);
});

test('without a data folder, what keeps the database from being used is told once, whichever requests meet it', () => {
	const reports: string[] = [];
	const log = createErrorLog(undefined, addTo(reports));
	for (const where of ['GET /lists', 'PUT /lists']) {
		log.logError(new StoreFailure('no-room', 'The disk is full.', {}), where);
	}

	assert.deepEqual(reports, ['The disk is full. The service then goes on by itself.']);
});
