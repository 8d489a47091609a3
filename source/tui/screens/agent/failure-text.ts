import {type SwitchboardError} from '../../../interface/errors.ts';

/**
Why a save did not come about, and what can be done.

@param subject - what was to be saved, such as “the name of Hearth”.
@param nextStep - the key that goes on, as a sentence.
*/
export const failureText = (subject: string, {message, isOutcomeUnknown}: SwitchboardError, nextStep: string): string => isOutcomeUnknown
	? `It is not known whether ${subject} was saved: ${message} ${nextStep}`
	: `${subject[0]!.toUpperCase()}${subject.slice(1)} stays as it was: ${message} ${nextStep}`;
