import {toSwitchboardError} from '../../interface/errors.ts';
import {type Severity} from '../state/severity.ts';

type TakenBack = {
	/** What holds now, such as “the agent is called Hearth again.” */
	readonly text: string;
	/** How to take that back in turn; `undefined` if nothing had to be changed, or it is not known how. */
	readonly reverse: ReversibleStep | undefined;
};

export type ReversibleStep = {
	/** What was done, such as “the name of Hearth”; it follows “Undoing:”. */
	readonly what: string;
	/**
	Takes it back, unless somebody else has changed it since. Rejects with the reason why it was not taken back, and the next
	undo or redo tries again.
	*/
	takeBack(): Promise<TakenBack>;
};

/** How to undo something, or a sentence that says why it cannot be undone. */
export type UndoStep = ReversibleStep | {readonly refusal: string};

/** Everything done in a session. Undo acts on the last thing done that can be undone, and redo on the last thing undone. */
export type UndoHistory = {
	/**
	Records that something is under way. Until it has ended, undo says `stillText`.

	@returns what to call once it has ended: with how to undo it, or with nothing if nothing was done.
	*/
	begin(stillText: string): (step?: UndoStep) => void;
	/** Records something done, as the newest. Nothing can be redone after it. Returns its position in the history. */
	add(undo: () => void): number;
	/** Records something redone, as the newest. Returns its position. */
	addAgain(undo: () => void): number;
	/** Records at its position something that is still done. */
	put(position: number, undo: () => void): void;
	remove(position: number): void;
	/** Says why something cannot be undone, and removes it: the next undo acts on the thing done before it. */
	refuse(position: number, refusal: string): void;
	/** How to redo each thing undone, the newest last. The next new change replaces the set, and so leaves nothing to redo. */
	undone(): Set<() => void>;
	/** Undoes the newest entry, or says why that cannot be undone. Returns false if there is none. */
	undo(): boolean;
	/** Redoes what was undone last. Returns false if there is nothing. */
	redo(): boolean;
};

type UndoHistoryOptions = {
	say(level: Severity, text: string): void;
};

/** How many entries are kept. */
const historyLength = 20;

const words = {
	undo: {underWay: 'undoing', done: 'undone'},
	redo: {underWay: 'redoing', done: 'redone'},
} as const;

const capitalized = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

export const createUndoHistory = ({say}: UndoHistoryOptions): UndoHistory => {
	/** The undo function of each entry, by its position. */
	let undoes: ReadonlyMap<number, () => void> = new Map();
	let undone = new Set<() => void>();
	let lastPosition = 0;
	/** A sentence for each undo and redo that waits for its answer. */
	const underWay = new Set<string>();

	const put = (position: number, undo: () => void): void => {
		const sorted = [...new Map(undoes).set(position, undo)].toSorted(([first], [second]) => first - second);
		undoes = new Map(sorted.slice(-historyLength));
	};

	const addAgain = (undo: () => void): number => {
		put(++lastPosition, undo);
		return lastPosition;
	};

	const forgetUndone = (): void => {
		undone = new Set();
	};

	const remove = (position: number): void => {
		undoes = new Map([...undoes].filter(([other]) => other !== position));
	};

	const refuse = (position: number, refusal: string): void => {
		remove(position);
		const isOlderLeft = undoes.keys().some(other => other < position);
		say('info', isOlderLeft ? `${refusal} Undo again for the change before it.` : refusal);
	};

	const stillText = (kind: keyof typeof words, {what}: ReversibleStep): string => `Still ${words[kind].underWay}: ${what}.`;

	/** Reports what becomes of it; returns `undefined` if it was not taken back. */
	const takeBack = async (kind: keyof typeof words, step: ReversibleStep): Promise<TakenBack | undefined> => {
		const {underWay: doing, done} = words[kind];
		const still = stillText(kind, step);
		underWay.add(still);
		say('info', `${capitalized(doing)}: ${step.what}…`);
		try {
			const taken = await step.takeBack();
			say('info', `${capitalized(done)}: ${taken.text}`);
			return taken;
		} catch (error_) {
			const {message, isOutcomeUnknown} = toSwitchboardError(error_);
			say('error', `${isOutcomeUnknown ? `It is not known whether that was ${done}` : `Not ${done}`}: ${message}`);
			return undefined;
		} finally {
			underWay.delete(still);
		}
	};

	const undoStep = async (position: number, step: ReversibleStep): Promise<void> => {
		const undoneBefore = undone;
		put(position, () => {
			say('info', stillText('undo', step));
		});
		const taken = await takeBack('undo', step);
		if (taken === undefined) {
			put(position, undoOf(position, step));
			return;
		}

		remove(position);
		if (taken.reverse !== undefined) {
			undoneBefore.add(redoOf(taken.reverse));
		}
	};

	const redoStep = async (step: ReversibleStep): Promise<void> => {
		const undoneBefore = undone;
		const position = addAgain(() => {
			say('info', stillText('redo', step));
		});
		const taken = await takeBack('redo', step);
		if (taken?.reverse === undefined) {
			remove(position);
		} else {
			put(position, undoOf(position, taken.reverse));
		}

		if (taken === undefined) {
			undoneBefore.add(redoOf(step));
		}
	};

	const undoOf = (position: number, step: UndoStep) => (): void => {
		if ('refusal' in step) {
			refuse(position, step.refusal);
		} else {
			void undoStep(position, step);
		}
	};

	const redoOf = (step: ReversibleStep) => (): void => {
		void redoStep(step);
	};

	return {
		begin(text) {
			const position = addAgain(() => {
				say('info', text);
			});
			return step => {
				if (step === undefined) {
					remove(position);
				} else {
					forgetUndone();
					put(position, undoOf(position, step));
				}
			};
		},
		add(undo) {
			forgetUndone();
			return addAgain(undo);
		},
		addAgain,
		put,
		remove,
		refuse,
		undone: () => undone,
		undo() {
			const newest = [...undoes].at(-1);
			if (newest === undefined) {
				return false;
			}

			const [, undo] = newest;
			undo();
			return true;
		},
		redo() {
			const [still] = underWay;
			const newest = [...undone].at(-1);
			if (still !== undefined) {
				say('info', still);
			} else if (newest !== undefined) {
				undone.delete(newest);
				newest();
			}

			return still !== undefined || newest !== undefined;
		},
	};
};
