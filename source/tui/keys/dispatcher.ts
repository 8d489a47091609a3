import {createContext, useContext, useEffect, useInsertionEffect, useLayoutEffect, useRef, useState} from 'react';
import {withDeadline} from '../observable.ts';
import {characterKey, namedKey, type Chunk, type Key} from '../../terminal/key.ts';
import type {MouseReport} from '../../terminal/mouse.ts';
import type {ActionName} from '../../words/key-table.ts';
import {createReadingTime} from './reading-time.ts';

/**
`true`: used. `false`: not mine, ask the next handler. `'forward'`: for the focused Ink field. `'settle'`: used, and the
next key waits until the screen has changed, for example because another field has the focus now. `'settled'`: used, and the
next key need not wait, also in an overlay or a field.
*/
export type KeyAnswer = boolean | 'forward' | 'settle' | 'settled';

/** The layers of the dispatcher, from the bottom. An overlay opened later is above one of the same layer. */
export const layers = {
	application: 0,
	screen: 1,
	overlay: 2,
	/** The fields of a form are above it: it gets the keys that they do not use. */
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
The lowest layer that gets a key while a handler of this one is open. Keys that nothing uses where a person types are for
nobody: whoever mistypes in a filter must not switch something behind it.
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

/** The longest wait for the effect of a key: a screen that fails to open must not hold the keyboard. Loading one may take seconds on a busy machine. */
const patienceMilliseconds = 10_000;

type KeyHandler = {
	onKey?(key: Key): KeyAnswer;
	onAction?(name: ActionName): boolean;
	/** Takes pasted text; returns true if it did. `isTruncated` if more was pasted than is kept; `raw` is not cleaned. */
	onPaste?(text: string, isTruncated: boolean, raw: string): boolean;
	/** Takes a click or a step of the wheel; returns true if it did. */
	onMouse?(event: MouseReport): boolean;
	/** False while it takes neither keys nor pastes; the frame on the screen may be older. */
	isOpen?(): boolean;
};

type Entry = {readonly layer: number; readonly order: number; readonly handler: KeyHandler};

/**
Offers each key to the handlers, from the top, until one uses it. After a key for an overlay or a field, the next one
waits until that is drawn, and until a screen that is being loaded takes keys, so that it meets what the first one changed: an
address, Enter and a key may come in one chunk. The lists keep their state outside React and need no wait.
*/
export function createDispatcher(readingTime = createReadingTime()) {
	let entries: readonly Entry[] = [];
	let order = 0;
	let drawn: () => Promise<void> = nextTurn;
	let forward: (key: Key) => void = () => undefined;
	let onActivity: () => void = () => undefined;
	let onError = (error: unknown): void => {
		throw error;
	};

	const waiting: Array<() => boolean> = [];
	/** The question to which the key at hand may say Yes. */
	let answered: unknown;
	let isBusy = false;
	let ready: PromiseWithResolvers<void> | undefined;
	/** There while a screen is being loaded. */
	let held: PromiseWithResolvers<void> | undefined;

	/** The entries that a key or a paste reaches now, from the top. */
	const reached = (): readonly Entry[] => {
		const open = entries.filter(({handler}) => handler.isOpen?.() ?? true);
		const floor = Math.max(...open.map(({layer}) => floors.get(layer) ?? layers.application));
		return open.filter(({layer}) => layer >= floor);
	};

	/** True where keys type. */
	const isTypedAt = (): boolean => reached().some(({layer}) => floors.has(layer));

	/** Returns whether the next key must wait; `undefined` if nothing used this one. */
	const offer = (key: Key): boolean | undefined => {
		for (const {layer, handler} of reached()) {
			const answer = handler.onKey?.(key) ?? false;
			if (answer === 'forward') {
				forward(key);
				return true;
			}

			if (answer !== false) {
				return answer === 'settle' || (answer !== 'settled' && layer >= layers.overlay);
			}
		}

		return undefined;
	};

	/**
	Where a person types, Alt and a key are one key: Alt moves by words there, Escape would lose what was typed, and the other key
	would be for what is behind it. But if nothing uses it, and it came in two parts, those were Escape and a key.
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

	/** Keys that look like a text are one paste where no text is typed. Ctrl+C among them still is one. */
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

	/** What lies below a form, a question or another overlay is not clicked through it. */
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
		// Ink reads a forwarded key in the turn.
		const draw = async () => Promise.all([drawn(), nextTurn()]);
		const settle = async (): Promise<void> => {
			await draw();
			if (held === undefined) {
				return;
			}

			await held.promise;
			// The field of a screen that has just come reads once its effects have run too.
			await draw();
		};

		await withDeadline(settle(), patienceMilliseconds);
		isBusy = false;
		run();
	};

	const run = (): void => {
		while (waiting.length > 0 && !isBusy) {
			// Actions that a handler requests come after it.
			isBusy = true;
			try {
				onActivity();
				isBusy = waiting.shift()!();
			} catch (error) {
				isBusy = false;
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
		/** Adds a handler on top of those of the same and lower layers; returns a function that removes it. */
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
		/** Presses a key by its name, before all keys that wait: for a screen that closes itself first. */
		press(name: string): void {
			const key = name === 'space' ? characterKey(' ') : [...name].length === 1 ? characterKey(name) : namedKey(name);
			waiting.unshift(
				() => true,
				() => offerWhole(key) ?? false,
			);
			run();
		},
		act(name: ActionName): void {
			// The action's screen may lie under the overlay that asks for it, and must come back first. Keys pressed since
			// then are for what the action opens.
			waiting.unshift(
				() => true,
				() => entries.some(({handler}) => handler.onAction?.(name)),
			);
			run();
		},
		setForward(listener: typeof forward): void {
			forward = listener;
		},
		/** Sets what resolves once React has drawn what was requested so far, and has run the effects of that. */
		setDrawn(newDrawn: typeof drawn): void {
			drawn = newDrawn;
		},
		/** Keeps keys waiting for a screen that is being loaded, until the function that it returns is called. */
		hold() {
			const hold = Promise.withResolvers<void>();
			held = hold;
			return () => {
				held = held === hold ? undefined : held;
				hold.resolve();
			};
		},
		/** A question is drawn from now on, under anything that names it; returns a function that ends that. */
		showQuestion: readingTime.show,
		/** True if the key at hand was pressed when this question could have been read, and not amid others. */
		mayAnswer: (question: unknown): boolean => answered === question,
		/** Sets what is called before each key and paste. */
		setOnActivity(listener: typeof onActivity): void {
			onActivity = listener;
		},
		/** Sets what is called with what a handler throws. Without it the error is thrown at whoever brought the key. */
		setOnError(listener: typeof onError): void {
			onError = listener;
		},
	};
}

/**
Splits Alt and a key into Escape and that key: terminals send the same for both, and a slow line brings the two keys in
one chunk.
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
Shows a question, under anything that names it, while it is not `undefined`. Every question of the screens does, and asks the function that this
returns before a key counts as Yes.
*/
export function useQuestion(question: unknown): () => boolean {
	const dispatcher = useContext(DispatcherContext);
	useLayoutEffect(() => (question === undefined ? undefined : dispatcher?.showQuestion(question)), [dispatcher, question]);
	return () => dispatcher?.mayAnswer(question) ?? false;
}

/** Keeps keys waiting while the component is mounted: it stands for a screen that is being loaded. */
export function useHeldKeys(): void {
	const dispatcher = useContext(DispatcherContext);
	useLayoutEffect(() => dispatcher?.hold(), [dispatcher]);
}

/** Tells the dispatcher what React has drawn. It stands after the screens: its effects run last, with theirs. */
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
