import {createInterface, type Interface} from 'node:readline';
import {Writable} from 'node:stream';
import {signalErrors, SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {isInteractive, type Context} from '../context.ts';

type Asking = Pick<Context, 'streams' | 'signal'>;

const inputEnded = (): SwitchboardError => new SwitchboardError('usage', 'The input ended before an answer was given.');

/** Reads the answer to a question; throws if it was interrupted. Prompts go to standard error: standard output is for results. */
const readAnswer = async ({streams: {stdin}, signal}: Asking, lines: Interface): Promise<string> => new Promise((resolve, reject) => {
	// A terminal that is gone takes no mode any more, which readline reports before its end and before the signal arrives.
	lines.on('error', () => {
		reject(signalErrors.SIGHUP);
	});

	// Where the input is at its end already, readline neither closes nor keeps the process.
	if (stdin.readableEnded || stdin.destroyed) {
		reject(inputEnded());
		return;
	}

	lines.once('line', resolve);
	lines.once('SIGINT', () => {
		reject(new SwitchboardError('interrupted', 'Interrupted.'));
	});
	lines.once('close', () => {
		reject(signal.aborted ? signal.reason as Error : inputEnded());
	});
});

/** Asks for a line of text on the terminal; a signal ends the question. */
export const ask = async (context: Asking, question: string): Promise<string> => {
	const {streams: {stdin, stderr}, signal} = context;
	const lines = createInterface({
		input: stdin, output: stderr, terminal: true, signal,
	});
	try {
		lines.setPrompt(question);
		lines.prompt();
		return await readAnswer(context, lines);
	} catch (error) {
		// The error starts on a new line.
		stderr.write('\n');
		throw error;
	} finally {
		lines.close();
	}
};

/** Enough to show that keys arrive, too few to wrap or to reveal the length of a secret. */
const shownDots = 24;

/** Asks for a secret on the terminal; a signal ends the question. Shows dots and keeps no history. */
export const askSecret = async (context: Asking, question: string): Promise<string> => {
	const {streams: {stdin, stderr}, signal} = context;
	const nowhere = new Writable({
		write(_chunk, _encoding, done) {
			done();
		},
	});
	const lines = createInterface({
		input: stdin,
		output: nowhere,
		terminal: true,
		historySize: 0,
		signal,
	});
	let isAnswered = false;
	const draw = (): void => {
		stderr.write(`\r\u{1B}[K${question}${'•'.repeat(Math.min(lines.line.length, shownDots))}`);
	};

	// In the next turn readline has taken the key; several keys at once may have ended the line.
	const drawSoon = (): void => {
		setImmediate(() => {
			if (!isAnswered) {
				draw();
			}
		});
	};

	stdin.on('keypress', drawSoon);
	try {
		draw();
		return await readAnswer(context, lines);
	} finally {
		isAnswered = true;
		stdin.off('keypress', drawSoon);
		lines.close();
		stderr.write('\n');
	}
};

/** How a question is refused where nobody can answer it. */
export type Unaskable = {
	/** Completes “Use --yes to”, such as `delete`. */
	readonly verb: string;
	/** What standard input has or is in place of an answer, such as `has the names`. */
	readonly taken?: string | undefined;
};

/**
Refuses to ask where nobody can answer. A command that has nothing to ask, or names that do not exist, comes to its own end before.

@throws SwitchboardError `usage`
*/
export const refuseUnaskable = (context: Context, {verb, taken}: Unaskable): void => {
	if (isInteractive(context) && taken === undefined) {
		return;
	}

	const reason = taken === undefined ? ' without a terminal' : `: standard input ${taken}`;
	throw new SwitchboardError('usage', `Cannot ask for confirmation${reason}.`, {nextStep: `Use --yes to ${verb} without confirmation.`});
};

/**
Prints that nothing was done.

@param isCut - true if the command was cut short at the question: that is for `--json` alone, since a person needs no more than the error.
*/
type Report = (isCut: boolean) => Promise<void>;

type Otherwise = {
	/** A sentence that says what stays as it was. */
	readonly ifNo: string;
	readonly report?: Report | undefined;
};

/** Asks a question that only `y` or `yes` confirms, and ends the command otherwise. */
const askForYes = async (context: Context, question: string | (() => Promise<string>), {ifNo, report}: Otherwise): Promise<void> => {
	const askAndReport = async (): Promise<void> => {
		let answer: string;
		try {
			const text = typeof question === 'string' ? question : await question();
			answer = await context.waitFor(async () => ask(context, `${text} [y/N] `));
		} catch (error) {
			if (context.options.isJson && (toSwitchboardError(error).kind === 'interrupted' || context.readSignal.aborted)) {
				await report?.(true);
			}

			throw error;
		}

		if (['y', 'yes'].includes(answer.trim().toLowerCase())) {
			return;
		}

		await report?.(false);
		throw new SwitchboardError('cancelled', ifNo);
	};

	// A signal at the question ends the command only when this is printed.
	await context.finishBeforeExit(askAndReport());
};

/**
Asks a question that only `y` or `yes` confirms, and ends the command otherwise: a script must not take that for success. The time that a
person takes is not counted. Look up first what there is to ask.

@param question - or the look-up of what it has to say.
@throws SwitchboardError `usage` where nobody can answer, `cancelled` if the answer is no, `interrupted` after Ctrl+C.
*/
export const requireYes = async (context: Context, question: string | (() => Promise<string>), {ifNo, report, ...unaskable}: Otherwise & Unaskable): Promise<void> => {
	refuseUnaskable(context, unaskable);
	await askForYes(context, question, {ifNo, report});
};

/**
Asks before a change that scripts make without a question: only on a terminal, without `--yes`, and not in a dry run.

@param ifNo - a sentence that says what stays as it was.
@param printUnchanged - prints the value of `--json` where nothing was done.
@returns true if it was asked and answered with yes; that may have taken long.
@throws SwitchboardError `cancelled` if the answer is no, `interrupted` after Ctrl+C.
*/
export const confirmOnTerminal = async (context: Context, question: string, ifNo: string, printUnchanged?: Report): Promise<boolean> => {
	const isAsked = !context.isSure && !context.isDryRun && isInteractive(context);
	if (isAsked) {
		await askForYes(context, question, {ifNo, report: context.options.isJson ? printUnchanged : undefined});
	}

	return isAsked;
};
