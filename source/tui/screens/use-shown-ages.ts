import {useEffect} from 'react';
import {useIsScreenReaderEnabled} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {nextAgeChange} from '../widgets/age.ts';

/** Has the screen drawn again at this moment; never if it is infinite. A screen reader would read what has changed. */
export const useRedrawAt = (moment: number): void => {
	const {ages} = useUiServices();
	const isScreenReader = useIsScreenReaderEnabled();
	const isWanted = moment < Infinity && !isScreenReader;
	useEffect(() => isWanted ? ages.redrawAt(moment) : undefined, [ages, isWanted, moment]);
};

/** Has the screen drawn again when the age of one of these times is another one. Call it with the times whose ages are on the screen. */
export const useShownAges = (times: ReadonlyArray<number | undefined>): void => {
	const now = useAppState(state => state.now);
	let next = Infinity;
	for (const time of times) {
		next = time === undefined ? next : Math.min(next, nextAgeChange(time, now));
	}

	useRedrawAt(next);
};
