import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {type UiStateStore} from '../settings/ui-state.ts';
import {type ServiceSession} from './hooks/service-session.ts';
import {type AppState} from './state/app-state.ts';
import {
	leaveScreens,
	readLeftScreens,
	toScreenName,
	type LeftScreens,
} from './state/left-screens.ts';

export type PlacesLeft = {
	/** Where the screens of this service were left; where they never were, the screen on which the UI was left last. */
	atStart(session: ServiceSession): LeftScreens;
	/** Where the screens of this service were left. */
	of(session: ServiceSession): LeftScreens;
	keep(session: ServiceSession, state: AppState): void;
	/** Keeps the places of a profile that is called otherwise from now on. */
	rename(profileName: string, newName: string): void;
};

/** Services that are asked for by address alone come and go: their places are not kept without end. */
const maximumPlaces = 50;

/** A profile that has moved to another address shows other records, and what is left says nothing about them. */
const nameOf = ({profileName, place}: ServiceSession): string => `${profileName} ${place}`;

const placesIn = (state: JsonObject): JsonObject => isJsonObject(state['profiles']) ? state['profiles'] : {};

/** Where the screens were left, by profile and address: in the store of the UI's state and, where that cannot be written, for this run. */
export const openPlacesLeft = (uiState: UiStateStore | undefined): PlacesLeft => {
	const ofThisRun = new Map<string, JsonObject>();

	const read = (session: ServiceSession, stored: JsonObject): LeftScreens => {
		const name = nameOf(session);
		const places = placesIn(stored);
		return readLeftScreens(ofThisRun.get(name) ?? (Object.hasOwn(places, name) ? places[name] : undefined));
	};

	return {
		atStart(session) {
			const stored = uiState?.read() ?? {};
			const lastScreen = toScreenName(stored['screen']);
			return {...(lastScreen !== undefined && {screen: lastScreen}), ...read(session, stored)};
		},
		rename(profileName, newName) {
			const renamed = (name: string): string => name.startsWith(`${profileName} `) ? newName + name.slice(profileName.length) : name;
			const entries = [...ofThisRun];
			ofThisRun.clear();
			for (const [name, place] of entries) {
				ofThisRun.set(renamed(name), place);
			}

			uiState?.update(stored => ({
				...stored,
				profiles: Object.fromEntries(Object.entries(placesIn(stored)).map(([name, place]) => [renamed(name), place])),
			}));
		},
		of: session => read(session, uiState?.read() ?? {}),
		keep(session, state) {
			const name = nameOf(session);
			const place = leaveScreens(state);
			ofThisRun.set(name, place);
			uiState?.update(stored => {
				const {[name]: before, ...others} = placesIn(stored);
				return {
					...stored,
					screen: state.screen,
					// The newest last.
					profiles: Object.fromEntries([...Object.entries(others), [name, place] as const].slice(-maximumPlaces)),
				};
			});
		},
	};
};
