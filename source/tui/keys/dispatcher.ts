import {createContext, useContext, useEffect, useInsertionEffect, useLayoutEffect, useRef, useState} from 'react';
import {withDeadline} from '../observable.ts';
import {characterKey, namedKey, type Chunk, type Key} from '../../terminal/key.ts';
import type {MouseReport} from '../../terminal/mouse.ts';
import type {ActionName} from '../../words/key-table.ts';
import {createReadingTime} from './reading-time.ts';

/**
`true`: used. `false`: not mine, ask the next handler. `'forward'`: for the focused Ink field. `'settle'`: used, and the next key waits
until the screen has changed, for example because another field has the focus now. `'settled'`: used, and the next key need not wait, even
in an overlay or a field.
*/
export type KeyAnswer = boolean | 'forward' | 'settle' | 'settled';

/** The layers of the dispatcher, from the bottom. In a layer, an overlay that was opened later is above. */
export const layers = {
	application: 0,
	screen: 1,
	overlay: 2,
	/** The fields of a form are above it: the form gets the keys that they do not use. */
	form: 3,
	field: 4,
	/** A line that is typed above a list or a text, such as a filter. */
	line: 5,
	/** A question is above its subject, which stays on the screen and must not get the answer. */
	question: 6,
	/** Keys that work even under an overlay. */
	program: 7,
} as const;

/**
The lowest layer that gets a key while a handler of this one is open. Keys that a text input does not use are dropped: a typing mistake in a
filter must not switch an ability behind it.
*/
const floors: ReadonlyMap<number, number> = new Map([
	[layers.form, layers.form],
	[layers.field, layers.form],
	[layers.line, layers.line],
]);

const nextTurn = async (): Promise<void> =>
	new Promise(resolve => {
		setImmediate(resolve);
	});

/**
The longest wait for the effect of a key: a screen that fails to open must not block the keyboard. Loading a screen may take seconds on a
busy machine.
*/
const patienceMilliseconds = 10_000;

type KeyHandler = {
	onKey?(key: Key): KeyAnswer;
	onAction?(name: ActionName): boolean;
	/** Takes pasted text; returns true if it did. `isTruncated` if the paste was longer than the limit; `raw` is not cleaned. */
	onPaste?(text: string, isTruncated: boolean, raw: string): boolean;
	/** Takes a click or a step of the wheel; returns true if it did. */
	onMouse?(event: MouseReport): boolean;
	/** False while it takes neither keys nor pastes; the frame on the screen may be older. */
	isOpen?(): boolean;
};

type DispatcherOptions = {
	readonly readingTime?: ReturnType<typeof createReadingTime>;
	/** Gives a key to the focused field of Ink. */
	readonly forward?: (key: Key) => void;
	/** Called before each key and paste. */
	readonly onActivity?: () => void;
	/** Called with the errors of handlers. Without it, they are thrown at the source of the key. */
	readonly onError?: (error: unknown) => void;
};

type Entry = {readonly layer: number; readonly order: number; readonly handler: KeyHandler};

