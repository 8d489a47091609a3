import {toSwitchboardError} from '../../interface/errors.ts';
import type {Severity} from '../../words/signs.ts';

type TakenBack = {
	/** The present state, such as “the agent is called Hearth again.” */
	readonly text: string;
	/**
	The step that takes it back in turn, or the reason why there is none; `undefined` if nothing had to be changed, or the step is not
	known.
	*/
	readonly reverse: UndoStep | undefined;
};

export type ReversibleStep = {
	/** The subject of the change, such as “the name of Hearth”; it follows “Undoing:”. */
	readonly what: string;
	/** Returns a sentence if nothing is left to take back; then the next undo acts on the change before it. */
	moot?(): string | undefined;
	/**
	Takes it back, unless somebody else has changed it since. Rejects with the reason why it was not taken back, and the next
	undo or redo tries again.
	*/
	takeBack(): Promise<TakenBack>;
};

/** A step that undoes something, or a sentence that says why it cannot be undone. */
type UndoStep = ReversibleStep | {readonly refusal: string};

/** How many entries are kept. */
const historyLength = 20;

const words = {undo: {underWay: 'undoing', done: 'undone'}, redo: {underWay: 'redoing', done: 'redone'}} as const;

export function capitalized(text: string): string {
	return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** Something that was done, in order. */
export type UndoEntry = {
	/** Assigned by the history. */
	position: number;
	/** The changed records, such as “pantry” or “pantry and 2 more”, for the time until the change is among the last ones. */
	readonly subject?: string;
	/** True if undo can only say why it cannot be undone. */
	isRefused?: boolean;
	/** Undoes it, or says why that is not possible. */
	undo(): void;
};

/** Returns the history of a session. Undo acts on the last thing done that can be undone, and redo on the last thing undone. */
export function createUndoHistory({say}: {say(level: Severity, text: string): void}) {
	/** Sorted by position. */
	let done: readonly UndoEntry[] = [];
	let undone = new Set<() => void>();
	let lastPosition = 0;
	/** A sentence for each undo and redo that waits for its answer. */
	const underWay = new Set<string>();

	/** The entry that the next undo acts on. */
	const newest = (): UndoEntry | undefined => done.at(-1);

	/** Adds something that is still done, at its position. */
	const put = (entry: UndoEntry): void => {
		done = [...done, entry].toSorted((first, second) => first.position - second.position).slice(-historyLength);
	};

	/** Adds something that was redone, as the newest. */
	const addAgain = (entry: UndoEntry): void => {
		entry.position = ++lastPosition;
		put(entry);
	};

	/** Adds something that says a sentence when it is undone. */
	const addSaying = (text: string): UndoEntry => {
		const entry: UndoEntry = {position: 0, undo: () => say('info', text)};
		addAgain(entry);
		return entry;
	};

	const forgetUndone = (): void => {
		undone = new Set();
	};

	const remove = (entry: UndoEntry): void => {
		done = done.filter(other => other !== entry);
	};

	/** Says why something cannot be undone, and removes it, so that the next undo acts on the thing done before it. */
	const refuse = (entry: UndoEntry, refusal: string): void => {
		remove(entry);
		const isOlderLeft = done.some(({position}) => position < entry.position);
		say('info', isOlderLeft ? `${refusal} Undo again for the change before it.` : refusal);
	};

	/** Undoes or redoes a step, and reports the outcome. */
	const takeBack = async (kind: keyof typeof words, step: ReversibleStep, entry: UndoEntry): Promise<void> => {
		const word = words[kind];
		const undoneBefore = undone;
		const still = `Still ${word.underWay}: ${step.what}.`;
		entry.undo = () => say('info', still);

		underWay.add(still);
		say('info', `${capitalized(word.underWay)}: ${step.what}…`);
		let left: UndoStep | undefined = step;
		let isDone = kind === 'undo';
		try {
			const {text, reverse} = await step.takeBack();
			say('info', `${capitalized(word.done)}: ${text}`);
			left = reverse;
			isDone = !isDone;
		} catch (error_) {
			const {message, isOutcomeUnknown, kind: errorKind} = toSwitchboardError(error_);
			say(
				errorKind === 'cancelled' ? 'info' : 'error',
				`${isOutcomeUnknown ? `It is not known whether that was ${word.done}` : `Not ${word.done}`}: ${message}`,
			);
		}

		underWay.delete(still);
		if (isDone && left !== undefined) {
			setStep(entry, left);
			return;
		}

		remove(entry);
		if (left === undefined) {
			return;
		}

		const redone = left;
		undoneBefore.add(() => {
			if ('refusal' in redone) {
				say('info', redone.refusal);
			} else {
				void takeBack('redo', redone, addSaying(''));
			}
		});
	};

	const setStep = (entry: UndoEntry, step: UndoStep): void => {
		entry.isRefused = 'refusal' in step;
		entry.undo = () => {
			const refusal = 'refusal' in step ? step.refusal : step.moot?.();
			if (refusal === undefined) {
				void takeBack('undo', step as ReversibleStep, entry);
			} else {
				refuse(entry, refusal);
			}
		};
	};

	return {
		/**
		Records that something is under way. Until it has ended, undo says `stillText`.

		@returns a function to call once it has ended: with the step that undoes it, or without an argument if nothing was done.
		*/
		begin(stillText: string): (step?: UndoStep) => void {
			const entry = addSaying(stillText);
			return step => {
				if (step === undefined) {
					remove(entry);
				} else {
					forgetUndone();
					setStep(entry, step);
				}
			};
		},
		/** Adds something that was done, as the newest. Nothing can be redone after it. */
		add(entry: UndoEntry): void {
			forgetUndone();
			addAgain(entry);
		},
		addAgain,
		put,
		remove,
		refuse,
		say,
		/** Undoes a step of an earlier session. If that fails, the step becomes the oldest one that can be undone. */
		undoEarlier(step: ReversibleStep): void {
			const entry: UndoEntry = {
				position: 0,
				undo() {
					/* Set below. */
				},
			};
			put(entry);
			setStep(entry, step);
			entry.undo();
		},
		/** True if the next undo acts on it. */
		isNewest: (entry: UndoEntry): boolean => newest() === entry,
		/**
		The steps that redo each thing undone, the newest last. The next new change replaces the set, so that nothing is left to redo.
		*/
		undone: () => undone,
		/** Undoes the newest entry, or says why that is not possible. Returns false if there is none. */
		undo(): boolean {
			const entry = newest();
			entry?.undo();
			return entry !== undefined;
		},
		newest,
		/** Redoes the thing that was undone last. Returns false if there is none. */
		redo(): boolean {
			const [still] = underWay;
			const last = [...undone].at(-1);
			if (still !== undefined) {
				say('info', still);
			} else if (last !== undefined) {
				undone.delete(last);
				last();
			}

			return still !== undefined || last !== undefined;
		},
	};
}

export type UndoHistory = ReturnType<typeof createUndoHistory>;
