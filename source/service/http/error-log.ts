import {renameSync, statSync} from 'node:fs';
import path from 'node:path';
import {appendPrivateFile} from '../../platform/private-files.ts';

/** Logs an unexpected failure for the operator of the service. */
export type LogError = (error: unknown, where: string) => void;

const maximumBytes = 1024 * 1024;

/**
A log of internal errors: `service.log` in the data folder, readable by its owner only. It has the method, the pattern of the
path and the error with its stack; no header, no body and no id, and so no key. It is a file because standard error may be a
screen that the UI draws on. Above 1 MiB the log is renamed to `service.log.1`.
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