/**
Offers each key to the handlers, from the top, until one uses it. After a key for an overlay or a field, the next key waits until that is
drawn, and until a screen that is being loaded takes keys, so that it acts on the result of the first one: an address, Enter and a key may
arrive in one chunk. The lists keep their state outside React and need no wait.
*/
export function createDispatcher({readingTime = createReadingTime(), forward, onActivity, onError}: DispatcherOptions = {}) {
	let entries: readonly Entry[] = [];
	let order = 0;
	let drawn: () => Promise<void> = nextTurn;
	const waiting: Array<() => boolean> = [];
	/** The question to which the current key may say Yes. */
	let answered: unknown;
	let isBusy = false;
	let ready: PromiseWithResolvers<void> | undefined;
	/** Set while a screen is being loaded. */
	let held: PromiseWithResolvers<void> | undefined;

	/** The entries that a key or a paste reaches now, from the top. */
	const reached = (): readonly Entry[] => {
		const open = entries.filter(({handler}) => handler.isOpen?.() ?? true);
		const floor = Math.max(...open.map(({layer}) => floors.get(layer) ?? layers.application));
		return open.filter(({layer}) => layer >= floor);
	};

	/** True if keys type text. */
	const isTypedAt = (): boolean => reached().some(({layer}) => floors.has(layer));

	/** Returns whether the next key must wait; `undefined` if nothing used this key. */
	const offer = (key: Key): boolean | undefined => {
		for (const {layer, handler} of reached()) {
			const answer = handler.onKey?.(key) ?? false;
			if (answer === 'forward') {
				forward?.(key);
				return true;
			}

			if (answer !== false) {
				return answer === 'settle' || (answer !== 'settled' && layer >= layers.overlay);
			}
		}

		return undefined;
	};

	/**
	In a text input, Alt and a key are one key: Alt moves by words there, while Escape would lose the typed text, and the other key would
	act behind it. But if nothing uses it, and it arrived in two parts, these were Escape and a key.
	*/
	const offerWhole = (key: Key): boolean | undefined => {
		const [first, ...others] = withoutAlt(key);
		if (others.length === 0) {
			return offer(key);
		}

		const isTyping = isTypedAt();
		const answer = isTyping ? offer(key) : undefined;
		if (answer !== undefined || (isTyping && !key.isInTwoParts)) {
			return answer;
		}

		waiting.unshift(...others.map(each => () => offer(each) ?? false));
		return offer(first!);
	};

	const offerPaste = (...paste: Parameters<NonNullable<KeyHandler['onPaste']>>): boolean => {
		for (const {layer, handler} of reached()) {
			if (handler.onPaste?.(...paste)) {
				return layer >= layers.overlay;
			}
		}

		return false;
	};

	/** Keys that look like a text are one paste if no text is being typed. A Ctrl+C among them still counts. */
	const offerFrom = (key: Key, chunk: Chunk | undefined): boolean => {
		if (chunk !== undefined && chunk.isPasted === undefined) {
			chunk.isPasted = !isTypedAt();
			if (chunk.isPasted) {
				waiting.unshift(() => offerFrom(key, chunk));
				return offerPaste(chunk.text, false, chunk.text);
			}
		}

		return chunk?.isPasted && key.name !== 'ctrl+c' ? false : (offerWhole(key) ?? false);
	};

	/** A click does not pass through a form, a question or another overlay. */
	const offerMouse = (event: MouseReport): boolean => {
		for (const {layer, handler} of reached()) {
			const isOver = layer >= layers.overlay && layer < layers.program;
			const isUsed = handler.onMouse?.(event) ?? false;
			if (isUsed || isOver) {
				return isOver;
			}
		}

		return false;
	};

	const settleField = async (): Promise<void> => {
		// Ink reads a forwarded key in this turn.
		const draw = async () => Promise.all([drawn(), nextTurn()]);
		const settle = async (): Promise<void> => {
			await draw();
			if (held === undefined) {
				return;
			}

			await held.promise;
			// The field of a new screen reads only after the screen's effects have run.
			await draw();
		};

		await withDeadline(settle(), patienceMilliseconds);
		isBusy = false;
		run();
	};

	const run = (): void => {
		while (waiting.length > 0 && !isBusy) {
			// Actions requested by a handler come after the handler.
			isBusy = true;
			try {
				onActivity?.();
				isBusy = waiting.shift()!();
			} catch (error) {
				isBusy = false;
				if (onError === undefined) {
					throw error;
				}

				onError(error);
			}

			if (isBusy) {
				void settleField();
			}
		}

		if (isBusy) {
			return;
		}

		ready?.resolve();
		ready = undefined;
	};

	return {
		/** Adds a handler above those in its own and lower layers; returns a function that removes it. */
		add(layer: number, handler: KeyHandler) {
			const entry = {layer, order: order++, handler};
			entries = [...entries, entry].toSorted((first, second) => second.layer - first.layer || second.order - first.order);
			return () => {
				entries = entries.filter(other => other !== entry);
			};
		},
		key(key: Key, chunk?: Chunk): void {
			const question = readingTime.note();
			waiting.push(() => {
				answered = question;
				return offerFrom(key, chunk);
			});
			run();
		},
		paste(text: string, isTruncated = false, raw = text): void {
			readingTime.note();
			waiting.push(() => offerPaste(text, isTruncated, raw));
			run();
		},
		mouse(event: MouseReport): void {
			waiting.push(() => offerMouse(event));
			run();
		},
		/** Resolves when the screen has settled after the keys so far; `undefined` if the next key need not wait. */
		get whenReady(): Promise<void> | undefined {
			if (!isBusy) {
				return undefined;
			}

			ready ??= Promise.withResolvers();
			return ready.promise;
		},
		/** Presses a key by its name, before all waiting keys, for a screen that closes itself first. */
		press(name: string): void {
			const key = name === 'space' ? characterKey(' ') : [...name].length === 1 ? characterKey(name) : namedKey(name);
			waiting.unshift(
				() => true,
				() => offerWhole(key) ?? false,
			);
			run();
		},
		act(name: ActionName): void {
			// The action's screen may be under the overlay that requests it, and must come back first. Keys pressed since then are for the
			// screen that the action opens.
			waiting.unshift(
				() => true,
				() => entries.some(({handler}) => handler.onAction?.(name)),
			);
			run();
		},
		/** Sets a function that resolves once React has drawn all requests so far and has run their effects. */
		setDrawn(newDrawn: typeof drawn): void {
			drawn = newDrawn;
		},
		/** Holds keys back for a screen that is being loaded, until the returned function is called. */
		hold() {
			const hold = Promise.withResolvers<void>();
			held = hold;
			return () => {
				held = held === hold ? undefined : held;
				hold.resolve();
			};
		},
		/** Notes that a question is drawn from now on, under a value that identifies it; returns a function that ends that. */
		showQuestion: readingTime.show,
		/** True if the current key was pressed when this question could have been read, and not amid other keys. */
		mayAnswer: (question: unknown): boolean => answered === question,
	};
}

