import {createContext, useContext, useSyncExternalStore} from 'react';
import type {SwitchboardError} from '../interface/errors.ts';
import type {KeyLimits} from '../interface/key-rights.ts';
import type {Presets} from '../settings/presets.ts';
import type {Profile} from '../settings/profile.ts';
import type {EarlierPrompts} from '../settings/settings.ts';
import type {RequestLog} from './state/request-log.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import type {ActionName} from '../words/key-table.ts';
import type {Keymap} from '../words/keymap.ts';
import type {Store} from './observable.ts';
import type {AppAction, AppState, HelpTopic, ProposedSignIn} from './state/app-state.ts';
import type {MessageEnd} from './state/messages.ts';
import type {Severity, ProfileMark} from '../words/signs.ts';
import type {Editor} from '../terminal/external-editor.ts';

export type TerminalControl = {
	repaint(): void;
	/** Suspends the program until the shell continues it. */
	suspend(): void;
	/** Lends the terminal to another program until the callback has settled; `ending` is aborted, with a signal's name as the reason, when that program must end. */
	lend<Result>(callback: (ending: AbortSignal) => Promise<Result>): Promise<Result>;
};

type Account = {
	readonly baseAddress: string;
	readonly apiKey: string;
	/** The name of its profile; empty for the proposed name. */
	readonly profileName: string;
};

/** A list screen that the next start can show. */
export type ShownScreen = {
	readonly session: ServiceSession;
	readonly state: AppState;
	readonly records: unknown;
	/** Returns its first line as a later start shows it: with the time that the records are from, in words for a start on the day of `now`. */
	readonly header: (now: number) => string;
};

/** The functions that screens may call in the program around them. */
export type UiServices = {
	readonly store: Store<AppState, AppAction>;
	/** True if nothing may be changed: in a read-only run, or with a key that may only read. */
	readonly isReadOnly: boolean;
	/** What the key of the shown service may do; `undefined` for everything, and as long as that is not known. */
	readonly keyLimits?: KeyLimits | undefined;
	/** True for somebody who came over SSH: nothing on this machine is theirs, and no message names a path of it. */
	readonly isOverSsh: boolean;
	/** The stored profiles; the bundled service is not among them. */
	profiles(): readonly Profile[];
	currentProfileName(): string;
	/** What signing out of a profile would delete with its key. */
	earlierPrompts(name: string): EarlierPrompts;
	/** The colour and sign of the current profile; `undefined` for the bundled service and for one without a profile. */
	profileMark(): ProfileMark | undefined;
	/** True for the bundled service while there is no profile and none was chosen: it is there to be tried. */
	isTrial(): boolean;
	/** The start of the sign-in form: the current service if it refused the key, else the public one. */
	proposedSignIn(): ProposedSignIn;
	/** The default name of a profile for an address; `undefined` while it is no address. */
	proposedProfileName(baseAddress: string): string | undefined;
	/** Checks address and key against the service, stores them and shows that service. Throws `SwitchboardError` otherwise. */
	signIn(account: Account, signal: AbortSignal): Promise<void>;
	/** Throws `SwitchboardError` if the new name is not valid or not free. */
	renameProfile(name: string, newName: string): Promise<void>;
	/** Shows another profile's service, or the bundled one for `local`. Throws `SwitchboardError` if it cannot be opened. */
	switchProfile(name: string): Promise<void>;
	/** Removes the key of a profile; if its service is shown, the bundled one replaces it. */
	signOut(name: string): Promise<void>;
	/** The presets of the service that is shown; what must be known about their file becomes a message. */
	presets(): Presets;
	readonly keymap: Keymap;
	/** True if only ASCII is drawn: then an ellipsis needs three columns. */
	readonly isAscii: boolean;
	/** True if no colours are drawn: then a sign shows what a look shows elsewhere. */
	readonly isColorless: boolean;
	/** Carries out an action by name, for the command palette. */
	act(name: ActionName): void;
	readonly requests: RequestLog;
	readonly terminal: TerminalControl;
	/**
	The program that edits long texts; `undefined` if they are edited on the screen.
	@throws SwitchboardError `usage` if the person's choice cannot be parsed as a command.
	*/
	findEditor(): Editor | undefined;
	/** Runs an editor on the screen; `ending` is aborted, with a signal's name as the reason, when it must end: SIGINT if the person leaves. */
	whileEditing<Result>(work: (ending: AbortSignal) => Promise<Result>): Promise<Result>;
	/** The folder that keeps the texts being edited, in a folder of their own; that of the settings by default. */
	readonly configFolder?: string | undefined;
	/** Called with each list screen as it is drawn, and what it was drawn from; the next start may show it. */
	readonly onScreen?: ((screen: ShownScreen) => void) | undefined;
	/** Loads the topics of the program's help, for the command palette. */
	loadTopics(): Promise<readonly HelpTopic[]>;
	copy(text: string, what: string): Promise<void>;
	/** Leaves once all changes are answered and the editor is closed: at once if none is under way, or if called again. */
	leave(): void;
	/** Cancels leaving. */
	stay(): void;
	/** @param ends - what makes it untrue, and the failure that it reports: that a service is unreachable is untrue once it answers. */
	say(level: Severity, text: string, ...ends: ReadonlyArray<MessageEnd | Pick<SwitchboardError, 'kind'> | undefined>): void;
};

export const UiServicesContext = createContext<UiServices | undefined>(undefined);

/** The program around the screens. Throws if no provider is above the component. */
export const useUiServices = (): UiServices => {
	const ui = useContext(UiServicesContext);
	if (ui === undefined) {
		throw new TypeError('This hook needs the services of the UI above it');
	}

	return ui;
};

const wholeState = (state: AppState): unknown => state;

/**
The state of the screens, or what a component needs of it; it is small and holds no data of the service. The component is
drawn again when that changes, and every move of the cursor changes the whole.

@param select - must return the same value for the same state: no new object.
*/
export const useAppState = <Value = AppState>(select = wholeState as (state: AppState) => Value): Value => {
	const {store} = useUiServices();
	return useSyncExternalStore(store.subscribe, () => select(store.getState()));
};
