import {
	createContext,
	useContext,
	useEffect,
	useState,
} from 'react';

/** What a screen remembers while another one covers it, by name. */
export type ScreenMemory = Map<string, unknown>;

export const ScreenMemoryContext = createContext<ScreenMemory | undefined>(undefined);

/**
State that outlives its screen: a screen that was covered by another one comes back as it was left. Without a memory above
it the state is lost with the screen.
*/
export const useRememberedState = <State>(name: string, initial: State): readonly [State, (change: (before: State) => State) => void] => {
	const memory = useContext(ScreenMemoryContext);
	const [value, setValue] = useState<State>(() => memory?.has(name) ? memory.get(name) as State : initial);
	return [value, change => {
		setValue(before => {
			const next = change(before);
			memory?.set(name, next);
			return next;
		});
	}];
};

/** A value, or what it was last before there was none: the name of a record that was deleted since, for example. */
export const useLastKnown = <Value>(name: string, value: Value | undefined): Value | undefined => {
	const [last, setLast] = useRememberedState<Value | undefined>(name, value);
	useEffect(() => {
		if (value !== undefined) {
			setLast(() => value);
		}
	}, [value]);
	return value ?? last;
};
