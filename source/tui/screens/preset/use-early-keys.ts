import {useEffect, useEffectEvent, useRef} from 'react';
import {type KeyAnswer} from '../../keys/dispatcher.ts';
import {type Key} from '../../terminal/key.ts';

/** More than anyone types while a file is read. */
const maximumEarlyKeys = 100;

/** Keeps keys until what they are for has loaded, then acts on them: keys typed early are not lost. */
export const useEarlyKeys = (isLoading: boolean, act: (key: Key) => KeyAnswer): ((key: Key) => KeyAnswer) => {
	const early = useRef<readonly Key[]>([]);
	const replay = useEffectEvent(() => {
		const keys = early.current;
		early.current = [];
		for (const key of keys) {
			act(key);
		}
	});
	useEffect(() => {
		if (!isLoading) {
			replay();
		}
	}, [isLoading]);

	return key => {
		if (!isLoading) {
			return act(key);
		}

		early.current = [...early.current, key].slice(0, maximumEarlyKeys);
		return true;
	};
};
