import {type InputStream} from '../../platform/standard-streams.ts';
import {type EarlyInput} from './early-input.ts';
import {createKeyReader, type KeyboardEvents} from './key-reader.ts';

export type KeyboardInput = {
	/** Sends keys and pastes here from now on, earlier ones first. */
	listen(events: KeyboardEvents): void;
	/** Holds events until `release`: the rest of a chunk whose first key lends the terminal is still ours. */
	hold(): void;
	release(): void;
	close(): void;
};

/**
Reads the keyboard from a raw stream, from the first `listen` on.

@param onStatus - called at once, held or not, when the terminal answers a status request.
@param contained - makes a callback that never throws of one that may.
*/
export const createKeyboardInput = (
	stdin: InputStream,
	earlyInput: EarlyInput | undefined,
	onStatus: () => void,
	contained: (onChunk: (chunk: Uint8Array) => void) => (chunk: Uint8Array) => void,
): KeyboardInput => {
	let events: KeyboardEvents | undefined;
	let isHolding = false;
	const held: Array<() => void> = [];

	const deliver = (event: () => void): void => {
		if (isHolding) {
			held.push(event);
		} else {
			event();
		}
	};

	const reader = createKeyReader({
		status: onStatus,
		key(key) {
			deliver(() => {
				events?.key(key);
			});
		},
		paste(text, isTruncated, raw) {
			deliver(() => {
				events?.paste(text, isTruncated, raw);
			});
		},
	});

	const onData = contained(chunk => {
		reader.write(chunk);
	});

	return {
		listen(newEvents) {
			const isListening = events !== undefined;
			events = newEvents;
			if (isListening) {
				return;
			}

			const typed = earlyInput?.take() ?? '';
			stdin.on('data', onData);
			reader.write(typed);
		},
		hold() {
			isHolding = true;
		},
		release() {
			isHolding = false;
			// An event may lend the terminal again: then the rest are held again.
			for (const event of held.splice(0)) {
				deliver(event);
			}
		},
		close() {
			held.length = 0;
			reader.close();
			stdin.off('data', onData);
		},
	};
};
