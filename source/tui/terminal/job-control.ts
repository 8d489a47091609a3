import process from 'node:process';
import {listenTo} from './listen-to.ts';

/** Suspends the program for the shell, and notices when others do. Each watch returns a function that ends it. */
export type JobControl = {
	/** Calls back instead of suspending, as when another program sends the signal of Ctrl+Z. */
	watchSuspension(onSuspend: () => void): () => void;
	/** Calls back when the shell has continued the program. */
	watchContinuation(onContinue: () => void): () => void;
	/** Suspends the program; resolves when the shell continues it. No one may watch for suspension meanwhile. */
	suspend(): Promise<void>;
	/** Has the size of the terminal read again: a change is signalled to the foreground job only. */
	readSizeAgain(): void;
};

/** A program that is not stopped by then has no shell that could continue it: the kernel has dropped the signal. */
const stopWaitMilliseconds = 200;

/**
Suspends the program and its whole job, including a parent such as `npm start`, as Ctrl+Z does in a terminal that is not
raw. Resolves when the shell continues it, or soon if there is no shell.
*/
const suspendJob = async (): Promise<void> => new Promise(resolve => {
	const onContinue = (): void => {
		process.off('SIGCONT', onContinue);
		clearTimeout(timer);
		resolve();
	};

	const timer = setTimeout(onContinue, stopWaitMilliseconds);
	process.on('SIGCONT', onContinue);
	process.kill(0, 'SIGTSTP');
});

/** The job control of this process; `undefined` where there is none. */
export const jobControl: JobControl | undefined = process.platform === 'win32'
	? undefined
	: {
		watchSuspension: onSuspend => listenTo(process, 'SIGTSTP', onSuspend),
		watchContinuation: onContinue => listenTo(process, 'SIGCONT', onContinue),
		suspend: suspendJob,
		readSizeAgain() {
			process.kill(process.pid, 'SIGWINCH');
		},
	};
