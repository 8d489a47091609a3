import {assert, nextTurn, test, type TestContext} from '../../helpers/node.ts';
import {QueryClient} from '@tanstack/react-query';
import {createChangeFeed} from '../../../source/tui/hooks/change-feed.ts';
import type {Client} from '../../../source/client/client.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {createDeferredClient} from '../../../source/tui/hooks/open-session.ts';
import type {RecordChange} from '../../../source/changes/compare-lists.ts';
import {recordChanges} from '../../../source/changes/recorded-client.ts';
import {createOutsideChanges, signMilliseconds} from '../../../source/tui/hooks/outside-changes.ts';
import {installedAbility} from '../helpers/held-service.ts';
import type {HistoryEntry, HistoryQuery} from '../../../source/interface/history.ts';
import {createWhoChanged} from '../../../source/tui/hooks/who-changed.ts';
import {earlierChanges} from '../../../source/tui/hooks/earlier-changes.ts';
import {createLately} from '../../../source/tui/hooks/lately.ts';
import type {ReadHistory} from '../../../source/changes/history.ts';
import {createHistoryReader, type HistoryPart, withNewestPage, withOlderPage} from '../../../source/tui/hooks/history-reader.ts';
import {createObservable, when} from '../../../source/tui/observable.ts';

test('a stream is silent after two heartbeats that did not come, until something is heard', (t: TestContext) => {
	t.mock.timers.enable({apis: ['setTimeout', 'Date'], now: 1_000_000});
	const closing = new AbortController();
	let listener: {onOpen(): void; onHeard?(): void} | undefined;
	const feed = createChangeFeed({
		client: {
			async readChanges(listening) {
				listener = listening;
				return Promise.withResolvers<never>().promise;
			},
		},
		queryClient: new QueryClient(),
		outside: {isBetween: () => false, forgetVersions: () => undefined},
		closing: closing.signal,
	});
	void feed.follow();
	listener!.onHeard!();
	listener!.onOpen();
	t.mock.timers.tick(15_000);
	listener!.onHeard!();
	t.mock.timers.tick(29_999);
	assert.equal(feed.get().silentSince, undefined);
	t.mock.timers.tick(1);
	assert.equal(feed.get().silentSince, 1_015_000);
	listener!.onHeard!();
	assert.equal(feed.get().silentSince, undefined);
	t.mock.timers.tick(30_000);
	assert.equal(feed.get().silentSince, 1_045_000);
	closing.abort();
	assert.equal(feed.get().silentSince, undefined);
});

type States = Readonly<Record<number, boolean>>;

const listOf = (states: States) => ({
	records: Object.entries(states).map(([id, isEnabled]) => installedAbility(Number(id), isEnabled)),
	isComplete: true,
	leftOutCount: 0,
});

/** Watches lists, with a service that answers as it is told. */
function open(setEnabled: () => Promise<void> = async () => undefined) {
	let known: States | undefined;
	const seen: RecordChange[] = [];
	const nobody = createDeferredClient('http://192.0.2.1', async () => {
		throw new SwitchboardError('unreachable', 'Nobody is there.');
	});
	const client: Client = {
		...nobody,
		async editInstalled(installed, {enabled}) {
			await setEnabled();
			return {...installed, isEnabled: enabled};
		},
	};
	const outside = createOutsideChanges({
		knownList: () => (known === undefined ? undefined : (listOf(known) as never)),
		onChanged(changes) {
			seen.push(...changes);
		},
		onDenied() {
			/* No list goes back. */
		},
		isOwnSwitch: () => false,
	});
	return {
		outside,
		client: recordChanges(client, {
			openLog: () => assert.fail('nothing is noted'),
			via: 'screen',
			session: 'test',
			note: text => assert.fail(text),
			noteMissing: text => assert.fail(text),
			onWrite: outside.handleWrite,
			delayMilliseconds: 3_600_000,
		}).client,
		/** A list comes, is compared, and is the known one from then on. */
		async read(states: States) {
			await outside.watch('installed', async () => listOf(states));
			known = states;
		},
		/** A change made here is settled in the known list. */
		settle(states: States) {
			known = states;
		},
		texts: () => seen.splice(0).map(({record, field, from, to}) => `${record} ${field} ${JSON.stringify(from)} ${JSON.stringify(to)}`),
	};
}

test('a highlight ends after ten seconds, and the record still counts as changed', async (t: TestContext) => {
	t.mock.timers.enable({apis: ['setTimeout']});
	const {outside, read} = open();
	await read({1: true, 2: true});
	await read({1: false, 2: true});
	t.mock.timers.tick(signMilliseconds - 1);
	assert.deepEqual([...outside.getState().signs.installed], [1]);
	t.mock.timers.tick(1);
	assert.deepEqual([...outside.getState().signs.installed], []);
	assert.deepEqual([...outside.getState().changed.installed], [1]);
});

