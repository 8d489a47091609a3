import {useSyncExternalStore} from 'react';
import {useServiceSession} from './service-session.ts';
import {type Switching} from './switching.ts';
import {type ToggleFailure} from './intents.ts';
import {type UndoHistory} from './undo-history.ts';

export type Toggle = Pick<Switching, 'toggle' | 'setMany' | 'applyPreset' | 'retry'> & Pick<UndoHistory, 'undo' | 'redo'> & {
	/** What failed and was not requested again, by the record's id. */
	readonly failures: ReadonlyMap<number, ToggleFailure>;
};

/** Switching, with retry, and undo and redo of whatever was done in this session. A change shows at once, and settles or is reverted when the service answers. */
export const useToggle = (): Toggle => {
	const {switching, undoHistory} = useServiceSession();
	const failures = useSyncExternalStore(switching.subscribe, switching.getFailures);
	const {undo, redo} = undoHistory;
	return {
		...switching, undo, redo, failures,
	};
};
