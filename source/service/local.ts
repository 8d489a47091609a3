import module from 'node:module';
import path from 'node:path';
import process from 'node:process';
import sea from 'node:sea';
import {Worker, type WorkerOptions} from 'node:worker_threads';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {isExecutable, startAsset} from '../platform/program.ts';
import {defaultDataFolder} from './data-folder.ts';
import {generateKey} from './callers.ts';
import type {ServiceOptions} from './service.ts';
import {holdStore} from './store/open-store.ts';
import type {ClosingMessage, WorkerMessage} from './worker.ts';

/** The worker's entry: beside this file's chunk if built (`source/build/build.ts`), otherwise the module itself. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './service-worker.js', import.meta.url);

/**
Many times the needs of a large account. A service that takes more ends, and is started again, before it takes all of the machine's memory.
*/
const maximumHeapMegabytes = 1024;

type LocalServiceOptions = {
	readonly dataFolder?: string | undefined;
	/** False to refuse a database of an earlier version rather than bring it up to date. */
	readonly isMigrationAllowed?: boolean;
};

/**
Runs the bundled service in a worker thread, on a free port of this machine, with its own key. An empty account `default` is filled with the
sample home. The thread does not keep the process alive.

@throws SwitchboardError if the service cannot start.
*/
export async function startLocalService({dataFolder = defaultDataFolder(), isMigrationAllowed = true}: LocalServiceOptions = {}) {
	const apiKey = generateKey();
	const options: ServiceOptions = {location: dataFolder, ephemeralKey: apiKey, isSampleWanted: true, isMigrationAllowed};
	// The output of a library would garble the UI on the screen. It is not read, because a reader would keep the process alive.
	const worker = startWorker({
		workerData: options,
		env: workerEnvironment(),
		stdout: true,
		stderr: true,
		resourceLimits: {maxOldGenerationSizeMb: maximumHeapMegabytes},
	});
	const ended = new Promise<SwitchboardError>(resolve => {
		worker.once('error', error => resolve(unexpectedStop(error)));
		worker.once('exit', code => resolve(unexpectedStop(`its thread exited with code ${code}`)));
	});
	const started = new Promise<WorkerMessage>(resolve => {
		worker.once('message', resolve);
	});
	const first = await Promise.race([started, ended]);
	if (first instanceof SwitchboardError) {
		throw first;
	}

	if (first.type === 'failed') {
		await worker.terminate();
		throw toError(first);
	}

	const held = await holdStore(dataFolder);
	const release = (): void => {
		if (held?.isOpen === true) {
			held.close();
		}
	};

	let failure: SwitchboardError | undefined;
	worker.on('message', (message: ClosingMessage | WorkerMessage) => {
		if (message.type === 'closing') {
			release();
			worker.postMessage('release');
		} else if (message.type === 'failed') {
			failure = toError(message);
		}
	});
	worker.once('exit', release);
	let isClosing = false;
	worker.unref();
	return {
		baseAddress: first.baseAddress,
		/** Valid for this run only, on the account `default`. */
		apiKey,
		/** Resolves when the service has stopped: with an error if it stopped by itself, with `undefined` after `close`. */
		stopped: ended.then(error => (isClosing ? undefined : error)),
		/** Rejects as `RunningService.close` does: in that case end the process with `process.exit`. */
		async close(): Promise<void> {
			if (!isClosing) {
				isClosing = true;
				worker.ref();
				worker.postMessage('close');
			}

			await ended;
			if (failure !== undefined) {
				throw failure;
			}
		},
	};
}

/** In the executable the worker's entry is not a file. */
const startWorker = (options: WorkerOptions): Worker =>
	isExecutable ? new Worker(sea.getAsset(startAsset, 'utf8'), {...options, eval: true}) : new Worker(workerFile, options);

/**
A thread does not inherit the compile cache, and compiling takes about a quarter of its start. Node.js makes a folder for its version in the
given one.
*/
function workerEnvironment(): NodeJS.ProcessEnv {
	const cacheFolder = module.getCompileCacheDir();
	return {
		...process.env,
		...(cacheFolder !== undefined && {NODE_COMPILE_CACHE: path.dirname(cacheFolder)}),
		// Removes the options of another program: the executable takes none, but a thread would.
		...(isExecutable && {NODE_OPTIONS: ''}),
	};
}

const unexpectedStop = (cause: unknown): SwitchboardError =>
	new SwitchboardError('unexpected', `The bundled service stopped unexpectedly: ${reasonOf(cause)}.`, {
		nextStep: 'Start Switchboard again.',
		cause,
	});

const toError = ({kind, message, nextStep}: Extract<WorkerMessage, {readonly type: 'failed'}>): SwitchboardError =>
	new SwitchboardError(kind, message, {nextStep});
