import {createInterface} from 'node:readline';
import {PassThrough, Writable} from 'node:stream';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {SwitchboardError, throwIfAny} from '../../interface/errors.ts';
import type {InputStream} from '../../platform/standard-streams.ts';
import type {Key} from '../../terminal/key.ts';
import type {Context} from '../context.ts';
import {inputEnded, openPromptKeyboard, pressInLine} from './prompt-keyboard.ts';

type Question = {
	readonly text: string;
	/** Only dots are shown for the answer. */
	readonly isSecret?: boolean;
	/** Drops text that was typed before the question was shown, as it was not meant as its answer. */
	readonly isFresh?: boolean;
};

type Asking = Pick<Context, 'streams' | 'signal' | 'env' | 'note'>;

/** The line with the answer. */
type Line = {press(key: Key): void; insert(text: string): void; draw(): void; close(): void};

type LineOptions = {
	readonly question: Question;
	readonly stderr: Context['streams']['stderr'];
	readonly onAnswer: (answer: string) => void;
	readonly onEnd: () => void;
};

/** Keys that arrived together with the answer to a question, after it. */
const leftOver = new WeakMap<InputStream, readonly Key[]>();

/**
Asks for a line of text on the terminal. Prompts go to standard error: standard output is for results.

@throws SwitchboardError `interrupted` after Ctrl+C, `usage` at the end of the input, and the reason of the signal.
*/
export async function ask(context: Asking, question: Question): Promise<string> {
	const {signal, env} = context;
	const {stdin, stderr} = context.streams;
	const {promise: answered, resolve, reject} = Promise.withResolvers<string>();
	/** Typed before the question, or after its answer. */
	const others = [...(leftOver.get(stdin) ?? [])];
	let line: Line | undefined;
	let hasAnswer = false;
	let failure: Error | undefined;
	const fail = (error: Error): void => {
		failure ??= error;
		reject(error);
	};

	const onAbort = (): void => fail(signal.reason as Error);

	// Until the question is asked, nobody waits for the answer.
	answered.catch(() => undefined);
	const keyboard = openPromptKeyboard(
		{stdin},
		{
			key(key) {
				if (line === undefined || hasAnswer) {
					others.push(key);
				} else if (key.name === 'ctrl+c') {
					fail(interrupted());
				} else {
					line.press(key);
				}
			},
			paste(text) {
				// A line break in a paste is not an answer.
				line?.insert(text.trim().replaceAll(/\s+/g, ' '));
			},
			draw: () => line?.draw(),
			end: fail,
		},
	);
	signal.addEventListener('abort', onAbort, {once: true});
	try {
		signal.throwIfAborted();
		if (question.isFresh) {
			await readTyped(others);
			dropTyped(context, others);
		}

		throwIfAny(failure);

		line = (env['TERM'] === 'dumb' ? openPlainLine : openLine)({
			question,
			stderr,
			onAnswer(answer) {
				hasAnswer = true;
				resolve(answer);
			},
			onEnd: () => fail(inputEnded()),
		});
		line.draw();
		const answer = await answered;
		return question.isSecret ? answer + (await readRest(others)) : answer;
	} catch (error) {
		// The error starts on a new line.
		stderr.write('\n');
		throw error;
	} finally {
		signal.removeEventListener('abort', onAbort);
		keyboard.close();
		line?.close();
		leftOver.set(stdin, others);
	}
}

const interrupted = (): SwitchboardError => new SwitchboardError('interrupted', 'Interrupted.');

const quietTurns = 5;

/** A person who types without an end is asked all the same. */
const mostTurns = 1000;

/** Reads until no more keys arrive: there is no other way to learn what the terminal holds. */
async function readTyped(keys: readonly Key[]): Promise<void> {
	for (let turn = 0, quiet = 0; turn < mostTurns && quiet < quietTurns; turn++) {
		const {length} = keys;
		await nextTurn();
		quiet = keys.length === length ? quiet + 1 : 0;
	}
}

