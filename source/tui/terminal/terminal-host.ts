import {type ExitSignal} from './exit-signals.ts';
import {type JobControl} from './job-control.ts';

/** What a terminal has around it besides its streams: the process that it belongs to, or a session of many in one process. Each watch returns a function that ends it. */
export type TerminalHost = {
	/** Calls back when the size of the terminal may have changed. */
	watchSize(onResize: () => void): () => void;
	/**
	Calls back when the UI must end.
	@param isForBorrower - true while Ctrl+C and Ctrl+\ are meant for a program that the terminal is lent to.
	*/
	watchEnd(onEnd: (exitSignal: ExitSignal) => void, isForBorrower: () => boolean): () => void;
	/** Calls back when the process exits on the spot. */
	watchExit(onExit: () => void): () => void;
	/** Keeps what else is written to the terminal, such as warnings, off the screen; the returned function writes it. */
	holdOtherOutput(): () => void;
	/** `undefined` where no shell could continue what is suspended. */
	readonly jobControl: JobControl | undefined;
};
