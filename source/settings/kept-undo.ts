import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {
	existsSync,
	readdirSync,
	renameSync,
	rmSync,
} from 'node:fs';
import {hostname} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {hasErrorCode, readPrivateFile, writePrivateFile} from '../platform/private-files.ts';
import {parseObject} from './json-file.ts';

/*
What can still be undone, and what was marked, for the next session of the account. Each session has a file of its own, with its process
in the name, so sessions that run at once never write to the same one. A new session takes over the files of those that have
ended, by renaming them: only one can. What a session that still runs has done is its own to undo.
*/

const version = 1;

const maximumBytes = 256 * 1024;
const maximumSteps = 200;
const maximumAgeMilliseconds = 24 * 60 * 60 * 1000;

/** Stands for the process in the name of a file that its session has left: the process itself may take its time to end. */
const noProcess = 0;

/** The files of sessions that run in this process, which may be many over SSH. */
const ownFiles = new Set<string>();
let fileCount = 0;

/** The shape of the JSON is the terminal UI's own; each step has the time `at`. The newest step is the last. */
export type KeptUndo = {readonly steps: readonly JsonObject[]; readonly marks: JsonObject};

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

const isRecent = ({at}: JsonObject): boolean => typeof at === 'number' && at <= Date.now() && Date.now() - at < maximumAgeMilliseconds;

const textOf = ({steps, marks}: KeptUndo): string => JSON.stringify({
	version, at: Date.now(), steps, marks,
});

type KeptUndoOptions = {
	readonly folder: string;
	/** The beginning of the name of the account's files. */
	readonly account: string;
	/** True if the person signed out: then nothing is stored. */
	readonly isForgotten: () => boolean;
};

/** Takes over what ended sessions of the account have left, and keeps what this one leaves. Never throws: it is a convenience. */
export const openKeptUndo = ({folder, account, isForgotten}: KeptUndoOptions) => {
	// The processes of another machine that shares the folder are not known here.
	const prefix = `${account}-undo-${createHash('sha256').update(hostname()).digest('hex').slice(0, 8)}-`;
	const own = path.join(folder, `${prefix}${process.pid}-${++fileCount}.json`);
	ownFiles.add(own);
	let isWritten = false;

	const takeOver = (name: string): JsonObject | undefined => {
		const file = path.join(folder, name);
		const pid = /-(?<pid>\d+)-\d+\.json$/.exec(name)?.groups?.['pid'];
		if (pid === undefined || !name.startsWith(prefix) || isRunning(file, Number(pid))) {
			return undefined;
		}

		const taken = `${own}.taken`;
		try {
			renameSync(file, taken);
			const value = parseObject(readPrivateFile(taken, maximumBytes));
			return value?.['version'] === version && isRecent(value) ? value : undefined;
		} catch {
			return undefined;
		} finally {
			rmSync(taken, {force: true, recursive: true});
		}
	};

	const readAll = (): KeptUndo => {
		try {
			const left = readdirSync(folder).map(name => takeOver(name)).filter(value => value !== undefined).toSorted((first, second) => Number(first['at']) - Number(second['at']));
			const steps = left.flatMap(value => Array.isArray(value['steps']) ? value['steps'] as readonly unknown[] : []).filter(step => isJsonObject(step));
			const marks = left.at(-1)?.['marks'];
			return {
				steps: steps.filter(step => isRecent(step)).toSorted((first, second) => Number(first['at']) - Number(second['at'])).slice(-maximumSteps),
				marks: isJsonObject(marks) ? marks : {},
			};
		} catch {
			return {steps: [], marks: {}};
		}
	};

	const save = ({steps, marks}: KeptUndo): void => {
		try {
			if (isWritten ? !existsSync(own) : isForgotten()) {
				return;
			}

			let kept: KeptUndo = {steps: steps.slice(-maximumSteps), marks};
			let text = textOf(kept);
			while (Buffer.byteLength(text) > maximumBytes) {
				// A prompt may be long; marks of thousands of rows are made again with one key.
				kept = {steps: Object.keys(kept.marks).length > 0 ? kept.steps : kept.steps.slice(1), marks: {}};
				text = textOf(kept);
			}

			isWritten = kept.steps.length > 0 || Object.keys(kept.marks).length > 0;
			if (isWritten) {
				writePrivateFile(own, text);
			} else {
				rmSync(own, {force: true});
			}
		} catch {}
	};

	const earlier = readAll();
	if (earlier.steps.length > 0 || Object.keys(earlier.marks).length > 0) {
		save(earlier);
	}

	return {
		/** What earlier sessions left. */
		earlier,
		/** Stores what this one leaves; of too much, the newest steps. */
		save,
		/** Leaves the file to the next session. */
		close(): void {
			ownFiles.delete(own);
			try {
				renameSync(own, path.join(folder, `${prefix}${noProcess}-${Date.now()}${process.pid}${fileCount}.json`));
			} catch {
				// There is nothing to leave.
			}
		},
	};
};
