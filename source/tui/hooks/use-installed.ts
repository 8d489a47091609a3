import {useMemo, useSyncExternalStore} from 'react';
import {type InstalledAbility} from '../../interface/records.ts';
import {isShownEnabled, type Intents} from './intents.ts';
import {useServiceSession} from './service-session.ts';
import {useResource, type ResourceState} from './use-resource.ts';

export type InstalledState = ResourceState<InstalledAbility> & {
	/** What was asked for and is not confirmed yet, by the record's id. */
	readonly intents: Intents;
	/** How many are on, as the screen shows them. */
	readonly enabledCount: number;
	/** How many there are whose state the service does not show. */
	readonly hiddenCount: number;
};

/** The installed abilities of the account, with the changes under way. */
export const useInstalled = (): InstalledState => {
	const {toggles} = useServiceSession();
	const state = useResource('installed');
	const intents = useSyncExternalStore(toggles.subscribe, toggles.getIntents);
	const {records} = state;
	const counts = useMemo(() => {
		const states = (records ?? []).map(record => isShownEnabled(record, intents));
		return {
			enabledCount: states.filter(isEnabled => isEnabled === true).length,
			hiddenCount: states.filter(isEnabled => isEnabled === undefined).length,
		};
	}, [records, intents]);
	return {...state, ...counts, intents};
};
