import {SwitchboardError} from '../interface/errors.ts';
import type {Settings} from '../settings/settings.ts';

type Words = {
	/** What was not stored, as a clause without its end. */
	readonly what: string;
	/** What helps without the settings, as a clause. */
	readonly instead?: string;
};

/** The error of a command whose change of the settings applies to its own run only. */
export const notStored = ({path, isDiskFull, whyNotStored}: Settings, {what, instead}: Words): SwitchboardError => {
	const nextStep = (remedy: string): string => instead === undefined ? `${remedy}, then try again.` : `${remedy}, or ${instead} instead.`;
	if (isDiskFull()) {
		return new SwitchboardError('no-room', `${what}: the disk of ${path} is full.`, {nextStep: nextStep('Make room on it')});
	}

	const {reason, remedy} = whyNotStored();
	return new SwitchboardError('unexpected', `${what}: ${reason}.`, {nextStep: nextStep(remedy)});
};
