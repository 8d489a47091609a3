import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {createSharedCounter} from '../../../source/service/http/shared-counter.ts';
import {type CountReport, type Limits, type SharedCount} from '../../../source/service/store/store.ts';

type Answer = Omit<SharedCount, 'name'>;

const pendingWork = async (): Promise<void> => new Promise(resolve => {
	setImmediate(resolve);
});

/** A counter with a clock of its own, on a database that answers each report as the test says; it is away where that is nothing. */
const startCounter = (t: TestContext) => {
	t.mock.timers.enable({apis: ['setTimeout']});
	const state = {time: 5000, answer: undefined as ((report: CountReport) => Answer) | undefined};
	const reports: Array<readonly CountReport[]> = [];
	const limits: Limits = {
		async exchange(sent) {
			reports.push(sent);
			const {answer} = state;
			if (answer === undefined) {
				throw new Error('away');
			}

			return {processCount: 3, counts: sent.map(report => ({name: report.name, ...answer(report)}))};
		},
	};
	const count = createSharedCounter(limits, () => state.time);
	return {
		state,
		reports,
		/** Whether each is within the limit, or still waits. */
		count(name: string, times: number, limit = 10) {
			const outcomes: Array<'passed' | 'refused' | 'waits'> = Array.from({length: times}, () => 'waits');
			for (const index of outcomes.keys()) {
				void (async () => {
					const result = await count(name, limit);
					outcomes[index] = result.count <= limit ? 'passed' : 'refused';
					assert.ok(result.millisecondsLeft > 0);
					assert.ok(result.millisecondsLeft <= 60_000);
				})();
			}

			return outcomes;
		},
		async pass(milliseconds: number) {
			state.time += milliseconds;
			t.mock.timers.tick(milliseconds);
			await pendingWork();
		},
	};
};

const numbers = (outcomes: readonly string[]): readonly number[] => ['passed', 'refused', 'waits'].map(each => outcomes.filter(outcome => outcome === each).length);

const window = 900_000;

test('what the database has set aside for a process passes at once, and the rest a second later or not at all', async t => {
	const {state, reports, count, pass} = startCounter(t);
	state.answer = () => ({
		window, millisecondsLeft: 50_000, usedElsewhere: 2, held: 3,
	});
	const outcomes = count('a', 5);
	await pass(0);
	assert.deepEqual(numbers(outcomes), [3, 0, 2]);
	assert.deepEqual(reports, [[{
		name: 'a', window: undefined, used: 0, waiting: 5, isWanted: true, limit: 10,
	}]]);
	await pass(999);
	assert.equal(reports.length, 1);

	state.answer = () => ({
		window, millisecondsLeft: 49_000, usedElsewhere: 6, held: 1,
	});
	await pass(1);
	assert.deepEqual(reports[1], [{
		name: 'a', window, used: 3, waiting: 2, isWanted: true, limit: 10,
	}]);
	// The tenth.
	assert.deepEqual(numbers(outcomes), [4, 1, 0]);
	assert.deepEqual(numbers(count('a', 2)), [0, 0, 2]);
	await pendingWork();
});

test('a name that has reached its limit is refused without asking the database, until its window has ended', async t => {
	const {state, reports, count, pass} = startCounter(t);
	state.answer = ({used}) => ({
		window, millisecondsLeft: 5000, usedElsewhere: 10 - used, held: 0,
	});
	const first = count('a', 1);
	await pass(0);
	assert.deepEqual(first, ['refused']);
	await pass(2000);
	const later = count('a', 3);
	await pendingWork();
	assert.deepEqual(numbers(later), [0, 3, 0]);
	assert.equal(reports.length, 1);

	await pass(3000);
	state.answer = () => ({
		window: window + 60_000, millisecondsLeft: 60_000, usedElsewhere: 0, held: 4,
	});
	const next = count('a', 2);
	await pass(0);
	assert.deepEqual(numbers(next), [2, 0, 0]);
	assert.deepEqual(reports[1], [{
		name: 'a', window: undefined, used: 0, waiting: 2, isWanted: true, limit: 10,
	}]);
});

