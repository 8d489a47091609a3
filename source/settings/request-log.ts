import path from 'node:path';
import process from 'node:process';
import {userFolders} from '../platform/user-folders.ts';
import type {RequestLogEntry} from '../client/client.ts';
import {appendPrivateFile, createPrivateFile, ensurePrivateFolder} from '../platform/private-files.ts';

/**
A log of the requests of this run, one line each, in a new file of mode 0600 in the platform's log folder.

@throws the error of the file system if it cannot be created.
*/
export const openRequestLog = ({logFolder}: {readonly logFolder?: string | undefined} = {}) => {
	const folder = logFolder ?? userFolders().log;
	ensurePrivateFolder(folder);
	const file = path.join(folder, `requests-${new Date().toISOString().replaceAll(/[.:]/g, '-')}-${process.pid}.log`);
	createPrivateFile(file);
	return {
		path: file,
		write({method, origin, path: requestPath, status, reason, startedAt, durationMilliseconds}: RequestLogEntry): void {
			const outcome = `${status ?? 'no answer'} ${Math.round(durationMilliseconds)} ms${reason === undefined ? '' : `: ${reason}`}`;
			appendPrivateFile(file, `${new Date(startedAt).toISOString()} ${method} ${origin}${requestPath} ${outcome}\n`);
		},
	};
};
