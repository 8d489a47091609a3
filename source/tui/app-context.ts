import {createContext, useContext, useSyncExternalStore} from 'react';
import {type SwitchboardError} from '../interface/errors.ts';
import {type Profile} from '../settings/profile.ts';
import {type RequestLog} from './hooks/request-log.ts';
import {type ActionName} from './keys/key-table.ts';
import {type Keymap} from './keys/keymap.ts';
import {type AppAction, type AppState, type ProposedSignIn} from './state/app-state.ts';
import {type Severity} from './state/severity.ts';
import {type Store} from './state/store.ts';
import {type ProfileMark} from './widgets/profile-mark.ts';

/** What the screens ask of the terminal. */
export type TerminalControl = {
	/** Draws the whole screen again. */
	repaint(): void;
	/** Stops the program until the shell lets it go on. */
	stop(): void;
	/** Lends the terminal to another program until the callback has settled; `ending` is aborted, with a signal's name as the reason, when that program is to end. */
	lend<Result>(callback: (ending: AbortSignal) => Promise<Result>): Promise<Result>;
};

export type Account = {
	readonly baseAddress: string;
	readonly apiKey: string;
	/** What its profile is to be called; empty for the proposed name. */
	readonly profileName: string;
};

/** What the screens may ask of the program around them. */
export type UiServices = {
	readonly store: Store<AppState, AppAction>;
	/** When the program started, in milliseconds since the epoch. */
	readonly startedAt: number;
	readonly isReadOnly: boolean;
	/** The stored profiles; the bundled service is not among them. */
	profiles(): readonly Profile[];
	/** The profile that the screens show. */
	currentProfileName(): string;
	/** By what it is known at a glance; `undefined` for the bundled service and for one without a profile. */
	profileMark(): ProfileMark | undefined;
	/** What a sign-in offers: the service that is shown where it refused the key, else the public one. */
	proposedSignIn(): ProposedSignIn;
	/** The name under which a sign-in to an address is stored where the person gives none; `undefined` while it is no address. */
	proposedProfileName(baseAddress: string): string | undefined;
	/** Checks address and key against the service, stores them and shows that service. Throws `SwitchboardError` otherwise. */
	signIn(account: Account, signal: AbortSignal): Promise<void>;
	/** Calls a profile otherwise. Throws `SwitchboardError` where it cannot be called that. */
	renameProfile(name: string, newName: string): Promise<void>;
	/** Shows another profile's service, or the bundled one for `local`. Throws `SwitchboardError` where that cannot be. */
	switchProfile(name: string): Promise<void>;
	/** Forgets the key of a profile; where its service is shown, the bundled one takes its place. */
	signOut(name: string): Promise<void>;
	readonly keymap: Keymap;
	/** Carries out an action by name, for the command palette. */
	act(name: ActionName): void;
	/** The last requests, the newest last. */
	readonly requests: RequestLog;
	/** What stands between the screens and the line. */
	readonly line: TerminalControl;
	/** Puts a text on the clipboard and says where it went. */
	copy(text: string, what: string): Promise<void>;
	/** Leaves at once where nothing is under way or it was asked before, else once all changes are answered and the editor is closed. */
	leave(): void;
	/** Calls leaving off. */
	stay(): void;
	/** @param reason - the failure that an error tells of: one that says that the service could not be reached goes once it was. */
	say(level: Severity, text: string, reason?: Pick<SwitchboardError, 'kind'>): void;
};

export const UiServicesContext = createContext<UiServices | undefined>(undefined);

/** The program around the screens; a mistake in ours, and thrown as such, where there is none. */
export const useUiServices = (): UiServices => {
	const ui = useContext(UiServicesContext);
	if (ui === undefined) {
		throw new TypeError('This hook needs the services of the UI above it');
	}

	return ui;
};

/** The whole state of the screens; it is small, and none of it is the service's data. */
export const useAppState = (): AppState => {
	const {store} = useUiServices();
	return useSyncExternalStore(store.subscribe, store.getState);
};
