import {type Key} from '../terminal/keyboard.ts';
import {characterKey, controlKey} from '../terminal/key.ts';
import {type ActionName} from './key-table.ts';

/**
`true`: used. `false`: not mine, ask the next. `'forward'`: for the Ink field that has the focus. `'settle'`: used, and the
next key waits for what came of it, as where another field has the focus from now on.
*/
export type KeyAnswer = boolean | 'forward' | 'settle';

export type KeyHandler = {
	onKey?(key: Key): KeyAnswer;
	/** Carries out an action that was asked for by name; `true` where it was. */
	onAction?(name: ActionName): boolean;
	/** Text that was pasted as a whole; `true` where it was taken. */
	onPaste?(text: string): boolean;
};

export type Dispatcher = {
	/** Adds a handler on top of those of the same and of lower layers; the function returned takes it away. */
	add(layer: number, handler: KeyHandler): () => void;
	key(key: Key): void;
	paste(text: string): void;
	/** Carries out an action by name, once what is on the screen has settled. */
	act(name: ActionName): void;
	/** Sets where forwarded keys go. */
	setForward(forward: (sequence: string) => void): void;
	/** Called before each key and paste, whatever becomes of it. */
	setOnActivity(listener: () => void): void;
};

/** Layers of the one dispatcher, from below. An overlay opened later lies above one of the same layer. */
export const layers = {
	application: 0,
	screen: 1,
	overlay: 3,
	field: 4,
	/** A question lies above what it is about, which stays on the screen and must not have its answer. */
	question: 5,
	/** What acts whatever lies above the screen. */
	program: 6,
} as const;

type Entry = {readonly layer: number; readonly order: number; readonly handler: KeyHandler};

/** What Alt and a letter do in the line editor of a shell: move and delete by words. */
const wordKeys: ReadonlySet<string> = new Set(['alt+b', 'alt+d', 'alt+f']);

/**
Escape and the key after it, where a slow line brought the two in one chunk: a terminal sends the same for Alt and that
key. That stands for nothing here but in a field, where a word is meant, and where Escape would lose what was typed.
*/
const withoutAlt = (key: Key, isTyping: boolean): readonly Key[] => {
	if (isTyping && wordKeys.has(key.name)) {
		return [key];
	}

	const plain = /^alt\+(?<plain>space|enter|tab|.)$/u.exec(key.name)?.groups?.['plain'];
	switch (plain) {
		case undefined: {
			return [key];
		}

		case 'enter':
		case 'tab': {
			return [controlKey('escape'), controlKey(plain)];
		}

		default: {
			return [controlKey('escape'), characterKey(plain === 'space' ? ' ' : plain)];
		}
	}
};

const nextTurn = async (): Promise<void> => new Promise(resolve => {
	setImmediate(resolve);
});

/** Turns of the event loop until what a key did is drawn and listens for the next. */
const settlingTurns = 4;

/**
The one place where keys are given out: the top of the stack first, until one says that it used the key. A key that an
overlay or a field took is followed by a few turns of the event loop, so that the next one meets what it changed: an
address, Enter and a key may come in one chunk. The lists keep their state outside React and need no turn.
*/
export const createDispatcher = (): Dispatcher => {
	let entries: readonly Entry[] = [];
	let order = 0;
	let forward: (sequence: string) => void = () => undefined;
	let onActivity: () => void = () => undefined;
	const waiting: Array<() => boolean> = [];
	let isBusy = false;

	const offer = (key: Key): boolean => {
		for (const {layer, handler} of entries) {
			const answer = handler.onKey?.(key) ?? false;
			if (answer === 'forward') {
				forward(key.sequence);
				return true;
			}

			if (answer !== false) {
				return answer === 'settle' || layer >= layers.overlay;
			}
		}

		return false;
	};

	const offerPaste = (text: string): boolean => {
		for (const {layer, handler} of entries) {
			if (handler.onPaste?.(text)) {
				return layer >= layers.overlay;
			}
		}

		return false;
	};

	const settleField = async (): Promise<void> => {
		// One for Ink to read the key; then React draws in one turn and lets a new field listen in the next.
		for (let turn = 0; turn < settlingTurns; turn++) {
			await nextTurn();
		}

		isBusy = false;
		run();
	};

	const run = (): void => {
		while (waiting.length > 0 && !isBusy) {
			onActivity();
			// What a handler asks for meanwhile is carried out after it.
			isBusy = true;
			isBusy = waiting.shift()!();
			if (isBusy) {
				void settleField();
			}
		}
	};

	return {
		add(layer, handler) {
			const entry = {layer, order: order++, handler};
			entries = [...entries, entry].toSorted((first, second) => second.layer - first.layer || second.order - first.order);
			return () => {
				entries = entries.filter(other => other !== entry);
			};
		},
		key(key) {
			waiting.push(() => {
				const [first, ...others] = withoutAlt(key, entries.some(({layer}) => layer === layers.field));
				waiting.unshift(...others.map(each => () => offer(each)));
				return offer(first!);
			});
			run();
		},
		paste(text) {
			waiting.push(() => offerPaste(text));
			run();
		},
		act(name) {
			// The screen that the action is for may lie under the overlay that asks for it, and comes back first. Keys pressed
			// since then are for what the action opens.
			waiting.unshift(() => true, () => entries.some(({handler}) => handler.onAction?.(name)));
			run();
		},
		setForward(listener) {
			forward = listener;
		},
		setOnActivity(listener) {
			onActivity = listener;
		},
	};
};
