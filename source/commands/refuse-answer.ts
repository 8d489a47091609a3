import {SwitchboardError} from '../interface/errors.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {stateWord} from '../interface/state-word.ts';
import {hasPhrases} from '../state/same-phrases.ts';

/** @throws SwitchboardError `refused` if the service answered a switch with another state. */
export const refuseOtherState = ({name, isEnabled}: InstalledAbility, isWanted: boolean): void => {
	if (isEnabled !== isWanted) {
		throw new SwitchboardError('refused', `The service answered that ${name} is still ${stateWord(isEnabled)}.`);
	}
};

/** @throws SwitchboardError `refused` if the service answered with other trigger phrases, in whatever order. */
export const refuseOtherPhrases = (answered: InstalledAbility, wanted: readonly string[]): void => {
	if (hasPhrases(answered, wanted) === false) {
		throw new SwitchboardError('refused', `The service answered that ${answered.name} has other trigger phrases.`, {nextStep: 'Look at them with: switchboard installed --json'});
	}
};
