import type {RequestLogEntry} from '../client/client.ts';
import {reasonOf} from '../interface/errors.ts';
import {openRequestLog} from '../settings/request-log.ts';

type DebugLog = {
	write(request: RequestLogEntry): void;
	/** What to print after the UI: where the log is, or why there is none. */
	afterword(): string;
};

/** The log of requests for `--debug`. The UI goes on without it if it cannot be written. */
export const openDebugLog = (options: {readonly logFolder?: string | undefined} = {}): DebugLog => {
	let problem: string | undefined;

	const attempt = <Result>(action: () => Result): Result | undefined => {
		try {
			return action();
		} catch (error) {
			problem ??= reasonOf(error);
			return undefined;
		}
	};

	const log = attempt(() => openRequestLog(options));
	return {
		write(request) {
			attempt(() => {
				log?.write(request);
			});
		},
		afterword() {
			return log === undefined ? `There is no request log: ${problem}` : `Request log: ${log.path}${problem === undefined ? '' : ` (incomplete: ${problem})`}`;
		},
	};
};
