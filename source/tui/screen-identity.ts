import {version} from '../platform/version.ts';
import {type Capabilities, type Environment} from './terminal/capabilities.ts';
import {type Size} from './terminal/frame-writer.ts';

type ScreenIdentityOptions = {
	readonly profileName: string;
	readonly isReadOnly: boolean;
	readonly size: Size;
	readonly capabilities: Capabilities;
	readonly env: Environment;
};

/** What the drawing of a screen depends on besides its account, as a text to compare: a screen of another one is not shown. */
export const screenIdentity = ({env, ...options}: ScreenIdentityOptions): string => {
	const {TERM: terminal, LC_ALL: all, LC_CTYPE: characters, LC_COLLATE: order, LC_TIME: times, LANG: language, TZ: zone} = env;
	return JSON.stringify([version, options, terminal, all, characters, order, times, language, zone]);
};
