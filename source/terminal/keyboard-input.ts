import {Buffer} from 'node:buffer';
import {cleanInput} from '../interface/clean-text.ts';
import type {InputStream} from '../platform/standard-streams.ts';
import type {EarlyInput} from './early-input.ts';
import {withPlainKeys} from './encoded-keys.ts';
import {chunkOf, type Chunk, type Key} from './key.ts';
import {isRestOfReport, type MouseReport} from './mouse.ts';
import {decodeUtf8, keysAtTimeout, scanKeys} from './key-scanner.ts';

/** How long a lone ESC waits for the rest of a sequence that a slow connection has split. */
const escapeDelayMilliseconds = 100;

/** How long an open paste, or a sequence that cannot have been typed, waits for the rest. */
const pasteDelayMilliseconds = 2000;

const pasteEnd = '\u{1B}[201~';

const maximumPasteBytes = 1024 * 1024;

/** The bytes at the end that may begin the end marker of a paste. */
const pasteEndStart = /\u{1B}(?:\[(?:2(?:01?)?)?)?$/u;

/** The beginning of a sequence that may have been given up before its rest arrived: Escape, which may have been pressed, or more. */
const sequenceStart = /^\u{1B}(?:\[[\d:;<]*)?$/u;

type KeyboardEvents = {
	/** `chunk` if the keys that arrived together look like a text. */
	readonly key: (key: Key, chunk?: Chunk) => void;
	/** `isTruncated` if the paste was longer than one megabyte, the limit; `raw` is not cleaned. */
	readonly paste: (text: string, isTruncated: boolean, raw: string) => void;
	readonly mouse?: (event: MouseReport) => void;
};

/**
Turns the bytes of a terminal's keyboard into keys and pastes, however they were split or joined on the way: the result does not depend on
the split as long as no delay expires. (A combining mark joins the letter before it only if both arrive together.) Anything else (other
reports and responses of the terminal, unknown sequences, invalid UTF-8) is dropped whole. A paste presses no keys; its text is cleaned,
with `\n` for line breaks.

@param isMoreOnTheWay - while this is true, no delay is over.
*/
export function createKeyReader(events: KeyboardEvents & {readonly status?: () => void}, isMoreOnTheWay = (): boolean => false) {
	let mode: 'keys' | 'paste' | 'response' = 'keys';
	/** Bytes not read yet, one UTF-16 unit each. */
	let pending = '';
	let pasted: string[] = [];
	let pastedLength = 0;
	let timer: NodeJS.Timeout | undefined;
	let isClosed = false;
	/** True while the pending bytes begin with an ESC that arrived before the others. */
	let isEscapeApart = false;
	/** The beginning of a sequence that was given up because the connection stalled: its rest must not be pressed as keys. */
	let givenUp = '';

	/** Read but not sent yet: whether keys are a text depends on all keys that arrived with them. */
	let unsent: Array<Key | (() => void)> = [];

	const press = (keys: readonly Key[]): void => {
		for (const key of keys) {
			unsent.push(isEscapeApart && key.name.startsWith('alt+') ? {...key, isInTwoParts: true} : key);
		}
	};

	const send = (): void => {
		const sending = unsent;
		unsent = [];
		const chunk = chunkOf(sending.filter(event => typeof event !== 'function'));
		for (const event of sending) {
			if (isClosed) {
				return;
			}

			if (typeof event === 'function') {
				event();
			} else {
				events.key(event, chunk);
			}
		}
	};

	const keepPasted = (length: number): void => {
		pasted.push(pending.slice(0, Math.min(length, Math.max(0, maximumPasteBytes - pastedLength))));
		pastedLength += length;
		pending = pending.slice(length);
	};

	const finishPaste = (): void => {
		const raw = decodeUtf8(pasted.join('')).replaceAll(/\r\n?/g, '\n');
		const isTruncated = pastedLength > maximumPasteBytes;
		mode = 'keys';
		pasted = [];
		pastedLength = 0;
		unsent.push(() => events.paste(cleanInput(raw.replaceAll('\u{FFFD}', ''), Infinity), isTruncated, raw));
	};

	const readPaste = (): void => {
		const end = pending.indexOf(pasteEnd);
		if (end === -1) {
			keepPasted(pending.length - (pasteEndStart.exec(pending)?.[0].length ?? 0));
			return;
		}

		keepPasted(end);
		pending = pending.slice(pasteEnd.length);
		finishPaste();
	};

	/** A response ends at BEL or ST; any other control character interrupts it and is read as a key. */
	const readResponse = (): void => {
		pending = pending.replace(/^[ -~\u{80}-\u{FF}]*/u, '');
		// A terminator of two bytes may be split.
		if (pending === '' || pending === '\u{1B}') {
			return;
		}

		pending = pending.replace(/^(?:\u{7}|\u{1B}\\)/u, '');
		mode = 'keys';
	};

	const readKeys = (): void => {
		const scanned = scanKeys(pending);
		if (scanned.kind === 'incomplete') {
			return;
		}

		pending = pending.slice(scanned.length);
		switch (scanned.kind) {
			case 'keys': {
				press(scanned.keys);
				break;
			}

			case 'mouse': {
				unsent.push(() => events.mouse?.(scanned.mouse));
				break;
			}

			case 'status': {
				unsent.push(() => events.status?.());
				break;
			}

			default: {
				mode = scanned.kind;
			}
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
		isEscapeApart = false;
		if (mode === 'paste') {
			finishPaste();
		} else if (mode === 'keys') {
			givenUp = sequenceStart.test(incomplete) ? incomplete : '';
			press(keysAtTimeout(incomplete));
		}

		mode = 'keys';
		send();
	};

	const waitForRest = (milliseconds: number): void => {
		timer = setTimeout(() => {
			if (isMoreOnTheWay()) {
				waitForRest(milliseconds);
			} else {
				giveUpWaiting();
			}
		}, milliseconds);
	};

	return {
		write(chunk: Uint8Array | string): void {
			if (isClosed || chunk.length === 0) {
				return;
			}

			const bytes = Buffer.from(chunk as string).toString('latin1');
			pending += givenUp !== '' && isRestOf(givenUp, bytes) ? givenUp + bytes : bytes;
			givenUp = '';
			// Pressing Ctrl+C again and again must not keep an unfinished paste open.
			if (mode === 'paste' && /^\u{3}+$/u.test(withPlainKeys(bytes))) {
				return;
			}

			clearTimeout(timer);
			isEscapeApart = mode === 'keys' && pending === `\u{1B}${bytes}`;
			readPending();
			send();
			if (isClosed || (mode === 'keys' && pending === '')) {
				return;
			}

			const scanned = mode === 'keys' ? scanKeys(pending) : undefined;
			const mayBeComplete = scanned?.kind === 'incomplete' && scanned.mayBeComplete;
			waitForRest(mayBeComplete ? escapeDelayMilliseconds : pasteDelayMilliseconds);
		},
		/** Discards pending bytes; no event is sent after this. */
		close(): void {
			isClosed = true;
			pending = '';
			clearTimeout(timer);
		},
	};
}

/**
Tells whether these bytes, up to the last one, continue a sequence that was given up: a key, an answer to a status request, or a paste.
*/
function isRestOf(start: string, bytes: string): boolean {
	if (isRestOfReport(start, bytes)) {
		return true;
	}

	const whole = start + bytes;
	const scanned = /^\u{1B}[O[]/u.test(whole) ? scanKeys(whole) : undefined;
	return (
		scanned?.kind === 'paste' ||
		(scanned?.kind === 'status' && scanned.length === whole.length) ||
		(scanned?.kind === 'keys' && scanned.length === whole.length && scanned.keys.length === 1)
	);
}

/** At least this many keys are taken in one turn of the event loop, and drawn once. */
const fewestEventsInATurn = 32;

/** More keys are taken for this long; then the other users of the process get their turn. */
const turnMilliseconds = 10;

type KeyboardOptions = {
	readonly stdin: InputStream;
	readonly earlyInput?: EarlyInput | undefined;
	/** True if the mouse was requested; otherwise its reports, which another program may have left on, are dropped. */
	readonly isMouseOn: boolean;
	/** Called at once, held or not, when the terminal answers a status request. */
	readonly onStatus: () => void;
	/** Wraps a callback so that it never throws. */
	readonly contained: <Parameters extends readonly unknown[]>(
		callback: (...parameters: Parameters) => void,
	) => (...parameters: Parameters) => void;
};

type KeyboardListener = KeyboardEvents & {
	/** Resolves when the next event can be taken; `undefined` if it can be at once. */
	readonly whenReady?: Promise<void> | undefined;
};

/**
Reads the keyboard from a raw stream, from the first `listen` on. Input that comes faster than it can be taken is taken in
turns of the event loop, and the stream waits meanwhile.
*/
export function createKeyboardInput({stdin, earlyInput, isMouseOn, onStatus, contained}: KeyboardOptions) {
	let listener: KeyboardListener | undefined;
	/** While true, the rest of a chunk is held: its first key may lend the terminal. */
	let isHolding = false;
	let isClosed = false;
	let isStreamWaiting = false;
	/** True until the next turn, or until the listener is ready. */
	let isTurnOver = false;
	let turnEnd = 0;
	let eventsInTurn = 0;
	/** Read, and from the index `next` on not sent yet. */
	const events: Array<() => void> = [];
	let next = 0;

	const startTurn = contained(() => {
		isTurnOver = false;
		turnEnd = performance.now() + turnMilliseconds;
		eventsInTurn = 0;
		work();
	});

	const endTurn = async (ready: Promise<void> | undefined): Promise<void> => {
		isTurnOver = true;
		await (ready ??
			new Promise(resolve => {
				setImmediate(resolve);
			}));
		startTurn();
	};

	const isSending = (): boolean => !isHolding && !isTurnOver && next < events.length;

	/**
	Sends events until the turn is over. The stream waits while events are left, unless they are held, because answers to requests must
	still be read then.
	*/
	const work = (): void => {
		while (isSending()) {
			eventsInTurn++;
			events[next++]!();
			const ready = listener?.whenReady;
			if (ready !== undefined || (eventsInTurn >= fewestEventsInATurn && performance.now() >= turnEnd)) {
				void endTurn(ready);
			}
		}

		const isWaiting = !isHolding && next < events.length;
		if (next >= events.length) {
			events.length = 0;
			next = 0;
		}

		if (isClosed || isWaiting === isStreamWaiting) {
			return;
		}

		isStreamWaiting = isWaiting;
		if (isWaiting) {
			stdin.pause();
		} else {
			stdin.resume();
		}
	};

	const enqueue = contained((event: () => void) => {
		events.push(event);
		work();
	});

	const reader = createKeyReader(
		{
			status: onStatus,
			key(key, chunk) {
				enqueue(() => {
					listener?.key(key, chunk);
				});
			},
			paste(text, isTruncated, raw) {
				enqueue(() => {
					listener?.paste(text, isTruncated, raw);
				});
			},
			mouse(event) {
				if (isMouseOn) {
					enqueue(() => {
						listener?.mouse?.(event);
					});
				}
			},
			// While the stream waits, the rest of a sequence may have arrived already.
		},
		() => isStreamWaiting,
	);

	const onData = contained((chunk: Uint8Array | string) => {
		turnEnd = performance.now() + turnMilliseconds;
		eventsInTurn = 0;
		reader.write(chunk);
	});

	return {
		/** Sends keys and pastes to this listener from now on, earlier ones first. */
		listen(newListener: KeyboardListener): void {
			const isListening = listener !== undefined;
			listener = newListener;
			if (isListening) {
				return;
			}

			const typed = earlyInput?.take() ?? '';
			stdin.on('data', onData);
			onData(typed);
		},
		/** Holds events until `release`. */
		hold(): void {
			isHolding = true;
			work();
		},
		release(): void {
			isHolding = false;
			// An event may lend the terminal again: the rest are then held again.
			work();
		},
		close(): void {
			isClosed = true;
			events.length = 0;
			reader.close();
			stdin.off('data', onData);
		},
	};
}
