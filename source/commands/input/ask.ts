import process from 'node:process';
import {createInterface, type Interface} from 'node:readline';
import {Writable} from 'node:stream';
import {SwitchboardError} from '../../interface/errors.ts';

/** The answer to a line of input, or what ended it. Prompts go to standard error: standard output is for what was asked for. */
const readAnswer = async (lines: Interface, signal?: AbortSignal): Promise<string> => new Promise((resolve, reject) => {
	lines.once('line', resolve);
	lines.once('SIGINT', () => {
		reject(new SwitchboardError('interrupted', 'Interrupted.'));
	});
	lines.once('close', () => {
		reject(signal?.aborted ? signal.reason as Error : new SwitchboardError('usage', 'The input ended before there was an answer.'));
	});
});

/** Asks for a line of text on the terminal, until there is an answer or the signal comes. */
export const ask = async (question: string, signal?: AbortSignal): Promise<string> => {
	const lines = createInterface({
		input: process.stdin, output: process.stderr, terminal: true, ...(signal !== undefined && {signal}),
	});
	try {
		lines.setPrompt(question);
		lines.prompt();
		return await readAnswer(lines, signal);
	} catch (error) {
		// What went wrong is told on a line of its own.
		process.stderr.write('\n');
		throw error;
	} finally {
		lines.close();
	}
};

/** Asks a question that only a `y` or `yes` says yes to. */
export const askYesOrNo = async (question: string, signal?: AbortSignal): Promise<boolean> => {
	const answer = await ask(`${question} [y/N] `, signal);
	return ['y', 'yes'].includes(answer.trim().toLowerCase());
};

/** Wide enough to show that something arrives, too short to wrap or to tell how long a secret is. */
const shownDots = 24;

/** Asks for a secret on the terminal: dots stand for what is typed or pasted, and it is in no history. */
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

	// The line has taken the key when this runs; several that came at once may have ended it.
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
