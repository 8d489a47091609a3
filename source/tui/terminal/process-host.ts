import process from 'node:process';
import {bufferStderr} from './buffer-stderr.ts';
import {watchExitSignals} from './exit-signals.ts';
import {jobControl} from './job-control.ts';
import {listenTo} from './listen-to.ts';
import {type TerminalHost} from './terminal-host.ts';

/** The host of a UI that has the process, and its terminal, to itself. */
export const processHost: TerminalHost = {
	// Node reads the new size in its own listener, which is called before this one.
	watchSize: onResize => listenTo(process, 'SIGWINCH', onResize),
	watchEnd: watchExitSignals,
	watchExit: onExit => listenTo(process, 'exit', onExit),
	holdOtherOutput: () => bufferStderr(process.stderr),
	jobControl,
};
