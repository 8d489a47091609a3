import assert from 'node:assert/strict';
import {isDeepStrictEqual} from 'node:util';

/** What one client writes again and again: something that no other client touches. */
export type Subject<Value> = {
	readonly title: string;
	/** A value that differs from every other one. */
	next(current: Value): Value;
	write(value: Value, current: Value): Promise<number>;
	read(): Promise<Value>;
};

/** Counts what happened to the writes of all clients. */
export type Tally = {
	acknowledged: number;
	unanswered: number;
	/** The unanswered ones that turned out to be stored. */
	storedUnanswered: number;
	onAcknowledged: (() => void) | undefined;
};

const busy = 503;

export function createWriter<Value>(subject: Subject<Value>, first: Value, tally: Tally) {
	let acknowledged = first;
	let unanswered: {readonly value: Value} | undefined;
	const state = {isStopped: false};

	return {
		/** Writes until the service can no longer be reached, or until `stop`. */
		async run() {
			state.isStopped = false;
			while (!state.isStopped) {
				const value = subject.next(acknowledged);
				let status;
				try {
					status = await subject.write(value, acknowledged);
				} catch {
					unanswered = {value};
					tally.unanswered++;
					return;
				}

				// Another server holds the database: nothing was written.
				if (status === busy) {
					continue;
				}

				assert.equal(status, 200, `${subject.title} was answered ${status}`);
				acknowledged = value;
				tally.acknowledged++;
				tally.onAcknowledged?.();
			}
		},
		stop() {
			state.isStopped = true;
		},
		/** Fails if the service does not have the last acknowledged value, or wholly the one that was not answered. */
		async check() {
			const stored = await subject.read();
			if (unanswered !== undefined && isDeepStrictEqual(stored, unanswered.value)) {
				acknowledged = unanswered.value;
				tally.storedUnanswered++;
			}

			unanswered = undefined;
			assert.deepEqual(stored, acknowledged, `${subject.title}: an acknowledged write is lost, or one that was not is there in part`);
		},
	};
}

export type Writer = ReturnType<typeof createWriter>;
