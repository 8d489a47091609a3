import {createContext, useContext, useState} from 'react';

/** What is kept for each owner, by the name of what it is. */
const states = new WeakMap<object, Map<string, unknown>>();

/** What a screen is shown for. As long as that object lives, the screen comes back as it was left. */
export const OwnerContext = createContext<object | undefined>(undefined);

/** Changes what an owner's screen will show when it comes back. */
export const setOwnedState = (owner: object, name: string, value: unknown): void => {
	const kept = states.get(owner) ?? new Map<string, unknown>();
	states.set(owner, kept);
	kept.set(name, value);
};

/**
State that outlives its screen: what lay under something else is drawn anew once that is closed. Without an owner above it
the state goes with the screen.
*/
export const useOwnedState = <State>(name: string, initial: State): readonly [State, (change: (before: State) => State) => void] => {
	const owner = useContext(OwnerContext);
	const [value, setValue] = useState<State>(() => {
		const kept = owner && states.get(owner);
		return kept?.has(name) ? kept.get(name) as State : initial;
	});
	return [value, change => {
		setValue(before => {
			const next = change(before);
			if (owner !== undefined) {
				setOwnedState(owner, name, next);
			}

			return next;
		});
	}];
};
