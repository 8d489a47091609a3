import {Buffer} from 'node:buffer';
import {SwitchboardError} from '../interface/errors.ts';

export const maximumTextBytes = 1024 * 1024;

/**
Reads a text up to a limit: a pipe or a device may never end.

@throws SwitchboardError `usage` if it is larger than the limit or not UTF-8.
*/
export async function readBoundedText(pieces: AsyncIterable<Uint8Array>, what: string): Promise<string> {
	const read: Uint8Array[] = [];
	let byteCount = 0;
	for await (const piece of pieces) {
		byteCount += piece.byteLength;
		if (byteCount > maximumTextBytes) {
			throw new SwitchboardError('usage', `${what} is larger than 1 MB, the limit for a text.`);
		}

		read.push(piece);
	}

	try {
		return new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(read));
	} catch (error) {
		throw new SwitchboardError('usage', `${what} is not UTF-8 text.`, {cause: error});
	}
}
