import {once} from 'node:events';
import {parentPort, workerData} from 'node:worker_threads';
import {type ErrorKind, toSwitchboardError} from '../interface/errors.ts';
import {flushCompileCacheSoon} from '../platform/engine.ts';
import {requestLogFilesIn} from './data-folder.ts';
import {createFileWriter, createServiceLog} from './observability/service-log.ts';
import {type RunningService, type ServiceOptions, startService} from './service.ts';

/** Asks the parent to close its connection and then to send a message: the last connections are about to be closed. */
export type ClosingMessage = {readonly type: 'closing'};

/** A message from the worker thread to the thread that started it. */
export type WorkerMessage =
	| {readonly type: 'ready'; readonly baseAddress: string}
	| {readonly type: 'failed'; readonly kind: ErrorKind; readonly message: string; readonly nextStep: string | undefined};

/*
The entry of the worker thread in which `startLocalService` runs the service: it starts, reports its address, and stops at
the parent's message. An error after that ends the thread, which the parent notices. Requests are logged to a file, since the
screen is the UI's.
*/

function send(message: WorkerMessage | ClosingMessage): void {
	parentPort?.postMessage(message);
}

const options = workerData as ServiceOptions;
const requestFile = createFileWriter(requestLogFilesIn(options.location));
const {logRequest} = createServiceLog('json', requestFile.writeLine);

function sendFailure(error: unknown): void {
	const {kind, message, nextStep} = toSwitchboardError(error);
	send({type: 'failed', kind, message, nextStep});
}

async function stop(service: RunningService): Promise<void> {
	try {
		await service.close();
	} catch (error) {
		sendFailure(error);
	}

	requestFile.flush();
	parentPort?.close();
}

let isReady = false;

async function beforeClose(): Promise<void> {
	if (!isReady) {
		return;
	}

	send({type: 'closing'});
	await once(parentPort!, 'message');
}

try {
	const service = await startService({...options, onRequest: logRequest, beforeClose});
	parentPort?.once('message', () => {
		void stop(service);
	});
	isReady = true;
	send({type: 'ready', baseAddress: service.baseAddress});
	flushCompileCacheSoon();
} catch (error) {
	sendFailure(error);
}
