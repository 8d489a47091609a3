import {SwitchboardError} from '../../interface/errors.ts';
import {type ToggleFailure} from './intents.ts';

/** True if the list did not show the change, but it may still arrive. */
export const isLate = ({error, isOutcomeUnknown}: Pick<ToggleFailure, 'error' | 'isOutcomeUnknown'>): boolean => error.isOutcomeUnknown && !isOutcomeUnknown;

/** Why a change failed, for the details of its record. */
export const reasonText = (failure: ToggleFailure): string => isLate(failure) ? `${failure.error.message} It may still arrive.` : failure.error.message;

/**
The error of a write without an answer that a fresh list does not show. It may still arrive, so its outcome stays unknown.

@param seen - what the list showed, such as “lamplighter is still listed”.
*/
export const notSeenYet = ({kind, message, nextStep, status, cause}: SwitchboardError, seen: string): SwitchboardError =>
	new SwitchboardError(kind, `${message} ${seen}, but the change may still arrive.`, {
		nextStep, status, cause, isOutcomeUnknown: true,
	});
