import process from 'node:process';
import {createInterface, type Interface} from 'node:readline';
import {Writable} from 'node:stream';
import {SwitchboardError} from '../../interface/errors.ts';

const inputEnded = (): SwitchboardError => new SwitchboardError('usage', 'The input ended before an answer was given.');

/** Reads the answer to a question; throws if it was interrupted. Prompts go to standard error: standard output is for results. */
const readAnswer = async (lines: Interface, signal?: AbortSignal): Promise<string> => new Promise((resolve, reject) => {
	// Where the input is at its end already, readline neither closes nor keeps the process.
	if (process.stdin.readableEnded || process.stdin.destroyed) {
		reject(inputEnded());
		return;
	}

	lines.once('line', resolve);
	lines.once('SIGINT', () => {
		reject(new SwitchboardError('interrupted', 'Interrupted.'));
	});
	lines.once('close', () => {
		reject(signal?.aborted ? signal.reason as Error : inputEnded());
	});
});

/** Asks for a line of text on the terminal; a signal ends the question. */
export const ask = async (question: string, signal?: AbortSignal): Promise<string> => {
	const lines = createInterface({
		input: process.stdin, output: process.stderr, terminal: true, ...(signal !== undefined && {signal}),
	});
	try {
		lines.setPrompt(question);
		lines.prompt();
		return await readAnswer(lines, signal);
	} catch (error) {
		// The error starts on a new line.
		process.stderr.write('\n');
		throw error;
	} finally {
		lines.close();
	}
};

/** Asks a question that only `y` or `yes` confirms. */
export const askYesOrNo = async (question: string, signal?: AbortSignal): Promise<boolean> => {
	const answer = await ask(`${question} [y/N] `, signal);
	return ['y', 'yes'].includes(answer.trim().toLowerCase());
};

/** Enough to show that keys arrive, too few to wrap or to reveal the length of a secret. */
const shownDots = 24;

/** Asks for a secret on the terminal. Shows dots and keeps no history. */
export const askSecret = async (question: string): Promise<string> => {
	const nowhere = new Writable({
		write(_chunk, _encoding, done) {
			done();
		},
	});
	const lines = createInterface({
		input: process.stdin,
		output: nowhere,
		terminal: true,
		historySize: 0,
	});
	let isAnswered = false;
	const draw = (): void => {
		process.stderr.write(`\r\u{1B}[K${question}${'•'.repeat(Math.min(lines.line.length, shownDots))}`);
	};

	// In the next turn readline has taken the key; several keys at once may have ended the line.
	const drawSoon = (): void => {
		setImmediate(() => {
			if (!isAnswered) {
				draw();
			}
		});
	};

	process.stdin.on('keypress', drawSoon);
	try {
		draw();
		return await readAnswer(lines);
	} finally {
		isAnswered = true;
		process.stdin.off('keypress', drawSoon);
		lines.close();
		process.stderr.write('\n');
	}
};