test('a change made here is not reported, and a later one elsewhere is', async () => {
	const {client, read, settle, texts} = open();
	await read({1: true});
	await client.editInstalled(installedAbility(1, true), {enabled: false});
	settle({1: false});
	await read({1: false});
	await read({1: true});
	await read({1: false});
	assert.deepEqual(texts(), ['1 enabled false true', '1 enabled true false']);
});

test('a change made here is not reported where the list shows it before its answer', async () => {
	const answer = Promise.withResolvers<void>();
	const {client, read, texts} = open(async () => answer.promise);
	await read({1: true});
	const write = client.editInstalled(installedAbility(1, true), {enabled: false});
	await read({1: false});
	answer.resolve();
	await write;
	assert.deepEqual(texts(), []);
});

test('an unanswered change that arrives late is not reported once; a refused one is', async () => {
	const errors = [
		new SwitchboardError('timeout', 'No answer.', {isOutcomeUnknown: true}),
		new SwitchboardError('forbidden', 'Not allowed.'),
	];
	const {client, read, texts} = open(async () => {
		throw errors.shift()!;
	});
	await read({1: true, 2: true});
	await assert.rejects(client.editInstalled(installedAbility(1, true), {enabled: false}), SwitchboardError);
	await read({1: true, 2: true});
	await read({1: false, 2: true});
	assert.deepEqual(texts(), []);
	await read({1: true, 2: true});
	await read({1: false, 2: true});
	assert.deepEqual(texts(), ['1 enabled false true', '1 enabled true false']);
	await assert.rejects(client.editInstalled(installedAbility(2, true), {enabled: false}), SwitchboardError);
	await read({1: false, 2: false});
	assert.deepEqual(texts(), ['2 enabled true false']);
});

