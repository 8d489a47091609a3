import {toSwitchboardError} from '../../interface/errors.ts';
import {type Severity} from '../state/severity.ts';

/** What `u` can do about something that was done. */
export type UndoStep =
	| {
		/** What was done, such as “the name of Hearth”; it follows “Undoing:”. */
		readonly what: string;
		/**
		Takes it back with a check that nobody has changed it since. Resolves with the sentence that says so, rejects with the
		reason why it was not done; `u` tries again then.
		*/
		takeBack(): Promise<string>;
	}
	/** A sentence that says why it cannot be undone. */
	| {readonly refusal: string};

/** Everything done in a session, so that `u` finds the last thing done and never an older one. */
export type UndoHistory = {
	/**
	Records that something is under way. Until it has ended, `u` says `stillText`.

	@returns what to call once it has ended: with the way back, or without one where nothing was done.
	*/
	begin(stillText: string): (wayBack?: UndoStep) => void;
	/** Records something done, as the newest. Gives its place among the others. */
	add(undo: () => void): number;
	/** Puts something that was done, and is done again or still, at its place. */
	put(place: number, undo: () => void): void;
	remove(place: number): void;
	/** Undoes the newest thing done, or says why it cannot be undone; then it stays the newest. Gives false where nothing is left to undo. */
	undo(): boolean;
	/** True once something was undone. */
	hasUndone(): boolean;
};

export type UndoHistoryOptions = {
	say(level: Severity, text: string): void;
};

/** How many things done are kept. */
const historyLength = 20;

export const createUndoHistory = ({say}: UndoHistoryOptions): UndoHistory => {
	/** How each is undone, by its place. */
	let undoes: ReadonlyMap<number, () => void> = new Map();
	let lastPlace = 0;
	let hasUndone = false;

	const put = (place: number, undo: () => void): void => {
		const sorted = [...new Map(undoes).set(place, undo)].toSorted(([first], [second]) => first - second);
		undoes = new Map(sorted.slice(-historyLength));
	};

	const add = (undo: () => void): number => {
		put(++lastPlace, undo);
		return lastPlace;
	};

	const remove = (place: number): void => {
		undoes = new Map([...undoes].filter(([other]) => other !== place));
	};

	const undoOf = (place: number, wayBack: UndoStep): (() => void) => {
		if ('refusal' in wayBack) {
			return () => {
				say('info', wayBack.refusal);
			};
		}

		const {what, takeBack} = wayBack;
		const undo = async (): Promise<void> => {
			put(place, () => {
				say('info', `Still undoing: ${what}.`);
			});
			say('info', `Undoing: ${what}…`);
			try {
				const text = await takeBack();
				remove(place);
				hasUndone = true;
				say('info', text);
			} catch (error_) {
				const {message, isOutcomeUnknown} = toSwitchboardError(error_);
				put(place, undoOf(place, wayBack));
				say('error', `${isOutcomeUnknown ? 'It is not known whether that was undone' : 'Not undone'}: ${message}`);
			}
		};

		return () => {
			void undo();
		};
	};

	return {
		begin(stillText) {
			const place = add(() => {
				say('info', stillText);
			});
			return wayBack => {
				if (wayBack === undefined) {
					remove(place);
				} else {
					put(place, undoOf(place, wayBack));
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

			const [place, undo] = newest;
			undo();
			hasUndone ||= !undoes.has(place);
			return true;
		},
		hasUndone: () => hasUndone,
	};
};
