import process from 'node:process';
import type {JsonObject} from '../interface/json.ts';
import {version} from '../platform/program.ts';
import {openLastSeenOf} from '../settings/last-seen.ts';
import {localProfileName, unnamedProfile} from '../settings/profile.ts';
import {peekSettings} from '../settings/settings.ts';
import {resolveTarget} from '../settings/target.ts';
import {chooseCapabilities, isLinear, type Capabilities, type TerminalEnvironment} from '../terminal/capabilities.ts';
import type {FrameSize} from '../terminal/frame-writer.ts';
import {showEarlyScreen, type EarlyScreen} from '../terminal/terminal-modes.ts';

export type IdentityOptions = {
	readonly profileName: string;
	readonly isReadOnly: boolean;
	readonly size: FrameSize;
	readonly capabilities: Capabilities;
	readonly env: TerminalEnvironment;
};

/** Returns the inputs of a screen's drawing besides its account, as a text to compare: a screen with other inputs is not shown. */
export function screenIdentity({profileName, isReadOnly, size, capabilities, env}: IdentityOptions): string {
	return JSON.stringify([
		version,
		{profileName, isReadOnly, size, capabilities},
		['TERM', 'LC_ALL', 'LC_CTYPE', 'LC_COLLATE', 'LC_TIME', 'LANG', 'TZ'].map(name => env[name]),
	]);
}

/** The last screen of the previous run. */
export type PaintedScreen = {
	/** On the terminal, unless it is for a different one. */
	readonly screen?: EarlyScreen | undefined;
	readonly view: JsonObject;
};

/** The options of the command line, as the UI reads them. */
export type StartOptions = {
	readonly profile?: string | undefined;
	readonly baseUrl?: string | undefined;
	readonly isReadOnly: boolean;
	readonly isInsecureHttpAllowed: boolean;
	readonly timeoutMilliseconds?: number | undefined;
	readonly isColorWanted: boolean;
	readonly isAscii: boolean;
	readonly isDebug: boolean;
	readonly isMouseWanted: boolean;
};

/**
Shows the screen that was last seen with this service, key and terminal, before the UI is loaded.

@returns `undefined` if there is none, or after any problem, which the UI reports.
*/
export function paintLastScreen(options: StartOptions): PaintedScreen | undefined {
	const {env, stdout} = process;
	const capabilities = chooseCapabilities(options, env);
	const {columns, rows} = stdout;
	if (isLinear(capabilities) || !columns || !rows) {
		return undefined;
	}

	try {
		const target = resolveTarget({...options, settings: peekSettings(), env, isForUi: true});
		const size = {columns, rows};
		const profileName = target.kind === 'local' ? localProfileName : (target.profileName ?? unnamedProfile);
		const found = openLastSeenOf(target).loadScreen(screenIdentity({profileName, isReadOnly: options.isReadOnly, size, capabilities, env}));
		return found && {screen: found.shown && showEarlyScreen(stdout, {...found.shown, size}), view: found.view};
	} catch {
		return undefined;
	}
}