const switched = (id: number, name: string, fields: Partial<RecordChange> = {}): RecordChange => ({
	kind: 'installed',
	record: id,
	name,
	field: 'enabled',
	from: false,
	to: true,
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
function start(answer: readonly HistoryEntry[] | Error, ownKeys: ReadonlyMap<number, string> = new Map()) {
	const lately = createLately();
	const queries: HistoryQuery[] = [];
	const passed: number[] = [];
	const who = createWhoChanged({
		lately,
		ownKeysOf: changes =>
			new Map(changes.filter(({record}) => ownKeys.has(record)).map(change => [change, ownKeys.get(change.record)!] as const)),
		onOwn(_resource, ids) {
			passed.push(...ids);
		},
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
		/** The records that are no longer highlighted. */
		passed,
		/** The last changes as “by: subject”. */
		async lines(): Promise<readonly string[]> {
			await nextTurn();
			return lately.get().map(({by, subject, what}) => `${by}: ${subject} ${what}`);
		},
		lately,
	};
}

test('changes that one key made elsewhere are told apart by who made them, the newest change of each record', async () => {
	const {who, queries, lines, lately} = start([
		entry(53, 2, 'you', {field: 'triggers'}),
		entry(52, 1, 'anna'),
		entry(51, 2, 'you'),
		entry(50, 1, 'zoe'),
	]);
	who.handleChange({resource: 'installed', version: '1', history: 49});
	who.add([
		switched(1, 'lamps'),
		switched(2, 'pantry'),
		switched(3, 'desk'),
		switched(4, 'ability 2', {kind: 'ability', field: 'triggers', to: ['tea']}),
	]);
	assert.deepEqual(
		lately.get().map(({by, subject}) => `${by}: ${subject}`),
		['elsewhere: lamps and 2 more', 'elsewhere: ability 2'],
	);
	assert.deepEqual(await lines(), [
		'anna: lamps off → on',
		'“you”: pantry off → on',
		'“you”: ability 2 listens for tea',
		'elsewhere: desk off → on',
	]);
	assert.equal(lately.get()[0]!.at, Date.parse(at));
	assert.deepEqual(who.get().installed.get(1), {by: 'anna', at: Date.parse(at)});
	who.add([switched(1, 'lamps')]);
	who.forget('installed', [2, 9]);
	assert.deepEqual([...who.get().installed], [], 'what was known of an earlier change is no longer true');
	assert.deepEqual(
		queries.map(({after}) => after),
		[29, 33],
	);
});

test("changes from another window are the person's own: not highlighted, and undo offers them", async () => {
	const {who, lines, lately, passed} = start([entry(50, 1, 'anna'), entry(51, 2, 'hut')], new Map([[2, 'group place']]));
	who.handleChange({resource: 'installed', version: '1', history: 49});
	const others = who.add([switched(1, 'lamps'), switched(2, 'pantry')]);
	assert.deepEqual(
		others.map(({name}) => name),
		['lamps'],
	);
	assert.deepEqual(await lines(), ['anna: lamps off → on', 'you: pantry off → on']);
	assert.deepEqual(lately.get().at(-1)!.earlier, ['group place']);
	assert.deepEqual(passed, [2]);
	assert.deepEqual([...who.get().installed.keys()], [1]);
});

test("what came with an ability is the person's own, too, and a later change to the same value is not", () => {
	const made = {name: 'lamps', origin: {session: 'session', group: 'group'}};
	const late = earlierChanges({
		entries: [
			entry(54, 2, 'zoe', {name: 'pantry', at: '2026-11-26T12:03:20.000Z'}),
			entry(53, 2, 'hut', {name: 'pantry', at: '2026-11-26T12:03:10.000Z'}),
			entry(52, 301, 'hut', {name: 'lamps', field: 'installed'}),
			entry(51, 21, 'hut', {name: 'lamps', kind: 'ability', field: 'exists'}),
		],
		logged: [
			{
				...entry(2, 2, 'you'),
				...made,
				name: 'pantry',
				at: '2026-11-26T12:03:16.000Z',
				origin: {...made.origin, changedAt: Date.parse(at) + 10_000},
			},
			{...entry(1, 21, 'you', {kind: 'ability', field: 'exists'}), ...made},
		],
		personId: undefined,
		undoable: new Set(),
	});
	assert.deepEqual(
		late.map(({by, subject, what}) => `${by}: ${subject} ${what}`),
		['zoe: pantry off → on', 'you: pantry off → on', 'you: lamps installed', 'you: lamps added'],
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

/** From the first id down to the last one. */
const part = (first: number, last: number, next?: number): HistoryPart => ({
	entries: Array.from({length: first - last + 1}, (_, index) => entry(first - index, 301, 'anna')),
	next,
});

const textOf = ({entries, next}: HistoryPart): string => `${entries.map(({id}) => id).join(' ')}, next ${next ?? 'none'}`;

test('the newest page joins what was read before, unless changes between the two are missing', () => {
	const cases: ReadonlyArray<readonly [before: HistoryPart, page: HistoryPart, after: string]> = [
		[part(0, 1), part(3, 1), '3 2 1, next none'],
		[part(6, 4, 4), part(8, 6, 6), '8 7 6 5 4, next 4'],
		[part(6, 4, 4), part(12, 10, 10), '12 11 10, next 10'],
		// Restored from a backup, the service goes back.
		[part(9, 7, 7), part(3, 1), '3 2 1, next none'],
		[part(6, 4), part(6, 5, 5), '6 5 4, next none'],
	];
	assert.deepEqual(
		cases.map(([before, page]) => textOf(withNewestPage(before, page))),
		cases.map(row => row[2]),
	);
});

test('a page that repeats or goes back is not read for ever', () => {
	assert.equal(textOf(withOlderPage(part(6, 5, 5), part(4, 3, 3))), '6 5 4 3, next 3');
	assert.equal(
		textOf(
			withOlderPage(part(6, 5, 5), {
				entries: [entry(9, 301, 'anna'), entry(4, 301, 'anna'), entry(4, 301, 'anna'), entry(5, 301, 'anna')],
				next: 5,
			}),
		),
		'6 5 4, next none',
	);
});

/** A reader of a history, and the pages that it asks for, each with its answer. */
function askedReader() {
	const asked: Array<PromiseWithResolvers<ReadHistory> & {readonly before: number | undefined}> = [];
	const reader = createHistoryReader(
		{
			async read({before}) {
				asked.push({before, ...Promise.withResolvers<ReadHistory>()});
				return asked.at(-1)!.promise;
			},
		},
		{},
	);
	return {reader, asked, answer: (page: HistoryPart) => asked.at(-1)!.resolve({...page, isWhole: true})};
}

test('an older page that is wanted while the newest one is read again is read afterwards', async () => {
	const {reader, asked, answer} = askedReader();
	const stop = reader.start();
	answer(part(9, 8, 8));
	await when(() => reader.get().isRead, reader.subscribe);
	reader.refresh();
	reader.readOlder();
	answer(part(9, 8, 8));
	await when(() => asked.length === 3, reader.subscribe);
	answer(part(7, 6));
	await when(() => reader.get().reading === undefined, reader.subscribe);
	assert.deepEqual(
		asked.map(({before}) => before),
		[undefined, undefined, 8],
	);
	assert.equal(textOf(reader.get()), '9 8 7 6, next none');
	stop();
});

test('what is announced while a page is read is read once afterwards, and nothing after the screen is left', async () => {
	const news = createObservable(0);
	const {reader, asked, answer: answerWith} = askedReader();
	const answer = (first: number): void => answerWith(part(first, 1));

	const stop = reader.start(news.subscribe);
	news.set(1);
	news.set(2);
	reader.readOlder();
	assert.equal(asked.length, 1);
	answer(2);
	await when(() => asked.length === 2 && reader.get().reading === 'newest', reader.subscribe);
	assert.equal(textOf(reader.get()), '2 1, next none');
	stop();
	answer(3);
	news.set(3);
	assert.equal(asked.length, 2);
	assert.equal(textOf(reader.get()), '2 1, next none');
	reader.start(news.subscribe);
	answer(3);
	await when(() => reader.get().entries.length === 3, reader.subscribe);
	assert.equal(asked.length, 3);
});
