import {parentPort, workerData} from 'node:worker_threads';
import {toSwitchboardError} from '../interface/errors.ts';
import {flushCompileCacheSoon} from '../platform/flush-compile-cache.ts';
import {type RunningService, type ServiceOptions, startService} from './service.ts';
import {type WorkerMessage} from './worker-messages.ts';

/*
The entry of the worker thread in which `startLocalService` runs the service: it starts, reports its address, and stops at
the parent's message. An error after that ends the thread, which the parent notices.
*/

const send = (message: WorkerMessage): void => {
	parentPort?.postMessage(message);
};

const stop = async (service: RunningService): Promise<void> => {
	await service.close();
	parentPort?.close();
};

try {
	const service = await startService(workerData as ServiceOptions);
	parentPort?.once('message', () => {
		void stop(service);
	});
	send({type: 'ready', baseAddress: service.baseAddress});
	flushCompileCacheSoon();
} catch (error) {
	const {kind, message, nextStep} = toSwitchboardError(error);
	send({
		type: 'failed',
		kind,
		message,
		nextStep,
	});
}
