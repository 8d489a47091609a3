import {isJsonObject, type JsonObject} from '../interface/json.ts';
import type {UiStateStore} from '../settings/ui-state.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import {keepMarks} from './hooks/undo-earlier.ts';
import type {AppState} from './state/app-state.ts';
import {readSavedView, type SavedView, savedViewOf, toScreenName} from './state/saved-view.ts';

/** Services given by address alone come and go, so their views are not kept forever. */
const maximumViews = 50;

/** A profile that has moved to another address has other records: the old view does not apply to them. */
const nameOf = ({account: {profileName, hostLabel}}: ServiceSession): string => `${profileName} ${hostLabel}`;

const viewsIn = (state: JsonObject): JsonObject => (isJsonObject(state['profiles']) ? state['profiles'] : {});

/** Where the screens were left, by profile and address: stored with the UI's state or, if that cannot be written, for this run. */
export const openSavedViews = (uiState: UiStateStore) => {
	let ofThisRun: ReadonlyMap<string, JsonObject> = new Map();

	const read = (session: ServiceSession, stored: JsonObject): SavedView => {
		const name = nameOf(session);
		const views = viewsIn(stored);
		return readSavedView(ofThisRun.get(name) ?? (Object.hasOwn(views, name) ? views[name] : undefined));
	};

	return {
		/** Where the screens of this service were left; if they were never shown, the screen on which the UI was left last. */
		atStart(session: ServiceSession): SavedView {
			const stored = uiState.read();
			const lastScreen = toScreenName(stored['screen']);
			return {...(lastScreen !== undefined && {screen: lastScreen}), ...read(session, stored), isPaneOpen: stored['isPaneOpen'] !== false};
		},
		rename(profileName: string, newName: string): void {
			const renamed = (name: string): string => (name.startsWith(`${profileName} `) ? newName + name.slice(profileName.length) : name);
			ofThisRun = new Map([...ofThisRun].map(([name, view]) => [renamed(name), view]));
			uiState.update(stored => ({
				...stored,
				profiles: Object.fromEntries(Object.entries(viewsIn(stored)).map(([name, view]) => [renamed(name), view])),
			}));
		},
		of: (session: ServiceSession): SavedView => ({...read(session, uiState.read()), isPaneOpen: undefined}),
		keep(session: ServiceSession, state: AppState): void {
			const name = nameOf(session);
			const view = savedViewOf(state);
			keepMarks(session, {
				agents: state.views.agents.marks,
				abilities: state.views.abilities.marks,
				installed: state.views.installed.marks,
			});
			ofThisRun = new Map([...ofThisRun, [name, view]]);
			uiState.update(stored => {
				const {[name]: before, ...others} = viewsIn(stored);
				return {
					...stored,
					screen: state.screen,
					isPaneOpen: state.isPaneOpen,
					// The newest last.
					profiles: Object.fromEntries([...Object.entries(others), [name, view] as const].slice(-maximumViews)),
				};
			});
		},
	};
};

export type SavedViews = ReturnType<typeof openSavedViews>;
