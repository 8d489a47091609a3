import {Buffer} from 'node:buffer';
import {setImmediate} from 'node:timers/promises';

/** What is written at once: about a millisecond's work. */
const recordsAtOnce = 500;

/**
Writes a list of records as JSON, in steps between which other requests are answered.

@param isWanted - asked before each step.
@returns `undefined` if it is no longer wanted.
*/
export const writeList = async (records: readonly object[], [before, after]: readonly [string, string], isWanted: () => boolean): Promise<Buffer | undefined> => {
	const pieces = [Buffer.from(before)];
	for (let start = 0; start < records.length; start += recordsAtOnce) {
		if (start > 0) {
			await setImmediate();
		}

		if (!isWanted()) {
			return undefined;
		}

		const text = JSON.stringify(records.slice(start, start + recordsAtOnce)).slice(1, -1);
		pieces.push(Buffer.from(start === 0 ? text : `,${text}`));
	}

	pieces.push(Buffer.from(after));
	return Buffer.concat(pieces);
};
