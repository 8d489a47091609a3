import {readdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {userFolders} from '../platform/user-folders.ts';
import type {RequestLogEntry} from '../client/client.ts';
import {appendPrivateFile, createPrivateFile, ensurePrivateFolder, writePrivateFile} from '../platform/private-files.ts';
import {removeKeys} from '../client/redact-key.ts';
import {cleanLines} from '../interface/clean-text.ts';
import {SwitchboardError, toSwitchboardError, withoutFailing} from '../interface/errors.ts';
import {secretsOf} from '../platform/secret-variables.ts';
import {version} from '../platform/program.ts';
import {peekSettings} from './settings.ts';

/**
Returns a log of the requests of this run, one line each, in a new file of mode 0600 in the platform's log folder.

@throws the error of the file system if it cannot be created.
*/
export function openRequestLog({logFolder}: {readonly logFolder?: string | undefined} = {}) {
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
}

const maximumReports = 10;

/**
Returns the error to report for anything thrown. Anything but a `SwitchboardError` is a fault of the program: its stack goes into a file,
which the next step names.
*/
export function explainCrash(error: unknown): SwitchboardError {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const {kind, message} = toSwitchboardError(error);
	const file = writeCrashReport(error);
	return new SwitchboardError(kind, withoutKeys(message), {nextStep: file && `A report is in ${file}`, cause: error});
}

/** Writes a report of mode 0600 into the platform's log folder. Returns its path; `undefined` if it cannot be written. */
function writeCrashReport(error: unknown): string | undefined {
	const folder = userFolders().log;
	const time = new Date().toISOString();
	const file = path.join(folder, `crash-${time.replaceAll(/[.:]/g, '-')}-${process.pid}.txt`);
	const lines = [
		`Switchboard ${version} on Node.js ${process.versions.node}, ${process.platform} ${process.arch}`,
		`${time}, ${Math.round(process.uptime())} s after the start`,
		'',
		// Before cleaning, which may cut a key in two, and after it, because it may have joined the parts of one.
		withoutKeys(cleanLines(withoutKeys(stackOf(error)))),
	];
	try {
		writePrivateFile(file, `${lines.join('\n')}\n`);
		removeOldReports(folder);
		return file;
	} catch {
		return undefined;
	}
}

/** Removes every key that this run can know of, and the password of its database. */
const withoutKeys = (text: string): string => removeKeys(text, [...secretsOf(), ...storedKeys()]);

function storedKeys(): ReadonlyArray<string | undefined> {
	return (
		withoutFailing(() =>
			peekSettings()
				.profiles()
				.map(({apiKey}) => apiKey),
		) ?? []
	);
}

/** Returns the stack of an error and of its causes, and nothing else of them: the errors of requests hold their headers, and so the key. */
function stackOf(error: unknown, depth = 0): string {
	if (!(error instanceof Error) || depth === 5) {
		return String(error);
	}

	const {stack, message, cause} = error;
	return [stack ?? message, ...(cause === undefined ? [] : [`Caused by: ${stackOf(cause, depth + 1)}`])].join('\n');
}

/** The names sort by their time. */
function removeOldReports(folder: string): void {
	const names = readdirSync(folder)
		.filter(name => isReport(name))
		.toSorted();
	for (const name of names.slice(0, Math.max(0, names.length - maximumReports))) {
		rmSync(path.join(folder, name), {force: true});
	}
}

const isReport = (name: string): boolean => /^crash-.+\.txt$/.test(name);

/**
Returns the error for a person over SSH after a fault. It names neither the path of the report nor the message, which may contain a path.
*/
export function sessionFault(ended: 'session' | 'command', cause?: unknown): SwitchboardError {
	return new SwitchboardError('unexpected', `An unexpected error has ended this ${ended}.`, {
		nextStep: 'Try again. If it happens again, tell the administrator of this server.',
		cause,
	});
}

/** Explains a crash to a person over SSH, as `explainCrash` does. */
export function explainSessionCrash(error: unknown, ended: 'session' | 'command'): SwitchboardError {
	const explained = explainCrash(error);
	return explained === error ? explained : sessionFault(ended, error);
}
