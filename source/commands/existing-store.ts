import {SwitchboardError} from '../interface/errors.ts';
import {isDatabaseUrl} from '../platform/database-url.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import {shownLocation} from './database-option.ts';

const createHint = async (location: string): Promise<string> => {
	const {defaultDataFolder} = await import('../service/data-folder.ts');
	const words = ['switchboard keys create'];
	if (isDatabaseUrl(location)) {
		words.push('--database-url', shellWord(shownLocation(location)));
	} else if (location !== defaultDataFolder()) {
		words.push('--data', shellWord(location));
	}

	return `The first key creates one: ${words.join(' ')}`;
};

/**
For commands that only read: they create no data folder and no tables.

@throws SwitchboardError `not-found`, with how to create them, if there are none.
*/
export const requireExistingStore = async (location: string): Promise<void> => {
	const {requireStore} = await import('../service/store/open-store.ts');
	try {
		await requireStore(location);
	} catch (error) {
		throw error instanceof SwitchboardError && error.kind === 'not-found'
			? new SwitchboardError(error.kind, error.message, {nextStep: [error.nextStep, await createHint(location)].join(' '), cause: error})
			: error;
	}
};
