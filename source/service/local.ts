import module from 'node:module';
import process from 'node:process';
import {Worker} from 'node:worker_threads';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {defaultDataFolder} from './data-folder.ts';
import {generateKey} from './key-text.ts';
import {type RunningService, type ServiceOptions} from './service.ts';
import {type WorkerMessage} from './worker-messages.ts';

/** Without notes: that the sample home is there already is no news to who did not ask for it. */
export type LocalService = Omit<RunningService, 'notes'> & {
	/** Works for this run alone, on the account `default`. */
	readonly apiKey: string;
	/** Settles when the service is gone: with an error where it ended by itself, with `undefined` after `close`. Never rejects. */
	readonly stopped: Promise<SwitchboardError | undefined>;
};

/** The worker's entry: beside this file's chunk when built (`source/build/build.ts`), else the module itself. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './service-worker.js', import.meta.url);

/** A thread keeps no compiled code of its own accord; about a quarter of its start is compiling. */
const workerEnvironment = (): NodeJS.ProcessEnv => {
	const cacheFolder = module.getCompileCacheDir();
	return cacheFolder === undefined ? process.env : {...process.env, NODE_COMPILE_CACHE: cacheFolder};
};

const endedByItself = (cause: unknown): SwitchboardError => new SwitchboardError(
	'unexpected',
	`The bundled service ended unexpectedly: ${reasonOf(cause)}.`,
	{nextStep: 'Start Switchboard again.', cause},
);

/** Settles with what ended the thread before its time. */
const watch = async (worker: Worker): Promise<SwitchboardError> => new Promise(resolve => {
	worker.once('error', error => {
		resolve(endedByItself(error));
	});
	worker.once('exit', code => {
		resolve(endedByItself(`its thread left with code ${code}`));
	});
});

const firstMessage = async (worker: Worker): Promise<WorkerMessage> => new Promise(resolve => {
	worker.once('message', resolve);
});

/**
Runs the bundled service in a worker thread, on a free port of this machine and with a key of its own. On the first run
of the data folder the account `default` is filled with the sample home. The thread does not keep the process alive.

@throws SwitchboardError where the service cannot start.
*/
export const startLocalService = async ({dataFolder = defaultDataFolder()}: {readonly dataFolder?: string} = {}): Promise<LocalService> => {
	const apiKey = generateKey();
	const options: ServiceOptions = {dataFolder, ephemeralKey: apiKey, isSampleWanted: true};
	// What a library may print there would land on a screen that is drawn on. Nobody reads it: a reader keeps the process alive.
	const worker = new Worker(workerFile, {
		workerData: options, env: workerEnvironment(), stdout: true, stderr: true,
	});
	const ended = watch(worker);
	const first = await Promise.race([firstMessage(worker), ended]);
	if (first instanceof SwitchboardError) {
		throw first;
	}

	if (first.type === 'failed') {
		await worker.terminate();
		throw new SwitchboardError(first.kind, first.message, {nextStep: first.nextStep});
	}

	let isClosing = false;
	worker.unref();

	return {
		apiKey,
		baseAddress: first.baseAddress,
		stopped: ended.then(error => isClosing ? undefined : error),
		async close() {
			if (!isClosing) {
				isClosing = true;
				worker.ref();
				worker.postMessage('close');
			}

			await ended;
		},
	};
};
