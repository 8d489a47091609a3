import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {type RemoteSession} from '../../settings/remote-session.ts';
import {listenTo} from './listen-to.ts';
import {type TerminalHost} from './terminal-host.ts';

/** The reason for which a session has to end; a hangup where none was given. */
export const endingReason = ({reason}: AbortSignal): SwitchboardError =>
	reason === undefined || (reason instanceof Error && reason.name === 'AbortError') ? new SwitchboardError('hangup', 'The session has ended.') : toSwitchboardError(reason);

const nothing = (): void => undefined;

/** The host of a UI that shares the process with others: it listens to nothing but its own session. */
export const createRemoteHost = ({streams: {stdin, stdout}, signal}: Pick<RemoteSession, 'streams' | 'signal'>): TerminalHost => ({
	watchSize: onResize => listenTo(stdout, 'resize', onResize),
	watchEnd(onEnd) {
		const onAbort = (): void => {
			const error = endingReason(signal);
			onEnd({reason: error.kind === 'hangup' ? 'hangup' : 'signal', exitCode: error.exitCode, error});
		};

		// What is shown still arrives: a terminal that types nothing more is given back like any other.
		const stopWatchingInput = listenTo(stdin, 'end', onAbort);
		signal.addEventListener('abort', onAbort, {once: true});
		return () => {
			signal.removeEventListener('abort', onAbort);
			stopWatchingInput();
		};
	},
	watchExit: () => nothing,
	holdOtherOutput: () => nothing,
	jobControl: undefined,
});
