import {type AppAction, type AppState} from './app-state.ts';
import {type Store} from './store.ts';

/** Moves the time of the screens on. */
export type ShownAges = {
	/**
	Moves it on at this moment, as something on the screen is drawn differently from then on, but not within a minute of the last time.

	@param moment - in milliseconds since the epoch.
	@returns a function that takes that back.
	*/
	redrawAt(moment: number): () => void;
	/** Moves it on now, before a key is handled, unless that was done within the last minute. */
	catchUp(): void;
};

const leastMilliseconds = 60_000;

/** A timer takes no longer delay than 24 days, and does not count the time for which a machine sleeps. */
const mostMilliseconds = 60 * 60 * 1000;

/** Lets the ages on the screen move on while nothing else happens: one timer for all of them, and none where no age is shown. */
export const createShownAges = (store: Store<AppState, AppAction>): ShownAges => {
	const moments = new Set<{readonly moment: number}>();
	let timer: NodeJS.Timeout | undefined;

	const moveOn = (): void => {
		store.dispatch({type: 'set-now', now: Date.now()});
	};

	const dueAt = (): number => {
		let next = Infinity;
		for (const {moment} of moments) {
			next = Math.min(next, moment);
		}

		return Math.max(next, store.getState().now + leastMilliseconds);
	};

	const arm = (): void => {
		clearTimeout(timer);
		const due = dueAt();
		timer = due === Infinity ? undefined : setTimeout(wake, Math.min(Math.max(0, due - Date.now()), mostMilliseconds)).unref();
	};

	const wake = (): void => {
		if (Date.now() >= dueAt()) {
			moveOn();
		}

		arm();
	};

	return {
		redrawAt(moment) {
			const entry = {moment};
			moments.add(entry);
			arm();
			return () => {
				moments.delete(entry);
				arm();
			};
		},
		catchUp() {
			if (Math.abs(Date.now() - store.getState().now) >= leastMilliseconds) {
				moveOn();
			}
		},
	};
};
