import {addTo, assert, test} from '../../helpers/node.ts';
import {createErrorLog} from '../../../source/service/observability/service-log.ts';
import {StoreFailure} from '../../../source/service/store-errors.ts';

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
		'The disk is full. Make room on it.',
	]);
});

test('without a data folder, what keeps the database from being used is told once, whichever requests meet it', () => {
	const reports: string[] = [];
	const log = createErrorLog(undefined, addTo(reports));
	for (const where of ['GET /lists', 'PUT /lists']) {
		log.logError(new StoreFailure('no-room', 'The disk is full.', {}), where);
	}

	assert.deepEqual(reports, ['The disk is full.']);
});
