import assert from 'node:assert/strict';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {test} from 'node:test';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {keepService} from '../../../source/tui/hooks/kept-service.ts';

/** A service that stops when told, and what was said of it. */
const keep = () => {
	let time = 0;
	const said: string[] = [];
	const runs: Array<PromiseWithResolvers<SwitchboardError | undefined>> = [];
	const service = keepService({
		async start() {
			const run = Promise.withResolvers<SwitchboardError | undefined>();
			runs.push(run);
			return {
				number: runs.length,
				stopped: run.promise,
				async close() {
					run.resolve(undefined);
				},
			};
		},
		onRestarted({message}) {
			said.push(`again: ${message}`);
		},
		onDown({message, nextStep = ''}) {
			said.push(`down: ${message} ${nextStep}`);
		},
		startKey: 'r',
		now: () => time,
	});
	return {
		service,
		runs,
		said,
		async stopAfter(milliseconds: number) {
			time += milliseconds;
			runs.at(-1)!.resolve(new SwitchboardError('unexpected', 'It stopped.'));
			await nextTurn();
		},
	};
};

test('a service that stops now and then is always started again', async () => {
	const {service, said, runs, stopAfter} = keep();
	await service.running();
	for (let count = 0; count < 10; count++) {
		await stopAfter(30_000);
	}

	assert.deepEqual(said, Array.from({length: 10}, () => 'again: It stopped.'));
	assert.equal((await service.running()).number, runs.length);
	await service.close();
	await nextTurn();
	assert.equal(runs.length, 11);
});

test('after three stops within a minute it stays down until it is started by hand', async () => {
	const {service, said, runs, stopAfter} = keep();
	await service.running();
	await stopAfter(0);
	await stopAfter(20_000);
	await stopAfter(20_000);
	assert.equal(said.at(-1), 'down: It stopped. It stopped 3 times within a minute and is not started again. r starts it again.');
	await assert.rejects(service.running(), {message: /not started again/});
	assert.equal(runs.length, 3);
	service.startAgain();
	assert.equal((await service.running()).number, 4);
	await stopAfter(0);
	assert.equal(said.at(-1), 'again: It stopped.');
});
