import {useEffect, useEffectEvent, useRef} from 'react';

/** More than anyone types while a list loads. */
const maximumEarlyInputs = 500;

/** Keeps keys, or their actions, until their target has loaded, then acts on them, so that early keys are not lost. */
export function useEarlyInput<Input, Answer>(isLoading: boolean, act: (input: Input) => Answer): (input: Input) => Answer | true {
	const early = useRef<readonly Input[]>([]);
	const replay = useEffectEvent(() => {
		const inputs = early.current;
		early.current = [];
		for (const input of inputs) {
			act(input);
		}
	});
	useEffect(() => {
		if (!isLoading) {
			replay();
		}
	}, [isLoading]);

	return input => {
		if (!isLoading) {
			return act(input);
		}

		early.current = [...early.current, input].slice(0, maximumEarlyInputs);
		return true;
	};
}
