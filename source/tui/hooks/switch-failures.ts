import {type ToggleFailure} from './intents.ts';
import {createListeners, type Listeners} from './listeners.ts';

/** Changes that failed and were not requested again. */
export type SwitchFailures = Pick<Listeners, 'subscribe'> & {
	/** By the id of the record. */
	get(): ReadonlyMap<number, ToggleFailure>;
	add(failures: readonly ToggleFailure[]): void;
	forget(ids: readonly number[]): void;
};

export const createSwitchFailures = (): SwitchFailures => {
	let failures: ReadonlyMap<number, ToggleFailure> = new Map();
	const {subscribe, notify} = createListeners();

	const publish = (next: ReadonlyMap<number, ToggleFailure>): void => {
		if (next === failures) {
			return;
		}

		failures = next;
		notify();
	};

	return {
		subscribe,
		get: () => failures,
		add(added) {
			publish(added.length === 0 ? failures : new Map([...failures, ...added.map(failure => [failure.installed.id, failure] as const)]));
		},
		forget(ids) {
			const forgotten = new Set(ids.filter(id => failures.has(id)));
			publish(forgotten.size === 0 ? failures : new Map([...failures].filter(([id]) => !forgotten.has(id))));
		},
	};
};
