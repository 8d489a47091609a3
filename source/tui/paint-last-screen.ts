import process from 'node:process';
import {type JsonObject} from '../interface/json.ts';
import {openLastSeenOf} from '../settings/last-seen.ts';
import {localProfileName} from '../settings/profile.ts';
import {peekSettings} from '../settings/settings.ts';
import {resolveTarget} from '../settings/target.ts';
import {unnamedProfile} from './hooks/profile-label.ts';
import {screenIdentity} from './screen-identity.ts';
import {chooseCapabilities, isLinear} from './terminal/capabilities.ts';
import {showEarlyScreen, type EarlyScreen} from './terminal/early-screen.ts';

/** The screen of the run before. */
export type PaintedScreen = {
	/** On the terminal, unless it is for another one. */
	readonly screen?: EarlyScreen | undefined;
	/** Where the screens stood. */
	readonly view: JsonObject;
};

type PaintOptions = {
	readonly profile?: string | undefined;
	readonly baseUrl?: string | undefined;
	readonly isReadOnly: boolean;
	readonly isInsecureHttpAllowed: boolean;
	readonly isColorWanted: boolean;
	readonly isAscii: boolean;
};

/**
Shows the screen that was last seen with this service, key and terminal, before the UI is loaded.

@returns `undefined` if there is none, or whatever hinders it: the UI reports that.
*/
export const paintLastScreen = (options: PaintOptions): PaintedScreen | undefined => {
	const {env, stdout} = process;
	const capabilities = chooseCapabilities(options, env);
	const {columns, rows} = stdout;
	if (isLinear(capabilities) || !columns || !rows) {
		return undefined;
	}

	try {
		const target = resolveTarget({
			...options, settings: peekSettings(), env, isForUi: true,
		});
		const size = {columns, rows};
		const profileName = target.kind === 'local' ? localProfileName : target.profileName ?? unnamedProfile;
		const found = openLastSeenOf(target).loadScreen(screenIdentity({
			profileName, isReadOnly: options.isReadOnly, size, capabilities, env,
		}));
		return found && {screen: found.shown && showEarlyScreen(stdout, {...found.shown, size}), view: found.view};
	} catch {
		return undefined;
	}
};
