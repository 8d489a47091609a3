import {assert, test} from '../../helpers/node.ts';
import type {HistoryEntry} from '../../../source/interface/history.ts';
import type {ReadHistory} from '../../../source/settings/history.ts';
import {createHistoryReader, withNewestPage, withOlderPage, type HistoryPart} from '../../../source/tui/hooks/history-reader.ts';
import {createObservable, when} from '../../../source/tui/observable.ts';

const entry = (id: number): HistoryEntry => ({
	id,
	at: '2026-11-26T12:03:00.000Z',
	by: 'anna',
	key: null,
	via: '',
	kind: 'installed',
	name: 'lamps',
	record: 301,
	field: 'enabled',
	from: false,
	to: true,
});

/** From the first id down to the last one. */
const part = (first: number, last: number, next?: number): HistoryPart => ({
	entries: Array.from({length: first - last + 1}, (_, index) => entry(first - index)),
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
	assert.equal(textOf(withOlderPage(part(6, 5, 5), {entries: [entry(9), entry(4), entry(4), entry(5)], next: 5})), '6 5 4, next none');
});

test('what is announced while a page is read is read once afterwards, and nothing after the screen is left', async () => {
	const news = createObservable(0);
	const asked: Array<PromiseWithResolvers<ReadHistory>> = [];
	const reader = createHistoryReader(
		{
			async read() {
				asked.push(Promise.withResolvers());
				return asked.at(-1)!.promise;
			},
		},
		{},
	);
	const answer = (first: number): void => {
		asked.at(-1)!.resolve({...part(first, 1), isWhole: true});
	};

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
