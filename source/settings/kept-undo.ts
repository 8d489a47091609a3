import {Buffer} from 'node:buffer';
import {existsSync, rmSync} from 'node:fs';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {writePrivateFile} from '../platform/private-files.ts';
import {openSessionFile} from '../platform/json-file.ts';

/*
What can still be undone, and what was marked, for the next session of the account. What a session that still runs has done is its own
to undo.
*/

const version = 1;

const maximumBytes = 256 * 1024;
const maximumSteps = 200;
const maximumAgeMilliseconds = 24 * 60 * 60 * 1000;

/** The shape of the JSON is the terminal UI's own; each step has the time `at`. The newest step is the last. */
export type KeptUndo = {readonly steps: readonly JsonObject[]; readonly marks: JsonObject};

const isRecent = ({at}: JsonObject): boolean => typeof at === 'number' && at <= Date.now() && Date.now() - at < maximumAgeMilliseconds;

const textOf = ({steps, marks}: KeptUndo): string => JSON.stringify({version, at: Date.now(), steps, marks});

type KeptUndoOptions = {
	readonly folder: string;
	/** The beginning of the name of the account's files. */
	readonly account: string;
	/** True if the person signed out: then nothing is stored. */
	readonly isForgotten: () => boolean;
};

/** Takes over what ended sessions of the account have left, and keeps what this one leaves. Never throws: it is a convenience. */
export const openKeptUndo = ({folder, account, isForgotten}: KeptUndoOptions) => {
	const own = openSessionFile(folder, `${account}-undo`, maximumBytes);
	let isWritten = false;

	const readAll = (): KeptUndo => {
		const left = own
			.takeOver()
			.filter(value => value['version'] === version && isRecent(value))
			.toSorted((first, second) => Number(first['at']) - Number(second['at']));
		const steps = left
			.flatMap(value => (Array.isArray(value['steps']) ? (value['steps'] as readonly unknown[]) : []))
			.filter(step => isJsonObject(step));
		const marks = left.at(-1)?.['marks'];
		return {
			steps: steps
				.filter(step => isRecent(step))
				.toSorted((first, second) => Number(first['at']) - Number(second['at']))
				.slice(-maximumSteps),
			marks: isJsonObject(marks) ? marks : {},
		};
	};

	const save = ({steps, marks}: KeptUndo): void => {
		try {
			if (isWritten ? !existsSync(own.file) : isForgotten()) {
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
				writePrivateFile(own.file, text);
			} else {
				rmSync(own.file, {force: true});
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
		close: own.leave,
	};
};
