import {useSyncExternalStore} from 'react';
import {type OutsideState} from './outside-changes.ts';
import {useServiceSession} from './service-session.ts';

/** What was changed elsewhere in this session. */
export const useOutsideChanges = (): OutsideState => {
	const {outside} = useServiceSession();
	return useSyncExternalStore(outside.subscribe, outside.getState);
};
