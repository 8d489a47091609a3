import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {setImmediate} from 'node:timers/promises';
import {test} from 'node:test';
import {Pieces} from '../../../source/service/http/pieces.ts';

test('many answers that are sent at once leave time for other work between a few pieces, and each arrives whole', async () => {
	const bytes = Buffer.from(Array.from({length: 500_000}, (_, index) => index % 251));
	let pieceCount = 0;
	const read = async (): Promise<Buffer> => {
		const pieces: Buffer[] = [];
		for await (const piece of new Pieces(bytes)) {
			pieceCount++;
			pieces.push(piece as Buffer);
		}

		return Buffer.concat(pieces);
	};

	const ended = new AbortController();
	const reading = Promise.all(Array.from({length: 100}, read)).finally(() => {
		ended.abort();
	});
	let most = 0;
	while (!ended.signal.aborted) {
		const before = pieceCount;
		await setImmediate();
		most = Math.max(most, pieceCount - before);
	}

	assert.ok(most <= 10, `${most} pieces in a turn`);
	for (const arrived of await reading) {
		assert.ok(arrived.equals(bytes));
	}
});
