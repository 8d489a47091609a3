import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import type {Records, Resource} from '../../interface/records.ts';
import {useUiServices, type UiServices} from '../app-context.ts';
import {isEditConflict} from '../hooks/saves.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import type {ActionName} from '../../words/key-table.ts';
import {keyName} from '../../words/keymap.ts';
import type {Overlay} from '../state/app-state.ts';

type RecordOverlay = Extract<Overlay, {readonly id: number}>;

export function closeOverlay(ui: UiServices, kind: RecordOverlay['kind'], id: number): void {
	if (isOnTop(ui, kind, id)) {
		ui.store.dispatch({type: 'close'});
	}
}

/** Tells whether the overlay of this record is on top: a late answer must not touch another overlay. */
function isOnTop({store}: UiServices, kind: RecordOverlay['kind'], id: number): boolean {
	const top = store.getState().overlays.at(-1);
	return top?.kind === kind && 'id' in top && top.id === id;
}

/**
Returns the reason why a save failed, and the next step.

@param subject - the subject of the save, such as “the name of Hearth”.
@param nextStep - the key to go on with, as a sentence.
*/
export function failureText(subject: string, {message, isOutcomeUnknown}: SwitchboardError, nextStep: string): string {
	return isOutcomeUnknown
		? `It is not known whether the service saved ${subject}: ${message} ${nextStep}`
		: `Could not save ${subject}: ${message} ${nextStep}`;
}

type OverlaySave<R extends Resource> = {
	readonly kind: Extract<RecordOverlay['kind'], ActionName>;
	readonly resource: R;
	readonly id: number;
	/** Such as “the name of Hearth”. */
	readonly subject: string;
	readonly pronoun: 'it' | 'them';
	/** Saves it. Returns the sentence that reports it. */
	send(): Promise<string>;
	/** Called with the present record, after somebody else has changed it. */
	onConflict(newest: Records[R] | undefined): void;
	/**
	Shows in the overlay why it was not saved.

	@param hint - the way to overwrite somebody else's change; `undefined` if there is none.
	*/
	refuse(error: SwitchboardError, hint: string | undefined): void;
};

/**
Returns a function that saves the record of an overlay, then closes it. A failure is shown in it or, after it was left, as a message. Never
rejects.
*/
export function useSaveOverlay() {
	const ui = useUiServices();
	const session = useServiceSession();
	return async <R extends Resource>(save: OverlaySave<R>): Promise<void> => {
		const {kind, resource, id, subject, pronoun} = save;
		try {
			const saved = await save.send();
			closeOverlay(ui, kind, id);
			ui.say('info', saved);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const isConflict = isEditConflict(error);
			if (isConflict) {
				save.onConflict(session.records.seen(resource)?.find(record => record.id === id));
			}

			if (isOnTop(ui, kind, id)) {
				save.refuse(error, isConflict ? `Press Ctrl+S to overwrite ${pronoun}.` : undefined);
			} else {
				ui.say('error', failureText(subject, error, `${keyName(ui.keymap, kind)} edits ${pronoun} again.`), error);
			}
		}
	};
}

/** Returns the text about a failed save below a field. */
export function refusalText(error: SwitchboardError, hint: string | undefined, pronoun: 'it' | 'them'): string {
	const {message, nextStep = '', isOutcomeUnknown} = error;
	return `${isOutcomeUnknown ? `It is not known whether the service saved ${pronoun}: ` : ''}${message} ${hint ?? nextStep}`.trim();
}
