import {mock} from 'node:test';
import {createKeyReader} from '../../../source/terminal/keyboard-input.ts';
import type {Key} from '../../../source/terminal/key.ts';

/** A key reader that notes what it reads. Delays end with `passTime` where the timers are mocked. */
export function createKeyRecorder() {
	const keys: Key[] = [];
	/** Names of keys, pastes as `paste:…` and answers to status requests as `status`, clicks as `press column,row`, in order. */
	const events: string[] = [];
	const reader = createKeyReader({
		key(key) {
			keys.push(key);
			events.push(key.name);
		},
		paste(text, isTruncated) {
			events.push(`paste${isTruncated ? ' cut' : ''}:${text}`);
		},
		mouse({kind, column, row}) {
			events.push(`${kind} ${column},${row}`);
		},
		status() {
			events.push('status');
		},
	});
	return {
		reader,
		keys,
		events,
		/** Longer than any delay, unless it says how long. */
		passTime(milliseconds = 2000): void {
			mock.timers.tick(milliseconds);
		},
	};
}

/** The events that a reader makes of chunks while no time passes. */
export function read(...chunks: ReadonlyArray<string | Uint8Array>): readonly string[] {
	const {reader, events} = createKeyRecorder();
	for (const chunk of chunks) {
		reader.write(chunk);
	}

	reader.close();
	return events;
}
