import {Buffer} from 'node:buffer';
import {type Key} from './key.ts';
import {keysAtTimeout, scanKeys} from './key-scanner.ts';
import {createPasteCollector} from './paste-collector.ts';

export type KeyboardEvents = {
	readonly key: (key: Key) => void;
	/** `isTruncated` where the paste was longer than the megabyte that is kept. */
	readonly paste: (text: string, isTruncated: boolean) => void;
};

/** The two timer functions, so that a test can hold the time. */
export type Timers = {
	setTimeout(callback: () => void, milliseconds: number): unknown;
	clearTimeout(timer: unknown): void;
};

export type KeyReaderOptions = {
	onKey(key: Key): void;
	onPaste(text: string, isTruncated: boolean): void;
	/** How long a lone ESC waits for the rest of a sequence that a slow line has split. */
	readonly escapeDelayMilliseconds?: number | undefined;
	/** How long an open paste, or a sequence that nobody can have typed, waits for its rest. */
	readonly pasteDelayMilliseconds?: number | undefined;
	readonly timers?: Timers | undefined;
};

export type KeyReader = {
	write(chunk: Uint8Array | string): void;
	/** Forgets what is pending; nothing is called after this. */
	close(): void;
};

const systemTimers: Timers = {
	setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
	clearTimeout(timer) {
		clearTimeout(timer as NodeJS.Timeout);
	},
};

/** A run of an answer's payload: neither control characters nor their eight-bit relatives. */
const answerPayload = /^(?:(?!\u{C2}(?:[\u{80}-\u{9F}]|$))[ -~\u{80}-\u{FF}])*/u;

/** The first byte of a terminator whose second has not come. */
const answerTail = /^[\u{1B}\u{C2}]?$/u;

const answerTerminator = /^(?:\u{7}|\u{1B}\\|\u{C2}\u{9C})/u;

/**
Turns the bytes of a terminal's keyboard into keys and pastes, wherever the line has split or joined them: any split of
the same bytes gives the same keys as long as no delay runs out. (A combining mark joins the letter before it only where
both come together.) What is no key (reports and answers of the terminal, unknown sequences, invalid UTF-8) is dropped
whole. A paste presses no keys; it comes cleaned, as text with `\n` for line breaks.
*/
export const createKeyReader = (options: KeyReaderOptions): KeyReader => {
	const {escapeDelayMilliseconds = 100, pasteDelayMilliseconds = 2000, timers = systemTimers} = options;
	const collector = createPasteCollector();
	let mode: 'keys' | 'paste' | 'answer' = 'keys';
	/** Bytes not yet used, one UTF-16 unit each. */
	let pending = '';
	let timer: unknown;
	let isClosed = false;

	const press = (keys: readonly Key[]): void => {
		for (const key of keys) {
			if (!isClosed) {
				options.onKey(key);
			}
		}
	};

	const finishPaste = (): void => {
		const {text, isTruncated} = collector.finish();
		mode = 'keys';
		options.onPaste(text, isTruncated);
	};

	const readPaste = (): void => {
		const rest = collector.add(pending);
		pending = rest ?? '';
		if (rest !== undefined) {
			finishPaste();
		}
	};

	/** An answer ends at BEL or ST; any other control character breaks it off and is a key of its own. */
	const readAnswer = (): void => {
		pending = pending.slice(answerPayload.exec(pending)![0].length);
		if (answerTail.test(pending)) {
			return;
		}

		pending = pending.replace(answerTerminator, '');
		mode = 'keys';
	};

	const readKeys = (): void => {
		const scanned = scanKeys(pending);
		if (scanned.kind === 'partial') {
			return;
		}

		pending = pending.slice(scanned.length);
		if (scanned.kind === 'keys') {
			press(scanned.keys);
		} else {
			mode = scanned.kind;
		}
	};

	const read = {keys: readKeys, paste: readPaste, answer: readAnswer};

	const readPending = (): void => {
		for (;;) {
			const before = {mode, length: pending.length};
			if (before.length === 0) {
				return;
			}

			read[mode]();
			if (mode === before.mode && pending.length === before.length) {
				return;
			}
		}
	};

	const giveUpWaiting = (): void => {
		const given = pending;
		pending = '';
		if (mode === 'paste') {
			finishPaste();
		} else if (mode === 'keys') {
			press(keysAtTimeout(given));
		}

		mode = 'keys';
	};

	const waitForRest = (): void => {
		if (isClosed || (mode === 'keys' && pending === '')) {
			return;
		}

		const scanned = mode === 'keys' ? scanKeys(pending) : undefined;
		const isTyped = scanned?.kind === 'partial' && scanned.isTyped;
		timer = timers.setTimeout(giveUpWaiting, isTyped ? escapeDelayMilliseconds : pasteDelayMilliseconds);
	};

	return {
		write(chunk) {
			if (isClosed || chunk.length === 0) {
				return;
			}

			const bytes = Buffer.from(chunk as string).toString('latin1');
			// Somebody who presses Ctrl+C again and again must not hold an endless paste open by that.
			const isImpatience = mode === 'paste' && /^\u{3}+$/u.test(bytes);
			pending += bytes;
			if (isImpatience) {
				return;
			}

			timers.clearTimeout(timer);
			readPending();
			waitForRest();
		},
		close() {
			isClosed = true;
			pending = '';
			timers.clearTimeout(timer);
		},
	};
};
