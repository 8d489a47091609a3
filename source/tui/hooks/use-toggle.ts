import {useSyncExternalStore} from 'react';
import {useServiceSession} from './service-session.ts';
import {type Switching} from './switching.ts';
import {type ToggleFailure} from './intents.ts';

export type Toggle = Pick<Switching, 'toggle' | 'setMany' | 'redo' | 'retry'> & {
	/** Undoes the last thing done in this session, whatever it was, or says why it cannot be. Gives false where nothing is left to undo. */
	undo(): boolean;
	/** True once something was undone in this session. */
	hasUndone(): boolean;
	/** What failed and was not asked for again, by the record's id. */
	readonly failures: ReadonlyMap<number, ToggleFailure>;
};

/** The writes behind Space and its relatives. They show at once and settle, or are taken back, when the service answers. */
export const useToggle = (): Toggle => {
	const {switching, undoHistory} = useServiceSession();
	const failures = useSyncExternalStore(switching.subscribe, switching.getFailures);
	const {undo, hasUndone} = undoHistory;
	return {
		...switching, undo, hasUndone, failures,
	};
};
