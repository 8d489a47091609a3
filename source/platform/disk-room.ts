import {randomUUID} from 'node:crypto';
import {
	closeSync,
	openSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs';
import {Buffer} from 'node:buffer';
import {isNoRoom} from './no-room.ts';

const probeBytes = 64 * 1024;

/**
Whether files of one folder could grow by a little, tried with another one beside them: not every error of a library says why
a file cannot be written.

@returns the error of the file system if there is no room; `undefined` if there is, or it cannot be written for another reason.
*/
export const findNoRoom = (files: readonly [string, ...string[]]): Error | undefined => {
	const probe = `${files[0]}.${randomUUID()}.probe`;
	let descriptor: number | undefined;
	try {
		descriptor = openSync(probe, 'wx', 0o600);
		writeSync(descriptor, Buffer.alloc(probeBytes, 1));
		// A hole takes no room, but counts for the limit of a file's size.
		writeSync(descriptor, '1', probeBytes + Math.max(...files.map(file => statSync(file, {throwIfNoEntry: false})?.size ?? 0)));
		return undefined;
	} catch (error) {
		return isNoRoom(error) ? error : undefined;
	} finally {
		if (descriptor !== undefined) {
			closeSync(descriptor);
			rmSync(probe, {force: true});
		}
	}
};
