import {clearScreenDown, createInterface, cursorTo, moveCursor} from 'node:readline';
import {PassThrough} from 'node:stream';
import {cleanLines} from '../../interface/clean-text.ts';
import {maximumPhraseLength} from '../../interface/conversation.ts';
import {formatCount} from '../../interface/format-count.ts';
import type {Key} from '../../terminal/key.ts';
import {paint, type Context, type PrintTone} from '../context.ts';
import {openPromptKeyboard, pressInLine} from './prompt-keyboard.ts';

type Events = {
	readonly line: (text: string) => void;
	/** Several lines were pasted and confirmed as one phrase. */
	readonly phrase: (text: string) => void;
	readonly interrupt: () => void;
	readonly end: () => void;
};

/** The output of a service that floods a terminal is drawn at most this often. */
const drawMilliseconds = 50;

/** Further lines between two drawings are left out. */
const mostLines = 500;

/** A terminal that does not mark pastes types them, sometimes line by line: Enter waits this long for more text. */
const pasteMilliseconds = 100;

const typesText = ({text}: Key): boolean => text !== '';

const isEnter = ({name}: Key): boolean => name === 'enter';

/** Returns an input line at the bottom of a terminal; other texts are printed above it. */
export function openTalkLine(context: Pick<Context, 'streams' | 'options' | 'print'>, signal: AbortSignal, events: Events) {
	const {stdin, stdout} = context.streams;
	const prompt = '> ';
	const lines = createInterface({input: new PassThrough(), output: stdout, terminal: true, prompt, removeHistoryDuplicates: true, signal});
	let waiting: string[] = [];
	let timer: NodeJS.Timeout | undefined;
	let isClosed = false;
	let together: Key[] = [];
	let togetherTimer: NodeJS.Timeout | undefined;
	/** Pasted, and not confirmed yet. */
	let pasted: string | undefined;

	const drawLine = (): void => {
		if (!isClosed) {
			lines.prompt(true);
		}
	};

	const draw = (): void => {
		clearTimeout(timer);
		timer = undefined;
		if (waiting.length === 0) {
			return;
		}

		// The line may take several rows. Readline goes up by this many before it redraws the line.
		const {rows} = lines.getCursorPos();
		moveCursor(stdout, 0, -rows);
		cursorTo(stdout, 0);
		clearScreenDown(stdout);
		context.print(waiting.join('\n') + '\n'.repeat(rows));
		waiting = [];
		drawLine();
	};

	const show = (text: string, tone?: PrintTone): void => {
		if (waiting.length < mostLines) {
			waiting.push(paint(context, tone, text));
		}

		timer ??= setTimeout(draw, drawMilliseconds);
	};

	const clearLine = (): void => {
		lines.write(null, {ctrl: true, name: 'e'});
		lines.write(null, {ctrl: true, name: 'u'});
	};

	const takeAnswer = (isYes: boolean): void => {
		const phrase = pasted!;
		pasted = undefined;
		lines.setPrompt(prompt);
		if (isYes) {
			events.phrase(phrase);
		} else {
			show('Not said.', 'quiet');
		}
	};

	/** Asks whether to say a paste. More of it may arrive after the question. */
	const offer = (text: string): void => {
		const parts = text
			.split('\n')
			.map(part => part.trim())
			.filter(Boolean);
		if (parts.length < 2 && pasted === undefined) {
			lines.write(parts.join(''));
			return;
		}

		pasted = [pasted ?? lines.line.trim(), ...parts].filter(Boolean).join(' ');
		clearLine();
		if (pasted.length > maximumPhraseLength) {
			show(`Pasted, ${formatCount(pasted.length)} characters: a phrase may have ${formatCount(maximumPhraseLength)} at most.`, 'error');
			takeAnswer(false);
			drawLine();
			return;
		}

		lines.setPrompt('Say it as one phrase? [y/N] ');
		show(`Pasted, ${formatCount(pasted.length)} characters: ${cleanLines(pasted)}`, 'quiet');
		draw();
	};

	const press = (): void => {
		const keys = together;
		together = [];
		if (keys.some((key, index) => isEnter(key) && keys.slice(index).some(later => typesText(later)))) {
			offer(keys.map(key => (isEnter(key) ? '\n' : key.text)).join(''));
			return;
		}

		for (const key of keys) {
			pressInLine(lines, key);
		}
	};

	const keyboard = openPromptKeyboard(
		{stdin, pasteOutput: stdout},
		{
			key(key) {
				clearTimeout(togetherTimer);
				if (key.name !== 'ctrl+c') {
					together.push(key);
					togetherTimer = setTimeout(
						press,
						together.some(each => typesText(each)) && together.some(each => isEnter(each)) ? pasteMilliseconds : 0,
					);
					return;
				}

				together = [];
				if (pasted === undefined) {
					events.interrupt();
					return;
				}

				clearLine();
				takeAnswer(false);
				drawLine();
			},
			paste(text) {
				clearTimeout(togetherTimer);
				press();
				offer(text);
			},
			draw() {
				stdout.write('\n'.repeat(lines.getCursorPos().rows));
				drawLine();
			},
			end: events.end,
		},
	);
	// Up recalls a paste, not the answer to its question.
	lines.on('history', history => {
		history[0] = pasted ?? history[0]!;
	});
	lines.on('line', line => {
		if (pasted === undefined) {
			events.line(line);
		} else {
			takeAnswer(['y', 'yes'].includes(line.trim().toLowerCase()));
		}

		drawLine();
	});
	lines.once('close', () => {
		isClosed = true;
		events.end();
	});

	return {
		prompt: drawLine,
		/** Prints a text that is safe for a terminal. */
		show,
		close(): void {
			draw();
			clearTimeout(togetherTimer);
			keyboard.close();
			lines.close();
			stdout.write('\n');
		},
	};
}
