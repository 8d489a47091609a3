import {SwitchboardError} from '../../interface/errors.ts';

/**
What was looked up. The refusal is the same for what there is not and for what is another account's.

@throws SwitchboardError `not-found` where there is none.
*/
export const orNotFound = <Found>(found: Found | undefined, what: string, id: number): Found => {
	if (found === undefined) {
		throw new SwitchboardError('not-found', `There is no ${what} with the id ${id}.`);
	}

	return found;
};
