import {createKeyReader, type KeyboardEvents, type KeyReader} from '../../../source/tui/terminal/key-reader.ts';
import {type Key} from '../../../source/tui/terminal/key.ts';

export type KeyRecorder = {
	readonly reader: KeyReader;
	readonly keys: Key[];
	/** Names of keys, and pastes as `paste:…`, in their order. */
	readonly events: string[];
	/** What is being waited for, in milliseconds. */
	readonly waitMilliseconds: number | undefined;
	/** Lets the time pass that is being waited for. */
	passTime(): void;
};

/** A key reader whose time stands still. */
export const createKeyRecorder = (): KeyRecorder => {
	const keys: Key[] = [];
	const events: string[] = [];
	let waiting: {callback: () => void; milliseconds: number} | undefined;
	const recorder: KeyboardEvents = {
		key(key) {
			keys.push(key);
			events.push(key.name);
		},
		paste(text, isTruncated) {
			events.push(`paste${isTruncated ? ' cut' : ''}:${text}`);
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

/** What a reader makes of chunks, when no time passes. */
export const read = (...chunks: ReadonlyArray<string | Uint8Array>): readonly string[] => {
	const {reader, events} = createKeyRecorder();
	for (const chunk of chunks) {
		reader.write(chunk);
	}

	return events;
};
