import {assert, test} from '../helpers/node.ts';
import {clock, dayOrClock, exactClock} from '../../source/words/age.ts';

const now = Date.parse('2026-11-30T03:30:00Z');

test('the time of a change is that of the zone of the person, and so is its day', () => {
	const time = Date.parse('2026-11-29T23:10:05.600Z');
	assert.deepEqual(
		['UTC', 'America/New_York', 'Asia/Kathmandu'].map(zone => [clock(time, now, zone), dayOrClock(time, now, zone)]),
		[
			['2026-11-29 23:10', 'Sun  '],
			['18:10', '18:10'],
			['04:55', '04:55'],
		],
	);
	assert.match(clock(8.64e15, now, 'Asia/Kathmandu'), /^\+275760-09-13 /);
	assert.equal(clock(time, Infinity, 'Asia/Kathmandu'), '2026-11-30 04:55');
	assert.equal(exactClock(time, now, 'Asia/Kathmandu'), '04:55:05');
	assert.equal(dayOrClock(Date.parse('2026-10-01T02:00:00Z'), now, 'America/New_York'), '09-30');
});
