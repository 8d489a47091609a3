import {useSyncExternalStore} from 'react';
import {useServiceSession} from './service-session.ts';
import {type Switching} from './switching.ts';
import {type ToggleFailure} from './intents.ts';

export type Toggle = Pick<Switching, 'toggle' | 'setMany' | 'applyPreset' | 'redo' | 'retry'> & {
	/** Undoes the last action in this session, of any kind, or says why it cannot be undone. Returns false if nothing is left to undo. */
	undo(): boolean;
	/** What failed and was not requested again, by the record's id. */
	readonly failures: ReadonlyMap<number, ToggleFailure>;
};

/** Switching, with retry, undo and redo. A change shows at once, and settles or is reverted when the service answers. */
export const useToggle = (): Toggle => {
	const {switching, undoHistory} = useServiceSession();
	const failures = useSyncExternalStore(switching.subscribe, switching.getFailures);
	return {...switching, undo: undoHistory.undo, failures};
};
