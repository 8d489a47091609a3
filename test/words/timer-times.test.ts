import {assert, test} from '../helpers/node.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {isTimeZone, remoteTimeZone} from '../../source/words/time-zone.ts';
import {parseTimerTime, timerClock, untilText} from '../../source/words/timer-times.ts';

type Row = readonly [zone: string, now: string, text: string, at: string];

function outcome(zone: string | undefined, now: string, text: string): string {
	try {
		const time = parseTimerTime(text, {now: Date.parse(now), zone});
		return 'at' in time ? time.at.replace(':00.000Z', 'Z') : String(time.for);
	} catch (error) {
		assert.ok(error instanceof SwitchboardError);
		assert.equal(error.kind, 'usage');
		return error.message;
	}
}

function check(rows: readonly Row[]): void {
	assert.deepEqual(
		rows.map(([zone, now, text]) => [zone, now, text, outcome(zone, now, text)]),
		rows,
	);
}

test('a duration is counted in seconds, a time of day is the next one, and a date-time is that time', () =>
	check([
		['UTC', '2026-12-01T06:00Z', '30m', '1800'],
		['UTC', '2026-12-01T06:00Z', '1h30m', '5400'],
		['UTC', '2026-12-01T06:00Z', '1h 30 min', '5400'],
		['UTC', '2026-12-01T06:00Z', ' 2 days', '172800'],
		['UTC', '2026-12-01T06:00Z', '1s', '1'],
		['UTC', '2026-12-01T06:00Z', '366d', '31622400'],
		['UTC', '2026-12-01T06:00Z', '07:00', '2026-12-01T07:00Z'],
		['UTC', '2026-12-01T06:00Z', '6:00', '2026-12-02T06:00Z'],
		['UTC', '2026-12-31T23:30Z', '00:15', '2027-01-01T00:15Z'],
		['UTC', '2028-02-28T12:00Z', 'tomorrow 18:00', '2028-02-29T18:00Z'],
		['UTC', '2027-02-28T12:00Z', 'Tomorrow  18:00', '2027-03-01T18:00Z'],
		['UTC', '2026-12-01T06:00Z', 'today 18:00', '2026-12-01T18:00Z'],
		['Europe/Berlin', '2026-12-01T23:30Z', '07:00', '2026-12-02T06:00Z'],
		['Asia/Kathmandu', '2026-12-01T06:00Z', '07:00', '2026-12-02T01:15Z'],
		['Asia/Kathmandu', '2026-12-01T19:00Z', 'today 07:00', '2026-12-02T01:15Z'],
		['America/New_York', '2026-12-01T06:00Z', '2026-12-24 18:00', '2026-12-24T23:00Z'],
		['America/New_York', '2026-12-01T06:00Z', '2026-12-24T18:00+01:00', '2026-12-24T17:00Z'],
		['America/New_York', '2026-12-01T06:00Z', '2026-12-24 18:00:30z', '2026-12-24T18:00:30.000Z'],
	]));

test('a time in the gap of daylight saving time is the first minute after it; of a doubled one, the first still to come', () =>
	check([
		['Europe/Berlin', '2027-03-27T22:00Z', '02:30', '2027-03-28T01:00Z'],
		['Europe/Berlin', '2027-03-27T22:00Z', '2027-03-28 02:00', '2027-03-28T01:00Z'],
		['Europe/Berlin', '2027-03-28T01:00Z', '02:30', '2027-03-29T00:30Z'],
		['Europe/Berlin', '2027-03-27T22:00Z', 'tomorrow 03:00', '2027-03-28T01:00Z'],
		['Europe/Berlin', '2027-10-30T22:00Z', '02:30', '2027-10-31T00:30Z'],
		['Europe/Berlin', '2027-10-31T00:30Z', '02:30', '2027-10-31T01:30Z'],
		['Europe/Berlin', '2027-10-31T01:30Z', '02:30', '2027-11-01T01:30Z'],
		['America/New_York', '2027-03-14T06:00Z', '02:15', '2027-03-14T07:00Z'],
		['America/New_York', '2027-11-07T04:00Z', '01:30', '2027-11-07T05:30Z'],
		['America/New_York', '2027-11-07T05:45Z', 'today 01:30', '2027-11-07T06:30Z'],
		['Australia/Lord_Howe', '2027-10-02T12:00Z', 'tomorrow 02:15', '2027-10-02T15:30Z'],
	]));

