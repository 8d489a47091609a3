import {
	constants,
	createReadStream,
	fstatSync,
	open,
} from 'node:fs';
import {Socket} from 'node:net';
import {isatty, ReadStream} from 'node:tty';
import {promisify} from 'node:util';

/**
Opens a file to read it. A pipe or a terminal is waited for without a thread of its own, which no signal could end: a pipe that
nobody writes to yet has time until somebody does.
*/
export const openInput = async (file: string): Promise<AsyncIterable<Uint8Array>> => {
	// eslint-disable-next-line no-bitwise -- Flags are bits.
	const descriptor = await promisify(open)(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
	if (isatty(descriptor)) {
		return new ReadStream(descriptor);
	}

	return fstatSync(descriptor).isFIFO()
		? new Socket({fd: descriptor})
		: createReadStream(file, {fd: descriptor});
};
