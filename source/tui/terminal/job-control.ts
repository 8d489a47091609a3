import process from 'node:process';

/** A program that is not stopped by then has no shell that could continue it: the kernel has dropped the signal. */
const stopWaitMilliseconds = 200;

export const hasJobControl = process.platform !== 'win32';

/**
Suspends the program and its whole job, including a parent such as `npm start`, as Ctrl+Z does in a terminal that is not
raw. Resolves when the shell continues it, or soon if there is no shell. No one else may listen to SIGTSTP meanwhile.
*/
export const suspendJob = async (): Promise<void> => new Promise(resolve => {
	const onContinue = (): void => {
		process.off('SIGCONT', onContinue);
		clearTimeout(timer);
		resolve();
	};

	const timer = setTimeout(onContinue, stopWaitMilliseconds);
	process.on('SIGCONT', onContinue);
	process.kill(0, 'SIGTSTP');
});
