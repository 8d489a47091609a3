import {parentPort, workerData} from 'node:worker_threads';
import {toSwitchboardError} from '../interface/errors.ts';
import {type RunningService, type ServiceOptions, startService} from './service.ts';
import {type WorkerMessage} from './worker-messages.ts';

/*
The entry of the worker thread in which `startLocalService` runs the service: it starts, says where it listens, and stops
when it is told to. Whatever is thrown later ends the thread, and the parent hears of it.
*/

const tell = (message: WorkerMessage): void => {
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
	tell({type: 'ready', baseAddress: service.baseAddress});
} catch (error) {
	const {kind, message, nextStep} = toSwitchboardError(error);
	tell({
		type: 'failed',
		kind,
		message,
		nextStep,
	});
}
