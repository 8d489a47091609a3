import {createContext, useContext, useSyncExternalStore} from 'react';
import type {KeyLimits} from '../interface/key-rights.ts';
import type {Presets} from '../settings/presets.ts';
import type {RequestLog} from './state/request-log.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import type {ActionName} from '../words/key-table.ts';
import type {Keymap} from '../words/keymap.ts';
import type {TimeZone} from '../words/time-zone.ts';
import type {StateStore} from './observable.ts';
import type {Profiles} from './profiles.ts';
import type {AppAction, AppState, HelpTopic} from './state/app-state.ts';
import type {Say} from './state/messages.ts';

export type ShownScreen = {
	readonly session: ServiceSession;
	readonly state: AppState;
	readonly records: unknown;
	/** Returns its first line for a later start: with the time of the records, in words for a start on the day of `now`. */
	readonly header: (now: number) => string;
};

/** The program around the screens, as they see it. */
export type UiServices = {
	readonly store: StateStore<AppState, AppAction>;
	readonly keymap: Keymap;
	/** True if only ASCII is drawn: then an ellipsis needs three columns. */
	readonly isAscii: boolean;
	/** True if no colours are drawn: a sign is then shown in place of a style. */
	readonly isColorless: boolean;
	/** True if nothing may be changed: in a read-only run, or with a read-only key. */
	readonly isReadOnly: boolean;
	/** The limits of the current service's key; `undefined` for an unrestricted key, or while they are not known. */
	readonly keyLimits?: KeyLimits | undefined;
	/** True over SSH: the person owns nothing on this machine, and no message names its paths. */
	readonly isOverSsh: boolean;
	/** The zone of the person, for times that they type and read. */
	readonly timeZone: TimeZone;
	readonly say: Say;
	/** Carries out an action by name, for the command palette. */
	act(name: ActionName): void;
	copy(text: string, what: string): Promise<void>;
	readonly profiles: Profiles;
	/** The presets of the current service; problems with their file become messages. */
	presets(): Presets;
	readonly requests: RequestLog;
	/**
	Returns a function that opens a file in the person's own editor, which gets the terminal; `undefined` if long texts are edited on the
	screen.
	@throws SwitchboardError `usage` if the person's choice cannot be parsed as a command.
	*/
	findEditor(): ((file: string) => Promise<void>) | undefined;
	/**
	Runs an editor on the screen; `ending` is aborted, with a signal's name as the reason, when it must end: SIGINT if the person leaves.
	*/
	whileEditing<Result>(work: (ending: AbortSignal) => Promise<Result>): Promise<Result>;
	/** The folder for texts that are being edited, in a subfolder; by default the settings folder. */
	readonly configFolder?: string | undefined;
	/** Called with each list screen as it is drawn, and with its inputs; the next start may show it. */
	readonly onScreen?: ((screen: ShownScreen) => void) | undefined;
	/** Loads the topics of the program's help, for the command palette. */
	loadTopics(): Promise<readonly HelpTopic[]>;
};

export const UiServicesContext = createContext<UiServices | undefined>(undefined);

export function useUiServices(): UiServices {
	const ui = useContext(UiServicesContext);
	if (ui === undefined) {
		throw new TypeError('This hook needs the services of the UI above it');
	}

	return ui;
}

const wholeState = (state: AppState): unknown => state;

/**
Returns the state of the screens, or the part that a component needs; it is small and holds no data of the service. The component is redrawn
when that part changes, and every move of the cursor changes the whole.

@param select - must return an identical value for an unchanged state, not a new object.
*/
export function useAppState<Value = AppState>(select = wholeState as (state: AppState) => Value): Value {
	const {store} = useUiServices();
	return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}
