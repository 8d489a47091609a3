import {Buffer} from 'node:buffer';

/** What a record takes besides its texts and files, so that many small ones count as well. */
const bytesOfRecord = 500;

/** What a record counts for the quota of its account; the migrations say the same in SQL. */
export const sizeOf = (...contents: ReadonlyArray<string | Uint8Array | undefined>): number => {
	let bytes = bytesOfRecord;
	for (const content of contents) {
		bytes += typeof content === 'string' ? Buffer.byteLength(content) : content?.byteLength ?? 0;
	}

	return bytes;
};
