import assert from 'node:assert/strict';
import {Writable} from 'node:stream';
import {test} from 'node:test';
import {createLineWriter} from '../../../source/service/observability/line-writer.ts';
import {waitUntil} from '../../helpers/wait-until.ts';

/** A stream that takes nothing until it is let. */
const createReader = () => {
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
};

const describeDropped = (count: number): string => `dropped ${count}`;

test('lines of one turn are written at once', async () => {
	const {stream, text, take} = createReader();
	const write = createLineWriter(stream, describeDropped);
	write('one');
	write('two');
	assert.equal(text(), '');
	await take();
	assert.equal(text(), 'one\ntwo\n');
});

test('while nobody reads, memory is bounded; then the missing lines are told', async () => {
	const {stream, text, take} = createReader();
	const write = createLineWriter(stream, describeDropped);
	write('first');
	await waitUntil(() => text() !== '');
	const line = 'x'.repeat(1023);
	for (let count = 0; count < 1000; count++) {
		write(line);
	}

	assert.equal(text(), 'first\n');
	await take();
	await waitUntil(() => text().includes('dropped'));
	const lines = text().trimEnd().split('\n');
	const kept = lines.filter(candidate => candidate === line).length;
	assert.ok(kept > 200);
	assert.ok(kept < 300);
	assert.equal(lines.at(-1), `dropped ${1000 - kept}`);
	await take();
	write('last');
	await take();
	assert.ok(text().endsWith(`dropped ${1000 - kept}\nlast\n`));
});
