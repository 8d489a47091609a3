import assert from 'node:assert/strict';
import {isDeepStrictEqual} from 'node:util';

/** How a write ended: a fact, a fact that it did not happen, or neither. */
export type Outcome = 'done' | 'refused' | 'unknown';

type Write<State> = {readonly state: State; outcome: Outcome};

/** The history of a record that one client writes, and everybody reads. All its states differ. */
export type Register<State> = {
	/** Call it before a write is sent, and what it returns with how that ended. */
	write(state: State): (outcome: Outcome) => void;
	/**
	Call it before a read is sent, and what it returns with what was read. That fails for a state that was never written, or only by a write
	that was refused, and for one from before the newest write that had been acknowledged, or seen by anybody, when the read began.
	*/
	read(): (state: State) => void;
};

export function createRegister<State>(title: string, first: State): Register<State> {
	const writes: Array<Write<State>> = [{state: first, outcome: 'done'}];
	let newestKnown = 0;

	const describe = (state: State, what: string): string =>
		`${title}: ${JSON.stringify(state)} ${what}; last written:\n${writes
			.slice(-6)
			.map(write => `${write.outcome} ${JSON.stringify(write.state)}`)
			.join('\n')}`;

	return {
		write(state) {
			const write: Write<State> = {state, outcome: 'unknown'};
			const index = writes.length;
			writes.push(write);
			return outcome => {
				write.outcome = outcome;
				if (outcome === 'done') {
					newestKnown = Math.max(newestKnown, index);
				}
			};
		},
		read() {
			const oldest = newestKnown;
			return state => {
				const index = writes.findLastIndex(write => isDeepStrictEqual(write.state, state));
				assert.notEqual(index, -1, describe(state, 'was never there'));
				assert.notEqual(writes[index]!.outcome, 'refused', describe(state, 'was refused, and is there'));
				assert.ok(index >= oldest, describe(state, `was there before ${JSON.stringify(writes[oldest]?.state)}, which is lost`));
				newestKnown = Math.max(newestKnown, index);
			};
		},
	};
}
