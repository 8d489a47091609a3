import {assert, test} from '../../helpers/node.ts';
import {age, clock} from '../../../source/tui/widgets/age.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 5, 15, 12);

test('an age is shown in its largest unit', () => {
	assert.equal(age(now, now), 'now');
	assert.equal(age(now - 59_000, now), 'now');
	assert.equal(age(now - minute, now), '1 min');
	assert.equal(age(now - 59 * minute, now), '59 min');
	assert.equal(age(now - hour, now), '1 hour');
	assert.equal(age(now - 23 * hour, now), '23 hours');
	assert.equal(age(now - day, now), '1 day');
	assert.equal(age(now - 6 * day, now), '6 days');
	assert.equal(age(now - 7 * day, now), '1 week');
	assert.equal(age(now - 29 * day, now), '4 weeks');
	assert.equal(age(now - 30 * day, now), '1 month');
	assert.equal(age(now - 364 * day, now), '12 months');
	assert.equal(age(now - 365 * day, now), '1 year');
	assert.equal(age(0, now), '56 years');
});

test('an unknown time has no age, and a time in the future is now', () => {
	assert.equal(age(undefined, now), '');
	assert.equal(age(now + 3 * day, now), 'now');
});

test('a time of today is shown without its date', () => {
	const noon = new Date(2026, 5, 15, 12, 3).getTime();
	assert.equal(clock(new Date(2026, 5, 15, 9, 7).getTime(), noon), '09:07');
	assert.equal(clock(new Date(2026, 5, 15, 0, 0).getTime(), noon), '00:00');
});

test('a time of another day is shown with its date', () => {
	const justAfterMidnight = new Date(2026, 5, 15, 0, 5).getTime();
	assert.equal(clock(new Date(2026, 5, 14, 23, 58).getTime(), justAfterMidnight), '2026-06-14 23:58');
	assert.equal(clock(new Date(2025, 5, 15, 0, 5).getTime(), justAfterMidnight), '2025-06-15 00:05');
});
