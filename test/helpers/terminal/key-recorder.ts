import {createKeyReader, type KeyReader, type KeyReaderEvents} from '../../../source/tui/terminal/key-reader.ts';
import {type Key} from '../../../source/tui/terminal/key.ts';

export type KeyRecorder = {
	readonly reader: KeyReader;
	readonly keys: Key[];
	/** Names of keys, pastes as `paste:…` and answers to status requests as `status`, in order. */
	readonly events: string[];
	/** The delay that the reader waits for. */
	readonly waitMilliseconds: number | undefined;
	/** Lets that delay expire. */
	passTime(): void;
};

/** A key reader with a stopped clock. */
export const createKeyRecorder = (): KeyRecorder => {
	const keys: Key[] = [];
	const events: string[] = [];
	let waiting: {callback: () => void; milliseconds: number} | undefined;
	const recorder: KeyReaderEvents = {
		key(key) {
			keys.push(key);
			events.push(key.name);
		},
		paste(text, isTruncated) {
			events.push(`paste${isTruncated ? ' cut' : ''}:${text}`);
		},
		status() {
			events.push('status');
		},
	};
	const reader = createKeyReader(recorder, {
		after(milliseconds, callback) {
			const timer = {callback, milliseconds};
			waiting = timer;
			return () => {
				waiting = timer === waiting ? undefined : waiting;
			};
		},
	});
	return {
		reader,
		keys,
		events,
		get waitMilliseconds() {
			return waiting?.milliseconds;
		},
		passTime() {
			const due = waiting;
			waiting = undefined;
			due?.callback();
		},
	};
};

/** The events that a reader makes of chunks while no time passes. */
export const read = (...chunks: ReadonlyArray<string | Uint8Array>): readonly string[] => {
	const {reader, events} = createKeyRecorder();
	for (const chunk of chunks) {
		reader.write(chunk);
	}

	return events;
};
