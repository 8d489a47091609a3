import {assert, test} from '../helpers/node.ts';
import {planBoard, readBoard, type Moment} from '../../source/changes/board.ts';
import type {ReadHistory} from '../../source/changes/history.ts';
import type {KnownRecords} from '../../source/changes/revert.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {describeText, describeWithStart, type HistoryEntry} from '../../source/interface/history.ts';
import {decodeRecord} from '../../source/interface/records.ts';

const day = Date.UTC(2026, 0, 2);

const at = (hour: number): Moment => ({at: new Date(day + hour * 3_600_000)});

type Given = Partial<HistoryEntry> & {readonly hour: number};

/** The entries in the order of their numbers, of pantry's state unless given otherwise. */
const entriesOf = (given: readonly Given[]): readonly HistoryEntry[] =>
	given.map(({hour, ...entry}, index) => ({
		id: index + 1,
		at: new Date(day + hour * 3_600_000).toISOString(),
		by: 'anna',
		key: null,
		via: 'here',
		kind: 'installed',
		name: 'pantry',
		record: 7,
		field: 'enabled',
		from: true,
		to: false,
		...entry,
	}));

/** A history that is told in pages of two. */
function historyOf(entries: readonly HistoryEntry[]) {
	return {
		async read({
			before = Infinity,
			entry,
		}: {
			readonly before?: number | undefined;
			readonly entry?: number | undefined;
		}): Promise<ReadHistory> {
			const found = entries.filter(({id}) => (entry === undefined ? id < before : id === entry)).toReversed();
			const page = found.slice(0, 2);
			return {entries: page, next: page.length < found.length ? page.at(-1)!.id : undefined, reachesBackTo: entries[0]?.at, isWhole: true};
		},
	};
}

const records = (changes: Partial<Record<'enabled' | 'prompt' | 'name' | 'abilities', unknown>> = {}): KnownRecords => ({
	installed: [decodeRecord('installed', {id: 7, name: 'pantry', enabled: changes.enabled ?? false, trigger_words: ['count']})!],
	abilities: (
		[
			[21, 'pantry'],
			[22, 'larder'],
		] as const
	).map(([id, name]) => decodeRecord('abilities', {id, name, category: 'skill', description: '', trigger_words: [], selected_keys: []})!),
	agents: [
		decodeRecord('agents', {
			id: 1,
			name: changes.name ?? 'Hearth',
			description: changes.prompt ?? 'Now.',
			matching_capabilities: changes.abilities ?? [21],
		})!,
	],
});

async function planned(given: readonly Given[], moment: Moment, present = records(), whole: Readonly<Record<number, HistoryEntry>> = {}) {
	const entries = entriesOf(given);
	const {reversals, ...plan} = await planBoard(await readBoard(historyOf(entries), moment), {
		records: present,
		readWhole: async entry => whole[entry.id] ?? entry,
	});
	return {
		...plan,
		failed: plan.failed.map(({error}) => error.message),
		isNew: undefined,
		changes: reversals.map(({name, field, from, to}) => [name, field, from, to]),
	};
}

const quiet = {changes: [], failed: [], unchangedCount: 0, unknown: [], leftAlone: [], isNew: undefined};

const onOff = [
	{hour: 9, from: true, to: false},
	{hour: 10, from: false, to: true},
	{hour: 11, from: true, to: false},
];

test('the first entry after the moment has the value then, whatever came between', async () => {
	assert.deepEqual(await planned(onOff, at(10.5)), {...quiet, changes: [['pantry', 'enabled', false, true]]});
	assert.deepEqual(await planned(onOff, at(9.5)), {...quiet, unchangedCount: 1});
	assert.deepEqual(await planned(onOff, at(11.5)), quiet);
	assert.deepEqual(await planned(onOff, {entry: 2}), {...quiet, changes: [['pantry', 'enabled', false, true]]});
	assert.deepEqual(await planned(onOff, {entry: 1}), {...quiet, unchangedCount: 1});
});

test('a moment before the history is refused with the time that it reaches back to, and so is any without a history', async () => {
	const refusal = async (given: readonly Given[], moment: Moment): Promise<string> => {
		try {
			await planned(given, moment);
			return 'none';
		} catch (error) {
			assert.ok(error instanceof SwitchboardError && error.kind === 'refused');
			return error.message;
		}
	};

	assert.match(await refusal(onOff, at(8)), /^The history reaches back to 2026-01-02 \d\d:00:00, not to that time\.$/);
	const history = historyOf(entriesOf(onOff));
	let pageCount = 0;
	const read: typeof history.read = async query => {
		pageCount++;
		return history.read(query);
	};

	await assert.rejects(readBoard({read}, at(8)), {kind: 'refused'});
	assert.equal(pageCount, 1, 'the first page says how far the history reaches');
	assert.equal(await refusal([], at(8)), 'There is no history, so it is not known how anything was then.');
});

