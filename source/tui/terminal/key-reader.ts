import {Buffer} from 'node:buffer';
import {systemClock, type Clock} from './clock.ts';
import {type Key} from './key.ts';
import {keysAtTimeout, scanKeys} from './key-scanner.ts';
import {createPasteCollector} from './paste-collector.ts';

export type KeyboardEvents = {
	readonly key: (key: Key) => void;
	/** `isTruncated` if the paste was longer than one megabyte, the most that is kept; `raw` is not cleaned. */
	readonly paste: (text: string, isTruncated: boolean, raw: string) => void;
};

export type KeyReaderEvents = KeyboardEvents & {
	/** The terminal has answered a status request. */
	readonly status?: (() => void) | undefined;
};

export type KeyReader = {
	write(chunk: Uint8Array | string): void;
	/** Discards pending bytes; no event is sent after this. */
	close(): void;
};

/** How long a lone ESC waits for the rest of a sequence that a slow connection has split. */
const escapeDelayMilliseconds = 100;

/** How long an open paste, or a sequence that cannot have been typed, waits for the rest. */
const pasteDelayMilliseconds = 2000;

/** A run of a response's payload: no control characters, neither C0 nor C1. */
const responsePayload = /^(?:(?!\u{C2}(?:[\u{80}-\u{9F}]|$))[ -~\u{80}-\u{FF}])*/u;

/** The first byte of a terminator whose second byte has not arrived. */
const responseTail = /^[\u{1B}\u{C2}]?$/u;

const responseTerminator = /^(?:\u{7}|\u{1B}\\|\u{C2}\u{9C})/u;

/**
Turns the bytes of a terminal's keyboard into keys and pastes, however they were split or joined on the way: any split of
the same bytes gives the same keys as long as no delay expires. (A combining mark joins the letter before it only if both
arrive together.) Anything else (other reports and responses of the terminal, unknown sequences, invalid UTF-8) is dropped
whole. A paste presses no keys; its text is cleaned, with `\n` for line breaks.
*/
export const createKeyReader = (events: KeyReaderEvents, clock: Pick<Clock, 'after'> = systemClock): KeyReader => {
	const collector = createPasteCollector();
	let mode: 'keys' | 'paste' | 'response' = 'keys';
	/** Bytes not read yet, one UTF-16 unit each. */
	let pending = '';
	let cancelTimeout = (): void => undefined;
	let isClosed = false;
	/** True while the bytes that are read begin with an ESC that came before the others. */
	let isEscapeApart = false;

	const press = (keys: readonly Key[]): void => {
		for (const key of keys) {
			if (!isClosed) {
				events.key(key);
			}
		}
	};

	const finishPaste = (): void => {
		const {text, isTruncated, raw} = collector.finish();
		mode = 'keys';
		events.paste(text, isTruncated, raw);
	};

	const readPaste = (): void => {
		const rest = collector.add(pending);
		pending = rest ?? '';
		if (rest !== undefined) {
			finishPaste();
		}
	};

	/** A response ends at BEL or ST; any other control character interrupts it and is read as a key. */
	const readResponse = (): void => {
		pending = pending.slice(responsePayload.exec(pending)![0].length);
		if (responseTail.test(pending)) {
			return;
		}

		pending = pending.replace(responseTerminator, '');
		mode = 'keys';
	};

	const readKeys = (): void => {
		const scanned = scanKeys(pending);
		if (scanned.kind === 'incomplete') {
			return;
		}

		pending = pending.slice(scanned.length);
		if (scanned.kind === 'keys') {
			press(isEscapeApart ? scanned.keys.map(key => key.name.startsWith('alt+') ? {...key, isInTwoParts: true} : key) : scanned.keys);
		} else if (scanned.kind === 'status') {
			events.status?.();
		} else {
			mode = scanned.kind;
		}

		isEscapeApart = false;
	};

	const read = {keys: readKeys, paste: readPaste, response: readResponse};

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
		const incomplete = pending;
		pending = '';
		if (mode === 'paste') {
			finishPaste();
		} else if (mode === 'keys') {
			press(keysAtTimeout(incomplete));
		}

		mode = 'keys';
	};

	const waitForRest = (): void => {
		if (isClosed || (mode === 'keys' && pending === '')) {
			return;
		}

		const scanned = mode === 'keys' ? scanKeys(pending) : undefined;
		const mayBeComplete = scanned?.kind === 'incomplete' && scanned.mayBeComplete;
		cancelTimeout = clock.after(mayBeComplete ? escapeDelayMilliseconds : pasteDelayMilliseconds, giveUpWaiting);
	};

	return {
		write(chunk) {
			if (isClosed || chunk.length === 0) {
				return;
			}

			const bytes = Buffer.from(chunk as string).toString('latin1');
			// Pressing Ctrl+C again and again must not keep an unfinished paste open.
			const isRepeatedInterrupt = mode === 'paste' && /^\u{3}+$/u.test(bytes);
			pending += bytes;
			if (isRepeatedInterrupt) {
				return;
			}

			cancelTimeout();
			isEscapeApart = mode === 'keys' && pending === `\u{1B}${bytes}`;
			readPending();
			waitForRest();
		},
		close() {
			isClosed = true;
			pending = '';
			cancelTimeout();
		},
	};
};
