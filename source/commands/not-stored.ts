import {SwitchboardError} from '../interface/errors.ts';
import type {Settings} from '../settings/settings.ts';

type Words = {
	/** What was not stored, as a clause without its end. */
	readonly what: string;
	/** Why, as whole sentences; by default that the file is not writable. */
	readonly why?: string;
	/** What helps without the settings, as a clause. */
	readonly instead?: string;
};

/** The error of a command whose change of the settings applies to its own run only. */
export const notStored = ({path, isDiskFull}: Settings, {what, why, instead}: Words): SwitchboardError => {
	const nextStep = (remedy: string): string => instead === undefined ? `${remedy}, then try again.` : `${remedy}, or ${instead} instead.`;
	return isDiskFull()
		? new SwitchboardError('no-room', `${what}: the disk of ${path} is full.`, {nextStep: nextStep('Make room on it')})
		: new SwitchboardError('unexpected', why === undefined ? `${what}: ${path} is not writable.` : `${what}. ${why}`, {nextStep: nextStep('Make the settings folder writable')});
};
