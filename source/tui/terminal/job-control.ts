import process from 'node:process';

/** A program that is not stopped by now has no shell that could let it go on: the kernel has dropped the signal. */
const stopWaitMilliseconds = 200;

export const hasJobControl = process.platform !== 'win32';

/**
Stops the program and all of its job, `npm start` above it included, as Ctrl+Z does where the terminal is not raw. Comes
back when the shell lets it go on, or at once where there is no shell. Nobody else may listen to SIGTSTP meanwhile.
*/
export const suspendJob = async (): Promise<void> => new Promise(resolve => {
	const goOn = (): void => {
		process.off('SIGCONT', goOn);
		clearTimeout(timer);
		resolve();
	};

	const timer = setTimeout(goOn, stopWaitMilliseconds);
	process.on('SIGCONT', goOn);
	process.kill(0, 'SIGTSTP');
});
