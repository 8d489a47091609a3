import {toWallClock} from './time-zone.ts';

const steps = [
	{unit: 'year', milliseconds: 365 * 24 * 60 * 60 * 1000},
	{unit: 'month', milliseconds: 30 * 24 * 60 * 60 * 1000},
	{unit: 'week', milliseconds: 7 * 24 * 60 * 60 * 1000},
	{unit: 'day', milliseconds: 24 * 60 * 60 * 1000},
	{unit: 'hour', milliseconds: 60 * 60 * 1000},
	{unit: 'min', milliseconds: 60 * 1000},
] as const;

/** Returns the age of something, in one unit: `2 days`, `1 week`, `5 min`; `now` within a minute. Times in milliseconds since the epoch. */
export function age(time: number | undefined, now: number): string {
	if (time === undefined) {
		return '';
	}

	const step = steps.find(({milliseconds}) => now - time >= milliseconds);
	if (step === undefined) {
		return 'now';
	}

	const count = Math.floor((now - time) / step.milliseconds);
	return `${count} ${step.unit}${count === 1 || step.unit === 'min' ? '' : 's'}`;
}

/** Returns the age as a phrase: `2 days ago`; `now` within a minute. */
export function ago(time: number | undefined, now: number): string {
	return age(time, now).replace(/^\d.*/, '$& ago');
}

/**
Returns the time of day in a zone, that of this process by default: `12:03`, after the date unless it is the day of `now`,
which may be infinite.
*/
export function clock(time: number, now: number, zone?: string): string {
	const [date, timeOfDay] = toWallClock(time, zone).toISOString().split('T') as [string, string];
	const isToday = Number.isFinite(now) && toWallClock(now, zone).toISOString().startsWith(date);
	return `${isToday ? '' : `${date} `}${timeOfDay.slice(0, 5)}`;
}

/** Returns the time of day or, for another day, its name or its date, in five columns: `12:03`, `Sat  `, `11-28`. */
export function dayOrClock(time: number, now: number, zone?: string): string {
	const text = clock(time, now, zone);
	if (text.length === 5) {
		return text;
	}

	const isInWeek = now - time < 6 * 24 * 60 * 60 * 1000;
	return isInWeek ? weekdays[toWallClock(time, zone).getUTCDay()]!.padEnd(5) : text.slice(5, 10);
}

export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Returns the time of day with seconds, `12:03:04`. */
export function exactClock(time: number, now: number, zone?: string): string {
	return `${clock(time, now, zone)}${toWallClock(time, zone).toISOString().slice(16, 19)}`;
}
