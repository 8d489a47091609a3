import {rmSync} from 'node:fs';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {cleanName, decodeId} from '../interface/records.ts';
import {writePrivateFile} from '../platform/private-files.ts';
import {objectText, openSessionFile} from '../platform/json-file.ts';

/*
The abilities that are on for a conversation alone. Each is noted before it is switched on, until it is known that it is off again: what
a session leaves that was killed, the next session of the account finds, but not one that begins while it runs.
*/

const version = 1;
const maximumBytes = 64 * 1024;

/** An installed ability that was off. */
export type Tried = {
	readonly id: number;
	readonly name: string;
	/** When it was switched on, in milliseconds since the epoch. */
	readonly at: number;
};

const toTried = (value: JsonValue): Tried | undefined => {
	const {id, name, at} = isJsonObject(value) ? value : {};
	const decoded = decodeId(id);
	return decoded !== undefined && typeof name === 'string' && cleanName(name) === name && typeof at === 'number'
		? {id: decoded, name, at}
		: undefined;
};

const triesIn = (value: JsonObject): readonly Tried[] => {
	const {tries} = value;
	return value['version'] === version && Array.isArray(tries)
		? (tries as readonly JsonValue[]).map(tried => toTried(tried)).filter(tried => tried !== undefined)
		: [];
};

/** Takes over what ended sessions of the account have left. */
export const openKeptTries = (folder: string, name: string) => {
	const own = openSessionFile(folder, name, maximumBytes);
	let tries: readonly Tried[] = [];

	/** @throws the error of the file system: then nothing is changed. */
	const set = (next: readonly Tried[]): void => {
		if (next.length === 0) {
			rmSync(own.file, {force: true});
		} else {
			writePrivateFile(own.file, objectText({version, tries: next.map(tried => ({...tried}))}));
		}

		tries = next;
	};

	const forget = (id: number): void => {
		try {
			set(tries.filter(tried => tried.id !== id));
		} catch {
			// The next session finds that it is off, or asks.
		}
	};

	const left = own.takeOver().flatMap(value => triesIn(value));
	if (left.length > 0) {
		try {
			set(left);
		} catch {
			tries = left;
		}
	}

	return {
		/** What ended sessions have left. */
		left,
		/** @throws the error of the file system if it cannot be noted. */
		note(tried: Tried): void {
			set([...tries.filter(({id}) => id !== tried.id), tried]);
		},
		forget,
		/** Leaves to the next session what is still noted. */
		close: own.leave,
	};
};

export type KeptTries = ReturnType<typeof openKeptTries>;
