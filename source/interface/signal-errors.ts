import {SwitchboardError} from './errors.ts';

/** Why a command ends after a signal. */
export const signalErrors = {
	SIGHUP: new SwitchboardError('hangup', 'The terminal hung up.'),
	SIGINT: new SwitchboardError('interrupted', 'Interrupted.'),
	SIGTERM: new SwitchboardError('terminated', 'Terminated.'),
} as const;