test('where a change is missing from the history, the value then is not known', async () => {
	const unknown = [
		{kind: 'installed', name: 'pantry', field: 'enabled', reason: 'it was also changed in a way that the history does not have'},
	];
	assert.deepEqual(await planned([{hour: 1}, onOff[0]!, {hour: 10, from: true, to: false}], at(8)), {...quiet, unknown});
	// A gap before the moment does not matter.
	assert.deepEqual(await planned([{hour: 1, to: true}, ...onOff], at(10.5)), {...quiet, changes: [['pantry', 'enabled', false, true]]});
	assert.deepEqual(await planned(onOff, at(10.5), records({enabled: true})), {
		...quiet,
		unknown: [{...unknown[0], reason: 'it is not as its last entry says'}],
	});
});

test('entries count in the order of their numbers where the clock went back', async () => {
	const given = [
		{hour: 9, from: true, to: false},
		{hour: 12, from: false, to: true},
		{hour: 10, from: true, to: false},
	];
	assert.deepEqual(await planned(given, at(11)), {...quiet, unchangedCount: 1});
});

test('long texts are compared by their hash and read whole', async () => {
	const long = 'You keep the house.\n'.repeat(100);
	const agent = {kind: 'agent', name: 'Hearth', record: 1, field: 'prompt'} as const;
	const given = [{hour: 8}, {...agent, hour: 10, from: describeWithStart(long), to: describeWithStart(`${long}Now.`)}];
	const whole = {2: {...entriesOf(given)[1]!, from: long, to: {...describeText(`${long}Now.`), difference: ''}}};
	assert.deepEqual(await planned(given, at(9), records({prompt: `${long}Now.`}), whole), {
		...quiet,
		changes: [['Hearth', 'prompt', `${long}Now.`, long]],
	});
	assert.equal((await planned(given, at(9), records({prompt: 'Other.'}), whole)).unknown.length, 1);
});

test('a long list is read whole, and what cannot be read ends the plan', async () => {
	const abilities = Array.from({length: 200}, (_, index) => `ability${index}`);
	const agent = {kind: 'agent', name: 'Hearth', record: 1, field: 'abilities'} as const;
	const described = describeWithStart(JSON.stringify([...abilities, 'larder']));
	const given = [{hour: 8}, {...agent, hour: 10, from: described, to: described}];
	const whole = {2: {...entriesOf(given)[1]!, from: ['pantry'], to: ['larder', 'pantry']}};
	assert.deepEqual((await planned(given, at(9), records({abilities: [21, 22]}), whole)).changes, [
		['Hearth', 'abilities', ['pantry', 'larder'], [21]],
	]);
	const board = await readBoard(historyOf(entriesOf(given)), at(9));
	await assert.rejects(
		planBoard(board, {
			records: records(),
			async readWhole() {
				throw new SwitchboardError('unreachable', 'Away.');
			},
		}),
		{kind: 'unreachable'},
	);
});

test('abilities of an agent are found by the names that they had, and a name is taken back by the id', async () => {
	const given: readonly Given[] = [
		{hour: 8},
		{hour: 9, kind: 'ability', name: 'stock', record: 22, field: 'name', from: 'stock', to: 'larder'},
		{hour: 10, kind: 'agent', name: 'Hearth', record: 1, field: 'abilities', from: ['stock'], to: ['pantry']},
	];
	assert.deepEqual(await planned(given, at(8.5)), {
		...quiet,
		changes: [
			['Hearth', 'abilities', ['pantry'], [22]],
			['larder', 'name', 'larder', 'stock'],
		],
	});
	// Another ability has the name by now.
	const swapped: readonly Given[] = [
		{hour: 8},
		{hour: 9, kind: 'ability', name: 'pantry', record: 22, field: 'name', from: 'pantry', to: 'larder'},
	];
	assert.deepEqual((await planned(swapped, at(8.5))).failed, ['The name “pantry” is taken by ability 21 now.']);
});

test('records that came or went since are named and left alone, and so are versions', async () => {
	const given: readonly Given[] = [
		{hour: 8},
		{hour: 9, field: 'installed', from: false, to: true},
		{hour: 10, from: true, to: false},
		{hour: 11, kind: 'ability', name: 'attic', record: 40, field: 'exists', from: true, to: false},
		{hour: 12, kind: 'ability', name: 'larder', record: 22, field: 'version', from: '1.0.0', to: '1.0.1'},
		{hour: 13, kind: 'key', name: 'phone', record: 3, field: 'exists', from: false, to: true},
	];
	assert.deepEqual((await planned(given, at(8.5))).leftAlone.toSorted(), [
		'attic was deleted since, and is not created again.',
		'larder had version 1.0.0 then: switchboard abilities restore larder --version 1.0.0',
		'pantry was installed since: it was not there then, and is left alone.',
	]);
	assert.deepEqual((await planned(given, at(8.5))).changes, []);
});
