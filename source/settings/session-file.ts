import {createHash} from 'node:crypto';
import {readdirSync, renameSync, rmSync} from 'node:fs';
import {hostname} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type {JsonObject} from '../interface/json.ts';
import {hasErrorCode, readPrivateFile} from '../platform/private-files.ts';
import {parseObject} from './json-file.ts';

/** Stands for the process in the name of a file that its session has left: the process itself may take its time to end. */
const noProcess = 0;

/** The files of sessions that run in this process, which may be many over SSH. */
const ownFiles = new Set<string>();
let fileCount = 0;

const isRunning = (file: string, pid: number): boolean => {
	if (pid === process.pid || pid === noProcess) {
		return ownFiles.has(file);
	}

	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return hasErrorCode(error, 'EPERM');
	}
};

/** The beginning of the names. The processes of another machine that shares the folder are not known here. */
const prefixOf = (name: string): string => `${name}-${createHash('sha256').update(hostname()).digest('hex').slice(0, 8)}-`;

/** True if a session has a file of this name, or has left one. */
export const hasSessionFiles = (folder: string, name: string): boolean => {
	try {
		return readdirSync(folder).some(file => file.startsWith(prefixOf(name)));
	} catch {
		return false;
	}
};

/**
A file of JSON for what a session leaves to the next one. Each session has a file of its own, with its process in the name, so sessions
that run at once never write to the same one. A new session takes over the files of those that have ended, by renaming them: only one can.
*/
export const openSessionFile = (folder: string, name: string, maximumBytes: number) => {
	const prefix = prefixOf(name);
	const file = path.join(folder, `${prefix}${process.pid}-${++fileCount}.json`);
	ownFiles.add(file);

	const takeOne = (otherName: string): JsonObject | undefined => {
		const other = path.join(folder, otherName);
		const pid = /-(?<pid>\d+)-\d+\.json$/.exec(otherName)?.groups?.['pid'];
		if (pid === undefined || !otherName.startsWith(prefix) || isRunning(other, Number(pid))) {
			return undefined;
		}

		const taken = `${file}.taken`;
		try {
			renameSync(other, taken);
			return parseObject(readPrivateFile(taken, maximumBytes));
		} catch {
			return undefined;
		} finally {
			rmSync(taken, {force: true, recursive: true});
		}
	};

	return {
		/** It does not exist until it is written. */
		file,
		/** What ended sessions have left; empty if the folder cannot be read. */
		takeOver(): readonly JsonObject[] {
			try {
				return readdirSync(folder).map(otherName => takeOne(otherName)).filter(value => value !== undefined);
			} catch {
				return [];
			}
		},
		/** Leaves the file to the next session. */
		leave(): void {
			ownFiles.delete(file);
			try {
				renameSync(file, path.join(folder, `${prefix}${noProcess}-${Date.now()}${process.pid}${fileCount}.json`));
			} catch {
				// There is nothing to leave.
			}
		},
	};
};
