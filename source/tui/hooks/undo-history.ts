import {toSwitchboardError} from '../../interface/errors.ts';
import {type Severity} from '../state/severity.ts';

/** How to undo something. */
export type UndoStep =
	| {
		/** What was done, such as “the name of Hearth”; it follows “Undoing:”. */
		readonly what: string;
		/**
		Undoes it, unless somebody else has changed it since. Resolves with the sentence that reports it; rejects with the reason
		why it was not undone, and the next undo tries again.
		*/
		takeBack(): Promise<string>;
	}
	/** A sentence that says why it cannot be undone. */
	| {readonly refusal: string};

/** Everything done in a session. Undo acts on the last thing done, never on an older one. */
export type UndoHistory = {
	/**
	Records that something is under way. Until it has ended, undo says `stillText`.

	@returns what to call once it has ended: with how to undo it, or with nothing if nothing was done.
	*/
	begin(stillText: string): (step?: UndoStep) => void;
	/** Records something done, as the newest. Returns its position in the history. */
	add(undo: () => void): number;
	/** Records at its position something that is still done, or done again. */
	put(position: number, undo: () => void): void;
	remove(position: number): void;
	/** Undoes the newest entry, or says why that cannot be undone: then it stays the newest. Returns false if there is none. */
	undo(): boolean;
};

type UndoHistoryOptions = {
	say(level: Severity, text: string): void;
};

/** How many entries are kept. */
const historyLength = 20;

export const createUndoHistory = ({say}: UndoHistoryOptions): UndoHistory => {
	/** The undo function of each entry, by its position. */
	let undoes: ReadonlyMap<number, () => void> = new Map();
	let lastPosition = 0;

	const put = (position: number, undo: () => void): void => {
		const sorted = [...new Map(undoes).set(position, undo)].toSorted(([first], [second]) => first - second);
		undoes = new Map(sorted.slice(-historyLength));
	};

	const add = (undo: () => void): number => {
		put(++lastPosition, undo);
		return lastPosition;
	};

	const remove = (position: number): void => {
		undoes = new Map([...undoes].filter(([other]) => other !== position));
	};

	const undoOf = (position: number, step: UndoStep): (() => void) => {
		if ('refusal' in step) {
			return () => {
				say('info', step.refusal);
			};
		}

		const {what, takeBack} = step;
		const undo = async (): Promise<void> => {
			put(position, () => {
				say('info', `Still undoing: ${what}.`);
			});
			say('info', `Undoing: ${what}…`);
			try {
				const text = await takeBack();
				remove(position);
				say('info', text);
			} catch (error_) {
				const {message, isOutcomeUnknown} = toSwitchboardError(error_);
				put(position, undoOf(position, step));
				say('error', `${isOutcomeUnknown ? 'It is not known whether that was undone' : 'Not undone'}: ${message}`);
			}
		};

		return () => {
			void undo();
		};
	};

	return {
		begin(stillText) {
			const position = add(() => {
				say('info', stillText);
			});
			return step => {
				if (step === undefined) {
					remove(position);
				} else {
					put(position, undoOf(position, step));
				}
			};
		},
		add,
		put,
		remove,
		undo() {
			const newest = [...undoes].at(-1);
			if (newest === undefined) {
				return false;
			}

			const [, undo] = newest;
			undo();
			return true;
		},
	};
};
