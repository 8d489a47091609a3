import {assert, test} from '../helpers/node.ts';
import {parseMoment} from '../../source/commands/options.ts';

const millisecondsFromNow = (moment: Date): number => moment.getTime() - Date.now();

test('a moment is a duration from now, or a date here', t => {
	t.mock.timers.enable({apis: ['Date'], now: Date.UTC(2026, 10, 26, 12)});
	const future = parseMoment('--expires', 'future');
	assert.deepEqual(
		['90s', '1.5h', '90d', '2w'].map(text => millisecondsFromNow(future(text)) / 3_600_000),
		[0.025, 1.5, 2160, 336],
	);
	assert.equal(millisecondsFromNow(parseMoment('--since', 'past')('2d')), -172_800_000);
	assert.equal(future('2027-01-31T18:00:00Z').toISOString(), '2027-01-31T18:00:00.000Z');
	assert.equal(future('2027-01-31T18:00+02:00').toISOString(), '2027-01-31T16:00:00.000Z');
	assert.equal(future('2027-01-31').getTime(), new Date(2027, 0, 31).getTime());
	assert.equal(future('2028-02-29').getTime(), new Date(2028, 1, 29).getTime());
});

test('in the past, a moment is also a day, or the last time of day that has passed', t => {
	t.mock.timers.enable({apis: ['Date'], now: new Date(2026, 10, 26, 12, 30).getTime()});
	assert.deepEqual(
		['today', 'Yesterday', 'yesterday 18:00', '18:00', '12:30', '9:05', 'today 9:05'].map(text => parseMoment('--since', 'past')(text)),
		[
			new Date(2026, 10, 26),
			new Date(2026, 10, 25),
			new Date(2026, 10, 25, 18),
			new Date(2026, 10, 25, 18),
			new Date(2026, 10, 26, 12, 30),
			new Date(2026, 10, 26, 9, 5),
			new Date(2026, 10, 26, 9, 5),
		],
	);
	for (const text of ['', 'tomorrow', '24:00', '18:60', 'yesterday18:00', 'yesterday ', ' 18:00', '18']) {
		assert.throws(
			() => parseMoment('--since', 'past')(text),
			{kind: 'usage', nextStep: /today, yesterday, “yesterday 18:00”, 18:00/},
			text,
		);
	}
});

test('what is neither is refused, with what would do', () => {
	const refused = [
		'',
		'90',
		'd',
		'-5d',
		'90  d',
		'2h later',
		'1e9d',
		'99999w',
		'tomorrow',
		'2027-02-30',
		'2027-13-01',
		'2027-01-31T25:00',
		'2027-1-1',
		'1735689600000',
	];
	for (const text of refused) {
		assert.throws(
			() => parseMoment('--expires', 'future')(text),
			{kind: 'usage', nextStep: 'Use a duration, such as 30m, 12h, 90d or 2w, or a date, as in 2027-01-31 or 2027-01-31T18:00.'},
			text,
		);
	}
});
