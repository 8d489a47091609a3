import {assert, nextTurn, test} from '../../helpers/node.ts';
import type {HistoryEntry, HistoryQuery} from '../../../source/interface/history.ts';
import type {Change} from '../../../source/tui/hooks/list-changes.ts';
import {createWhoChanged} from '../../../source/tui/hooks/who-changed.ts';
import {createLately} from '../../../source/tui/state/lately.ts';

const switched = (id: number, name: string, fields: Partial<Change> = {}): Change => ({
	resource: 'installed',
	id,
	name,
	kind: 'state',
	from: 'off',
	to: 'on',
	...fields,
});

const at = '2026-11-26T12:03:00.000Z';

const entry = (id: number, record: number, by: string, fields: Partial<HistoryEntry> = {}): HistoryEntry => ({
	id,
	at,
	by,
	key: by,
	via: '',
	kind: 'installed',
	name: `ability ${record}`,
	record,
	field: 'enabled',
	from: false,
	to: true,
	...fields,
});

/** A history that answers with these entries, or fails. */
const start = (answer: readonly HistoryEntry[] | Error) => {
	const lately = createLately();
	const queries: HistoryQuery[] = [];
	const who = createWhoChanged({
		lately,
		closing: new AbortController().signal,
		history: {
			async read(query) {
				queries.push(query);
				if (answer instanceof Error) {
					throw answer;
				}

				return {entries: answer, next: undefined, isWhole: true};
			},
		},
	});
	return {
		who,
		queries,
		/** The last changes as “by: subject”. */
		async lines(): Promise<readonly string[]> {
			await nextTurn();
			return lately.get().map(({by, subject, what}) => `${by}: ${subject} ${what}`);
		},
		lately,
	};
};

test('changes that one key made elsewhere are told apart by who made them, the newest change of each record', async () => {
	const {who, queries, lines, lately} = start([entry(52, 1, 'anna'), entry(51, 2, 'you'), entry(50, 1, 'zoe')]);
	who.handleChange({resource: 'installed', version: '1', history: 49});
	who.add([switched(1, 'lamps'), switched(2, 'pantry'), switched(3, 'desk'), switched(4, 'ability 2', {resource: 'abilities'})]);
	assert.deepEqual(
		lately.get().map(({by, subject}) => `${by}: ${subject}`),
		['elsewhere: lamps and 3 more'],
	);
	assert.deepEqual(await lines(), ['by anna: lamps off → on', 'by you: pantry and 1 more off → on', 'elsewhere: desk off → on']);
	assert.equal(lately.get()[0]!.at, Date.parse(at));
	assert.deepEqual(who.get().installed.get(1), {by: 'anna', at: Date.parse(at)});
	who.add([switched(1, 'lamps')]);
	who.forget('installed', [2, 9]);
	assert.deepEqual([...who.get().installed], [], 'what was known of an earlier change is no longer true');
	assert.deepEqual(
		queries.map(({after}) => after),
		[29, 32],
	);
});

test('where the service keeps no history, or does not answer, they stay changes from elsewhere', async () => {
	const none = start([]);
	none.who.handleChange({resource: 'installed', version: '1'});
	none.who.add([switched(1, 'lamps')]);
	assert.deepEqual(await none.lines(), ['elsewhere: lamps off → on']);
	assert.deepEqual(none.queries, []);
	const failing = start(new Error('It broke.'));
	failing.who.handleChange({resource: 'installed', version: '1', history: 3});
	failing.who.add([switched(1, 'lamps')]);
	assert.deepEqual(await failing.lines(), ['elsewhere: lamps off → on']);
	assert.deepEqual(
		failing.queries.map(({after}) => after),
		[undefined],
	);
});
