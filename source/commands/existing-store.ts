import {SwitchboardError} from '../interface/errors.ts';
import {isDatabaseUrl} from '../platform/database-url.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import type {Environment} from './context.ts';
import {chooseLocation, shownLocation} from './database-option.ts';

/** Where a command looks without options; `undefined` if the variable for it has no valid value. */
const usualLocation = async (env: Environment): Promise<string | undefined> => {
	try {
		return await chooseLocation({}, env);
	} catch {
		return undefined;
	}
};

/** The command that creates a key there; with an option only if it would not look there anyway. */
export const keysCreateAt = async (location: string, env: Environment): Promise<string> => {
	const place = location === await usualLocation(env) ? '' : ` ${isDatabaseUrl(location) ? '--database-url' : '--data'} ${shellWord(shownLocation(location))}`;
	return `switchboard keys create${place}`;
};

/**
For commands that only read: they create no data folder and no tables.

@throws SwitchboardError `not-found`, with how to create them, if there are none.
*/
export const requireExistingStore = async (location: string, env: Environment): Promise<void> => {
	const {requireStore} = await import('../service/store/open-store.ts');
	try {
		await requireStore(location);
	} catch (error) {
		throw error instanceof SwitchboardError && error.kind === 'not-found'
			? new SwitchboardError(error.kind, error.message, {nextStep: [error.nextStep, `The first key creates one: ${await keysCreateAt(location, env)}`].join(' '), cause: error})
			: error;
	}
};
