import {type UiServices} from '../app-context.ts';

/** Refuses a change in a read-only run, with a message; returns true if it did. The client would refuse it too. */
export const refuseWhenReadOnly = (ui: UiServices): boolean => {
	if (ui.isReadOnly) {
		ui.say('error', ui.isOverSsh
			? 'Your key may only read here: nothing was changed.'
			: 'This run is read-only: nothing was changed. Restart without --read-only to make changes.');
	}

	return ui.isReadOnly;
};
