import {type UiServices} from '../app-context.ts';

/** Says that nothing is changed where this run is read-only, and whether that is so. The client would refuse it as well. */
export const refuseWhenReadOnly = (ui: UiServices): boolean => {
	if (ui.isReadOnly) {
		ui.say('error', 'This run is read-only: nothing was changed. Restart without --read-only to make changes.');
	}

	return ui.isReadOnly;
};
