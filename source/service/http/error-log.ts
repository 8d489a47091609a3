import {renameSync, statSync} from 'node:fs';
import path from 'node:path';
import {appendPrivateFile} from '../../platform/private-files.ts';

/** Notes an unexpected failure for whoever runs the service. */
export type LogError = (error: unknown, where: string) => void;

const maximumBytes = 1024 * 1024;

/**
A log of what went wrong inside the service: `service.log` in the data folder, for its owner alone. It holds the method,
the shape of the path and the error with its stack: no header, no body, no id, hence no key. It goes to a file because the
service's standard error may be a screen that something else draws on. Past a mebibyte the old log is kept as `service.log.1`.
*/
export const createErrorLog = (dataFolder: string): LogError => {
	const file = path.join(dataFolder, 'service.log');

	return (error, where) => {
		const text = error instanceof Error ? error.stack ?? error.message : String(error);
		try {
			if ((statSync(file, {throwIfNoEntry: false})?.size ?? 0) > maximumBytes) {
				renameSync(file, `${file}.1`);
			}

			appendPrivateFile(file, `${JSON.stringify({time: new Date().toISOString(), where, error: text})}\n`);
		} catch {
			// A full disk must not turn one failed answer into a failed service.
		}
	};
};
