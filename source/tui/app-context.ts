import {createContext, useContext, useSyncExternalStore} from 'react';
import type {KeyLimits} from '../interface/key-rights.ts';
import type {Presets} from '../settings/presets.ts';
import type {RequestLog} from './state/request-log.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import type {ActionName} from '../words/key-table.ts';
import type {Keymap} from '../words/keymap.ts';
import type {StateStore} from './observable.ts';
import type {Profiles} from './profiles.ts';
import type {AppAction, AppState, HelpTopic} from './state/app-state.ts';
import type {Say} from './state/messages.ts';

/** A list screen that the next start can show. */
export type ShownScreen = {
	readonly session: ServiceSession;
	readonly state: AppState;
	readonly records: unknown;
	/** Returns its first line as a later start shows it: with the time that the records are from, in words for a start on the day of `now`. */
	readonly header: (now: number) => string;
};

/** The program around the screens, as they know it. */
export type UiServices = {
	readonly store: StateStore<AppState, AppAction>;
	readonly keymap: Keymap;
	/** True if only ASCII is drawn: then an ellipsis needs three columns. */
	readonly isAscii: boolean;
	/** True if no colours are drawn: then a sign shows what a look shows elsewhere. */
	readonly isColorless: boolean;
	/** True if nothing may be changed: in a read-only run, or with a key that may only read. */
	readonly isReadOnly: boolean;
	/** What the key of the shown service may do; `undefined` for everything, and as long as that is not known. */
	readonly keyLimits?: KeyLimits | undefined;
	/** True for somebody who came over SSH: nothing on this machine is theirs, and no message names a path of it. */
	readonly isOverSsh: boolean;
	readonly say: Say;
	/** Carries out an action by name, for the command palette. */
	act(name: ActionName): void;
	copy(text: string, what: string): Promise<void>;
	readonly profiles: Profiles;
	/** The presets of the service that is shown; what must be known about their file becomes a message. */
	presets(): Presets;
	readonly requests: RequestLog;
	/**
	Returns what edits a file in the person's program for long texts, which gets the terminal; `undefined` if they are edited on the screen.
	@throws SwitchboardError `usage` if the person's choice cannot be parsed as a command.
	*/
	findEditor(): ((file: string) => Promise<void>) | undefined;
	/** Runs an editor on the screen; `ending` is aborted, with a signal's name as the reason, when it must end: SIGINT if the person leaves. */
	whileEditing<Result>(work: (ending: AbortSignal) => Promise<Result>): Promise<Result>;
	/** The folder that keeps the texts being edited, in a folder of their own; that of the settings by default. */
	readonly configFolder?: string | undefined;
	/** Called with each list screen as it is drawn, and what it was drawn from; the next start may show it. */
	readonly onScreen?: ((screen: ShownScreen) => void) | undefined;
	/** Loads the topics of the program's help, for the command palette. */
	loadTopics(): Promise<readonly HelpTopic[]>;
};

export const UiServicesContext = createContext<UiServices | undefined>(undefined);

/** Returns the program around the screens. Throws if no provider is above the component. */
export function useUiServices(): UiServices {
	const ui = useContext(UiServicesContext);
	if (ui === undefined) {
		throw new TypeError('This hook needs the services of the UI above it');
	}

	return ui;
}

const wholeState = (state: AppState): unknown => state;

/**
Returns the state of the screens, or what a component needs of it; it is small and holds no data of the service. The component is
drawn again when that changes, and every move of the cursor changes the whole.

@param select - must return the same value for the same state: no new object.
*/
export function useAppState<Value = AppState>(select = wholeState as (state: AppState) => Value): Value {
	const {store} = useUiServices();
	return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}
