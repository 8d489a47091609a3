import {assert, test} from '../helpers/node.ts';
import {findStandingGroups} from '../../source/changes/undo.ts';
import {skipKey, type LogEntry} from '../../source/changes/log-lines.ts';

/** Entries from words such as `a`, a change of group a, or `u-a`, which takes group a back; the oldest first. */
const entriesOf = (words: string): readonly LogEntry[] =>
	words
		.split(' ')
		.map((word, index): LogEntry => {
			const [group, undone] = word.split('-') as [string, string?];
			return {
				id: index + 1,
				at: new Date(index).toISOString(),
				by: 'you',
				key: null,
				via: 'screen',
				kind: 'installed',
				name: 'pantry',
				record: 7,
				field: 'enabled',
				from: true,
				to: false,
				origin: {session: 's', group, ...(undone !== undefined && {undoes: undone.split('+')})},
			};
		})
		.toReversed();

const standing = (words: string, ...skipped: readonly string[]): string =>
	findStandingGroups(entriesOf(words), new Set(skipped))
		.map(({group}) => group)
		.join(' ');

test('a change stands until it is taken back, and again once that is taken back', () => {
	assert.equal(standing('a b c'), 'c b a');
	assert.equal(standing('a b c u-c'), 'b a');
	assert.equal(standing('a b c u-c v-b'), 'a');
	assert.equal(standing('a b c u-c v-b w-v'), 'b a');
	assert.equal(standing('a b c u-c v-b w-v d'), 'd b a');
	assert.equal(standing('a b c u-c+b'), 'a');
	assert.equal(standing('a b u-b v-u w-b'), 'a');
	assert.equal(standing('a b', skipKey(entriesOf('b')[0]!)), 'a');
});

test('of a group that is taken back in part the rest stands', () => {
	const [first] = entriesOf('a');
	const other: LogEntry = {...first!, record: 8, name: 'lamps'};
	const back: LogEntry = {...first!, id: 3, origin: {session: 's', group: 'u', undoes: ['a']}};
	const [group] = findStandingGroups([back, other, first!]);
	assert.deepEqual(
		group!.entries.map(({name}) => name),
		['lamps'],
	);
});
