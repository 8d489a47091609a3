import {useEffect, useEffectEvent, useState} from 'react';
import {toSwitchboardError, type SwitchboardError} from '../../../interface/errors.ts';
import {useRememberedState} from '../../widgets/text-scroll.ts';

type Read<Value> = {readonly value?: Value | undefined; readonly error?: SwitchboardError};

/**
Reads a value for an overlay, once; after a failure, again on request. Leaving the overlay cancels the read.

@param known - the value, if nothing needs to be read.
*/
export function useRead<Value>(read: (signal: AbortSignal) => Promise<Value>, known?: Value) {
	const [{value, error}, setRead] = useRememberedState<Read<Value>>('read', {value: known});
	const [attempt, setAttempt] = useState(0);
	const load = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
		let next: Read<Value>;
		try {
			next = {value: await read(signal)};
		} catch (error_) {
			next = {error: toSwitchboardError(error_)};
		}

		if (!signal.aborted) {
			setRead(() => next);
		}
	});
	useEffect(() => {
		const controller = new AbortController();
		if (value === undefined) {
			void load(controller.signal);
		}

		return () => controller.abort();
	}, [attempt]);
	return {
		value,
		error,
		readAgain(): void {
			setRead(() => ({}));
			setAttempt(before => before + 1);
		},
	};
}