test('nothing is told where nothing was counted, and what is not needed is given back', async t => {
	const {state, reports, count, pass} = startCounter(t);
	state.answer = ({isWanted}) => ({
		window, millisecondsLeft: 50_000, usedElsewhere: 0, held: isWanted ? 5 : 0,
	});
	count('a', 1);
	await pass(0);
	await pass(1000);
	await pass(1000);
	assert.deepEqual(reports.map(([report]) => report && [report.used, report.isWanted]), [[0, true], [1, true], [1, false]]);
	await pass(1000);
	await pass(1000);
	assert.equal(reports.length, 3);
});

test('a name that comes back soon after what was held for it was given back does not wait', async t => {
	const {state, reports, count, pass} = startCounter(t);
	state.answer = ({isWanted}) => ({
		window, millisecondsLeft: 50_000, usedElsewhere: 0, held: isWanted ? 5 : 0,
	});
	count('a', 1, 600);
	await pass(0);
	await pass(1000);
	await pass(1000);
	assert.equal(reports.at(-1)![0]!.isWanted, false);
	await pass(500);
	const outcomes = count('a', 2, 600);
	await pendingWork();
	assert.deepEqual(outcomes, ['passed', 'passed']);
	assert.equal(reports.length, 3);
});

test('a name that is new to a busy process does not wait if it comes only a few times', async t => {
	const {state, count, pass} = startCounter(t);
	state.answer = () => ({
		window, millisecondsLeft: 50_000, usedElsewhere: 0, held: 5,
	});
	count('a', 1);
	await pass(0);
	const outcomes = count('b', 30, 600);
	await pendingWork();
	// A tenth of the limit for three processes.
	assert.deepEqual(numbers(outcomes), [20, 0, 10]);
});

test('where other processes hold all that is left, a name that comes only a few times does not wait; it gets no more until something was left', async t => {
	const {state, count, pass} = startCounter(t);
	const answer = {window, millisecondsLeft: 50_000, usedElsewhere: 100};
	state.answer = () => ({...answer, held: 0});
	const outcomes = count('a', 30, 600);
	await pass(0);
	assert.deepEqual(numbers(outcomes), [20, 0, 10]);
	await pass(1000);
	assert.deepEqual(numbers(outcomes), [20, 0, 10]);
	state.answer = () => ({...answer, held: 15});
	await pass(1000);
	assert.deepEqual(numbers(outcomes), [30, 0, 0]);
	// Five that it holds, and as many more as at first.
	const later = count('a', 30, 600);
	await pendingWork();
	assert.deepEqual(numbers(later), [25, 0, 5]);
});

test('what a process holds no longer is not let through as if it did', async t => {
	const {state, count, pass} = startCounter(t);
	state.answer = () => ({
		window, millisecondsLeft: 50_000, usedElsewhere: 0, held: 9,
	});
	count('a', 1);
	await pass(0);
	state.answer = undefined;
	state.time += 1600;
	const outcomes = count('a', 3);
	await pendingWork();
	assert.deepEqual(numbers(outcomes), [0, 0, 3]);
});

test('while the database is away nothing is refused that this process alone would let through, and its counts are told later', async t => {
	const {state, reports, count, pass} = startCounter(t);
	const outcomes = count('a', 12);
	await pass(0);
	assert.deepEqual(numbers(outcomes), [10, 2, 0]);
	state.answer = () => ({
		window, millisecondsLeft: 50_000, usedElsewhere: 0, held: 0,
	});
	await pass(1000);
	assert.deepEqual(reports[1], [{
		name: 'a', window: undefined, used: 10, waiting: 0, isWanted: true, limit: 10,
	}]);
});

test('what was counted while a window ended counts in the next one only once', async t => {
	const {state, reports, count, pass} = startCounter(t);
	state.answer = () => ({
		window, millisecondsLeft: 50_000, usedElsewhere: 0, held: 5,
	});
	count('a', 4);
	await pass(0);
	state.answer = () => ({
		window: window + 60_000, millisecondsLeft: 60_000, usedElsewhere: 0, held: 5,
	});
	await pass(1000);
	count('a', 2);
	await pass(1000);
	assert.deepEqual(reports.map(([report]) => report && [report.window, report.used]), [[undefined, 0], [window, 4], [window + 60_000, 2]]);
});