/**
Returns the rest of a secret that was pasted with a line break in it, on a terminal that does not mark pastes: it does not answer the next
question.
*/
async function readRest(keys: Key[]): Promise<string> {
	await readTyped(keys);
	const typed = keys.splice(0);
	if (typed.some(({name}) => name === 'ctrl+c')) {
		throw interrupted();
	}

	const rest = typed.map(({name, text}) => (name === 'enter' ? '\n' : text)).join('');
	return rest === '' ? '' : `\n${rest}`;
}

/** @throws SwitchboardError if the end of the input, or Ctrl+C, is among the keys. */
function dropTyped({streams: {stderr}, env, note}: Asking, keys: Key[]): void {
	const names = new Set(keys.splice(0).map(({name}) => name));
	if (names.size === 0) {
		return;
	}

	// The terminal itself has shown it.
	stderr.write(env['TERM'] === 'dumb' ? '\n' : '\r\u{1B}[K');
	if (names.has('ctrl+c')) {
		throw interrupted();
	}

	// Linux keeps a Ctrl+D that was typed in line mode as a zero.
	if (names.has('ctrl+d') || names.has('ctrl+space')) {
		throw inputEnded();
	}

	note('Keys typed before the question were dropped.');
}

/** Enough to show that keys arrive, too few to wrap or to reveal the length of a secret. */
const shownDots = 24;

function openLine({question: {text: prompt, isSecret = false}, stderr, onAnswer, onEnd}: LineOptions): Line {
	const nowhere = new Writable({write: (_chunk, _encoding, done) => done()});
	const lines = createInterface({input: new PassThrough(), output: isSecret ? nowhere : stderr, terminal: true, historySize: 0, prompt});
	let isClosed = false;
	lines.once('line', answer => {
		isClosed = true;
		if (isSecret) {
			stderr.write('\n');
		}

		onAnswer(answer);
	});
	lines.once('close', () => {
		isClosed = true;
		onEnd();
	});

	const drawDots = (): void => {
		if (!isClosed) {
			stderr.write(`\r\u{1B}[K${prompt}${'•'.repeat(Math.min(lines.line.length, shownDots))}`);
		}
	};

	// Keys that arrive together, as in a paste, are drawn once.
	let isDrawing = false;
	const drawSoon = (): void => {
		if (!isSecret || isDrawing) {
			return;
		}

		isDrawing = true;
		setImmediate(() => {
			isDrawing = false;
			drawDots();
		});
	};

	return {
		press(key) {
			pressInLine(lines, key);
			drawSoon();
		},
		insert(text) {
			lines.write(text);
			drawSoon();
		},
		draw() {
			if (isSecret) {
				drawDots();
				return;
			}

			// Readline goes up by the number of rows that the line has taken.
			stderr.write('\n'.repeat(lines.getCursorPos().rows));
			lines.prompt(true);
		},
		close: () => lines.close(),
	};
}

/** For a terminal that shows only text. */
function openPlainLine({question: {text: prompt, isSecret = false}, stderr, onAnswer, onEnd}: LineOptions): Line {
	let line = '';
	const show = (text: string): void => {
		stderr.write(isSecret ? '' : text);
	};

	const insert = (text: string): void => {
		line += text;
		show(text);
	};

	const replaceWith = (text: string): void => {
		line = text;
		show(`\n${prompt}${line}`);
	};

	const pressNamed: Readonly<Record<string, () => void>> = {
		enter() {
			stderr.write('\n');
			onAnswer(line);
		},
		backspace: () => replaceWith([...line].slice(0, -1).join('')),
		'ctrl+u': () => replaceWith(''),
		'ctrl+d'() {
			if (line === '') {
				onEnd();
			}
		},
	};
	return {
		press({name, text}) {
			if (text === '') {
				pressNamed[name]?.();
			} else {
				insert(text);
			}
		},
		insert,
		draw() {
			stderr.write(prompt);
			show(line);
		},
		close() {
			/* Nothing is open. */
		},
	};
}
