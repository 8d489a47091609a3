import {errorText, type SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {createObservable} from '../observable.ts';

/** Texts by the names of their fields. */
export type Texts<Name extends string> = Readonly<Partial<Record<Name, string>>>;

export type FormState<Name extends string> = {
	readonly focus: Name;
	/** Texts that came from elsewhere, such as from files; typed ones come before them. */
	readonly filled: Texts<Name>;
	readonly typed: Texts<Name>;
	/** True once the person has tried to save: from then on missing texts are reported too. */
	readonly isSubmitted: boolean;
	/** The reason why it was not saved; `field` is `undefined` if it concerns no field, or all of them. */
	readonly refusal: {readonly field: Name | undefined; readonly text: string} | undefined;
	/** The text shown during a save, and a function that cancels the save. */
	readonly busy: {readonly text: string; cancel(): void} | undefined;
};

/** Returns a form that is being filled in: its newest state, which several keys may change before the next frame, and its verbs. */
export function createForm<Name extends string>(focus: Name) {
	const store = createObservable<FormState<Name>>({
		focus,
		filled: {} as Texts<Name>,
		typed: {} as Texts<Name>,
		isSubmitted: false,
		refusal: undefined,
		busy: undefined,
	});
	const change = (changed: Partial<FormState<Name>>): void => store.set({...store.get(), ...changed});

	/** Shows a reason, at its field if it has one, which gets the focus. */
	const refuse = (text: string, field?: Name): void => change({refusal: {text, field}, ...(field !== undefined && {focus: field})});

	return {
		get: store.get,
		subscribe: store.subscribe,
		refuse,
		edit(texts: Texts<Name>): void {
			const {typed, refusal} = store.get();
			const isAnswered = refusal !== undefined && (refusal.field === undefined || Object.hasOwn(texts, refusal.field));
			change({typed: {...typed, ...texts}, refusal: isAnswered ? undefined : refusal});
		},
		fill(filled: Texts<Name>): void {
			change({filled});
		},
		focusOn(field: Name): void {
			change({focus: field});
		},
		submit(): void {
			change({isSubmitted: true, refusal: undefined});
		},
		/** Saves, busy meanwhile. Never rejects: a failure is shown in the form unless `fail` handles it. */
		async run(
			text: string,
			save: (signal: AbortSignal) => Promise<void>,
			fail: (error: SwitchboardError, signal: AbortSignal) => void = error => refuse(errorText(error)),
		): Promise<void> {
			const controller = new AbortController();
			change({refusal: undefined, busy: {text, cancel: () => controller.abort()}});
			try {
				await save(controller.signal);
				change({busy: undefined});
			} catch (error) {
				// The next key may follow the report.
				change({busy: undefined});
				fail(toSwitchboardError(error), controller.signal);
			}
		},
	};
}
