import {createInterface, type Interface} from 'node:readline';
import {Writable} from 'node:stream';
import {SwitchboardError} from '../../interface/errors.ts';
import {signalErrors} from '../../interface/signal-errors.ts';
import type {Context} from '../context.ts';

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

/** Asks a question that only `y` or `yes` confirms. */
export const askYesOrNo = async (context: Asking, question: string): Promise<boolean> => {
	const answer = await ask(context, `${question} [y/N] `);
	return ['y', 'yes'].includes(answer.trim().toLowerCase());
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
