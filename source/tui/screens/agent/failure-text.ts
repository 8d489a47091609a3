import {type SwitchboardError} from '../../../interface/errors.ts';

/**
Why a save failed, and what to do.

@param subject - what was being saved, such as “the name of Hearth”.
@param nextStep - the key that goes on, as a sentence.
*/
export const failureText = (subject: string, {message, isOutcomeUnknown}: SwitchboardError, nextStep: string): string => isOutcomeUnknown
	? `It is not known whether the service saved ${subject}: ${message} ${nextStep}`
	: `Could not save ${subject}: ${message} ${nextStep}`;
