import {SwitchboardError} from './errors.ts';
import {hasMorePhrases, type InstalledAbility} from './records.ts';

/**
Refuses to edit trigger phrases of which too little is known: their format, all of them, or the state that is sent with them.

@throws SwitchboardError `refused`
*/
export const refuseUneditablePhrases = ({name, raw, isEnabled}: InstalledAbility): void => {
	if (!Object.hasOwn(raw, 'trigger_words')) {
		throw new SwitchboardError('refused', `The service does not show the trigger phrases of ${name}, so they cannot be edited.`, {field: 'trigger_words'});
	}

	if (hasMorePhrases(raw)) {
		throw new SwitchboardError('refused', `${name} has too many trigger phrases to be edited here: some of them would be lost.`, {field: 'trigger_words'});
	}

	if (isEnabled === undefined) {
		throw new SwitchboardError('refused', `The service does not show whether ${name} is on, which has to be sent with its phrases.`, {
			field: 'enabled', nextStep: 'Switch it on or off first.',
		});
	}
};
