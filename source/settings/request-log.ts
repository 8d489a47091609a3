import path from 'node:path';
import process from 'node:process';
import {userFolders} from '../platform/user-folders.ts';
import {appendPrivateFile, createPrivateFile, ensurePrivateFolder} from '../platform/private-files.ts';

/** One request: no key and no body. */
export type LoggedRequest = {
	readonly method: string;
	/** Scheme, host and port. */
	readonly origin: string;
	readonly path: string;
	/** `undefined` where no answer came. */
	readonly status: number | undefined;
	/** Why no answer came. */
	readonly reason: string | undefined;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	readonly durationMilliseconds: number;
};

export type RequestLog = {
	readonly path: string;
	readonly write: (request: LoggedRequest) => void;
};

/**
A log of the requests of this run, one line each, in a new file of mode 0600 in the platform's log folder.

@throws the error of the file system where it cannot be made.
*/
export const openRequestLog = ({logFolder}: {readonly logFolder?: string | undefined} = {}): RequestLog => {
	const folder = logFolder ?? userFolders().log;
	ensurePrivateFolder(folder);
	const file = path.join(folder, `requests-${new Date().toISOString().replaceAll(/[.:]/g, '-')}-${process.pid}.log`);
	createPrivateFile(file);
	return {
		path: file,
		write({method, origin, path: requestPath, status, reason, startedAt, durationMilliseconds}) {
			const outcome = `${status ?? 'no answer'} ${Math.round(durationMilliseconds)} ms${reason === undefined ? '' : `: ${reason}`}`;
			appendPrivateFile(file, `${new Date(startedAt).toISOString()} ${method} ${origin}${requestPath} ${outcome}\n`);
		},
	};
};
