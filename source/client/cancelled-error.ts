import {SwitchboardError} from '../interface/errors.ts';
import {noAnswerInTime} from './network-errors.ts';

/** The limit of a whole command, if that is what aborted the signal, rather than a person. */
export const timeLimitOf = (signal: AbortSignal): SwitchboardError | undefined =>
	signal.reason instanceof SwitchboardError && signal.reason.kind === 'timeout' ? signal.reason : undefined;

/** The error of a call that its signal cancelled. A write is cut before the command's own time is up, so it does not say that it is. */
export const toCancelledError = (signal: AbortSignal, {origin, isWrite, isOutcomeUnknown}: {
	readonly origin: string;
	readonly isWrite: boolean;
	readonly isOutcomeUnknown: boolean;
}): SwitchboardError => {
	const limit = timeLimitOf(signal);
	if (limit === undefined) {
		return new SwitchboardError('interrupted', 'The request was cancelled.', {isOutcomeUnknown});
	}

	const {message, nextStep} = isWrite ? noAnswerInTime(origin) : limit;
	return new SwitchboardError('timeout', message, {nextStep, isOutcomeUnknown});
};