test('anything else is refused with the reason', () =>
	check([
		['UTC', '2026-12-01T06:00Z', 'tomorrow', '“tomorrow” has no time of day.'],
		['UTC', '2026-12-01T06:00Z', '2026-12-24', '“2026-12-24” has no time of day.'],
		['UTC', '2026-12-01T06:00Z', 'today 06:00', 'today 06:00 has passed.'],
		['UTC', '2026-12-01T06:00Z', '2026-11-30T18:00', '2026-11-30T18:00 has passed.'],
		['UTC', '2026-12-01T06:00Z', '0.5s', 'A timer takes at least 1 second and at most 366 days.'],
		['UTC', '2026-12-01T06:00Z', '367d', 'A timer takes at least 1 second and at most 366 days.'],
		['UTC', '2026-12-01T06:00Z', '9999-12-31T23:59Z', 'A timer takes at least 1 second and at most 366 days.'],
		['UTC', '2026-12-01T06:00Z', '2027-02-29 07:00', '“2027-02-29 07:00” is not a time for a timer.'],
		['UTC', '2026-12-01T06:00Z', '24:00', '“24:00” is not a time for a timer.'],
		['UTC', '2026-12-01T06:00Z', '07:00Z', '“07:00Z” is not a time for a timer.'],
		['UTC', '2026-12-01T06:00Z', 'tomorrow07:00', '“tomorrow07:00” is not a time for a timer.'],
		['UTC', '2026-12-01T06:00Z', '2h later', '“2h later” is not a time for a timer.'],
		['UTC', '2026-12-01T06:00Z', '', 'The time is empty.'],
	]));

test('a row has the time, from a day on the weekday, from a week on the date; a sentence also has the time', () => {
	const now = Date.parse('2026-12-30T18:00Z');
	const texts = (zone: string | undefined, at: string, isOwn?: boolean) => [
		untilText(at, {now, zone}),
		timerClock(at, {now, zone, ...(isOwn !== undefined && {isOwn})}),
	];
	assert.deepEqual(texts('Europe/Berlin', '2026-12-30T21:00Z'), ['until 22:00', '22:00']);
	assert.deepEqual(texts('Europe/Berlin', '2026-12-31T06:00Z'), ['until 07:00', '07:00']);
	assert.deepEqual(texts('Asia/Kathmandu', '2026-12-31T18:10Z'), ['until Thu', 'tomorrow 23:55']);
	assert.deepEqual(texts('Asia/Kathmandu', '2026-12-31T18:15Z'), ['until Fri', 'Fri 00:00']);
	assert.deepEqual(texts('America/New_York', '2027-01-06T18:00Z'), ['until 01-06', '2027-01-06 13:00']);
	assert.deepEqual(texts('UTC', '2026-12-29T18:00Z'), ['until 18:00', '2026-12-29 18:00']);
	assert.deepEqual(texts('Europe/Berlin', '2026-12-31T06:00Z', false), ['until 07:00', '07:00 CET']);
	assert.deepEqual(texts('America/New_York', '2026-12-31T06:00Z', false), ['until 01:00', '01:00 EST']);
	assert.match(timerClock('2026-12-31T06:00Z', {now, ...remoteTimeZone(undefined, {})}), /^\d\d:\d\d \S+$/);
	const {timeZone} = new Intl.DateTimeFormat().resolvedOptions();
	assert.deepEqual(texts(undefined, '2026-12-31T06:00Z'), texts(timeZone, '2026-12-31T06:00Z'));
});

test('the zone over SSH is that of the key, else the first valid one that the client sent, else that of the process', () => {
	assert.deepEqual(remoteTimeZone('Asia/Kathmandu', {TZ: 'UTC'}), {zone: 'Asia/Kathmandu', isOwn: true});
	assert.deepEqual(remoteTimeZone(undefined, {TZ: 'UTC', SWITCHBOARD_TIMEZONE: 'Europe/Berlin'}), {zone: 'Europe/Berlin', isOwn: true});
	assert.deepEqual(remoteTimeZone(undefined, {TZ: ':Europe/Berlin', SWITCHBOARD_TIMEZONE: 'nowhere'}), {
		zone: 'Europe/Berlin',
		isOwn: true,
	});
	assert.deepEqual(remoteTimeZone(undefined, {TZ: '+02:00'}), {zone: undefined, isOwn: false});
	for (const name of ['', 'Europe/Atlantis', '+01:00', '../etc/passwd', 'CET-1CEST,M3.5.0', 'x'.repeat(1000)]) {
		assert.ok(!isTimeZone(name), name);
	}
});