/**
Splits Alt and a key into Escape and that key: terminals send both in the same way, and a slow connection brings the two keys in one chunk.
*/
function withoutAlt(key: Key): readonly Key[] {
	const plain = /^alt\+(?<plain>space|enter|tab|.)$/u.exec(key.name)?.groups?.['plain'];
	if (plain === undefined) {
		return [key];
	}

	const isControl = plain === 'enter' || plain === 'tab';
	return [namedKey('escape'), isControl ? namedKey(plain) : characterKey(plain === 'space' ? ' ' : plain)];
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

export const DispatcherContext = createContext<Dispatcher | undefined>(undefined);

/** Takes keys while the component is mounted (and `isActive`), with the handler of its newest render. */
export function useKeys(layer: number, handler: KeyHandler, isActive = true): void {
	const dispatcher = useContext(DispatcherContext);
	if (dispatcher === undefined) {
		throw new TypeError('useKeys needs a dispatcher above it');
	}

	const newest = useRef(handler);
	useInsertionEffect(() => {
		newest.current = handler;
	});
	useLayoutEffect(
		() =>
			isActive
				? dispatcher.add(layer, {
						onKey: key => newest.current.onKey?.(key) ?? false,
						onAction: name => newest.current.onAction?.(name) ?? false,
						onPaste: (...paste) => newest.current.onPaste?.(...paste) ?? false,
						onMouse: event => newest.current.onMouse?.(event) ?? false,
						isOpen: () => newest.current.isOpen?.() ?? true,
					})
				: undefined,
		[dispatcher, layer, isActive],
	);
}

/**
Shows a question, under a value that identifies it, while that is not `undefined`. Every question of the screens uses this, and the returned
function decides whether a key counts as Yes.
*/
export function useQuestion(question: unknown): () => boolean {
	const dispatcher = useContext(DispatcherContext);
	useLayoutEffect(() => (question === undefined ? undefined : dispatcher?.showQuestion(question)), [dispatcher, question]);
	return () => dispatcher?.mayAnswer(question) ?? false;
}

/** Holds keys back while the component is mounted in place of a screen that is being loaded. */
export function useHeldKeys(): void {
	const dispatcher = useContext(DispatcherContext);
	useLayoutEffect(() => dispatcher?.hold(), [dispatcher]);
}

/** Tells the dispatcher when React has drawn. It comes after the screens, so its effects run last, together with theirs. */
export function Settling({dispatcher}: {readonly dispatcher: Dispatcher}): null {
	const [waiting, setWaiting] = useState<{resolve(): void}>();
	useLayoutEffect(
		() =>
			dispatcher.setDrawn(
				async () =>
					new Promise(resolve => {
						setWaiting({resolve});
					}),
			),
		[dispatcher],
	);
	useEffect(() => waiting?.resolve(), [waiting]);
	return null;
}
