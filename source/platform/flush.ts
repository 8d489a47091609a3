import {type Writable} from 'node:stream';

/** Resolves once all that was written to a stream is on its way, or cannot be. */
export const flush = async (output: Writable): Promise<void> => new Promise(resolve => {
	// Writing nothing fails as well where nothing can be written.
	if (output.writableLength === 0) {
		resolve();
		return;
	}

	output.write('', () => {
		resolve();
	});
});
