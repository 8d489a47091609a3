import process from 'node:process';
import {bufferStderr} from './buffer-stderr.ts';
import {watchExitSignals} from './exit-signals.ts';
import {jobControl} from './job-control.ts';
import {type TerminalHost} from './terminal-host.ts';

const watch = (event: 'SIGWINCH' | 'exit', listener: () => void): (() => void) => {
	process.on(event, listener);
	return () => {
		process.off(event, listener);
	};
};

/** The host of a UI that has the process, and its terminal, to itself. */
export const processHost: TerminalHost = {
	// Node reads the new size in its own listener, which is called before this one.
	watchSize: onResize => watch('SIGWINCH', onResize),
	watchEnd: watchExitSignals,
	watchExit: onExit => watch('exit', onExit),
	holdOtherOutput: () => bufferStderr(process.stderr),
	jobControl,
};
