import {parseDuration} from '../interface/duration.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isTimerLength, timerLimits, type TimerTime} from '../interface/timers.ts';
import {weekdays} from './age.ts';
import {fromWallClock, shortZoneName, toWallClock, type TimeZone} from './time-zone.ts';

/** The zone of the person, and the time in milliseconds since the epoch, the present one by default. */
export type Moment = {readonly now?: number | undefined} & Pick<TimeZone, 'zone'> & Partial<Pick<TimeZone, 'isOwn'>>;

export const timerTimes =
	'a duration such as 30m or 2h, 07:00 (the next one), “tomorrow 18:00”, or a date with a time, as in 2027-01-31T18:00';

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
Parses the time of a timer: a duration, a time of day (the next one), a day with a time of day, or a date-time. A time that daylight saving
time leaves out is the first minute after the gap, and of a doubled one the first that is still to come.

@throws SwitchboardError `usage`
*/
export function parseTimerTime(text: string, {now = Date.now(), zone}: Moment): TimerTime {
	const given = text.trim();
	const duration = parseDuration(given);
	if (duration !== undefined) {
		checkSeconds(duration / 1000);
		return {for: Math.round(duration / 1000)};
	}

	const times = timesOf(given, {now, zone});
	if (times === undefined) {
		throw new SwitchboardError('usage', given === '' ? 'The time is empty.' : `“${given}” is not a time for a timer.`, {
			nextStep: `Use ${timerTimes}.`,
		});
	}

	const at = times.find(time => time > now);
	if (at === undefined) {
		throw new SwitchboardError('usage', `${given} has passed.`, {nextStep: 'Give a time that is still to come.'});
	}

	checkSeconds((at - now) / 1000);
	return {at: new Date(at).toISOString()};
}

function checkSeconds(seconds: number): void {
	if (!isTimerLength(seconds)) {
		throw new SwitchboardError('usage', `${timerLimits}.`, {nextStep: `Use ${timerTimes}.`});
	}
}

/** Returns the times that are meant, the earliest first; `undefined` for any other text. */
function timesOf(text: string, {now, zone}: {readonly now: number} & Pick<Moment, 'zone'>): readonly number[] | undefined {
	const {day, date, clock, hours, minutes, seconds, offset} =
		/^(?:(?<day>today|tomorrow)|(?<date>\d{4}-\d{2}-\d{2}))?(?:(?:^| +|(?<=\d)T)(?<clock>(?<hours>[01]?\d|2[0-3]):(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d)(?:\.\d+)?)?)(?<offset>Z|[+-]\d{2}:\d{2})?)?$/i.exec(
			text,
		)?.groups ?? {};
	const isDate = date !== undefined && new Date(Date.parse(date)).toJSON()?.startsWith(date);
	if ((date !== undefined && !isDate) || (date === undefined && offset !== undefined) || text === '') {
		return undefined;
	}

	if ((day ?? date) !== undefined && clock === undefined) {
		throw new SwitchboardError('usage', `“${text}” has no time of day.`, {nextStep: `Add it, as in “${text} 07:00”.`});
	}

	if (clock === undefined) {
		return undefined;
	}

	if (offset !== undefined) {
		const time = Date.parse(`${date}T${clock.padStart(clock.length + 2 - hours!.length, '0')}${offset.toUpperCase()}`);
		return Number.isNaN(time) ? undefined : [time];
	}

	const timeOfDay = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * 1000;
	const today = startOfDay(toWallClock(now, zone));
	const tomorrow = today + dayMilliseconds;
	const days =
		date === undefined ? {today: [today], tomorrow: [tomorrow], any: [today, tomorrow]}[(day ?? 'any').toLowerCase()]! : [Date.parse(date)];
	return days.flatMap(start => fromWallClock(start + timeOfDay, zone));
}

const startOfDay = (wall: Date): number => Math.floor(wall.getTime() / dayMilliseconds) * dayMilliseconds;

/** Returns the time of a timer for a row, in eleven columns: `until 07:00`, from a day on `until Mon`, from a week on `until 12-01`. */
export function untilText(at: string, {now = Date.now(), zone}: Moment): string {
	const wall = toWallClock(Date.parse(at), zone);
	const left = Date.parse(at) - now;
	return `until ${left < dayMilliseconds ? timeOf(wall) : left < 7 * dayMilliseconds ? weekdays[wall.getUTCDay()] : dateOf(wall).slice(5)}`;
}

/**
Returns the time of a timer for a sentence: `07:00` within a day, `tomorrow 07:00`, `Mon 07:00` within a week, else `2026-12-01 07:00`; with
the zone if it is not the person's own.
*/
export function timerClock(at: string, {now = Date.now(), zone, isOwn = true}: Moment): string {
	const time = Date.parse(at);
	const wall = toWallClock(time, zone);
	const days = (startOfDay(wall) - startOfDay(toWallClock(now, zone))) / dayMilliseconds;
	const isSoon = time >= now && time - now < dayMilliseconds;
	const day =
		isSoon || days === 0 ? '' : days === 1 ? 'tomorrow ' : days > 1 && days < 7 ? `${weekdays[wall.getUTCDay()]} ` : `${dateOf(wall)} `;
	return `${day}${timeOf(wall)}${isOwn ? '' : ` ${shortZoneName(time, zone)}`}`;
}

/** Returns the time of a timer after a verb or a state: `at 07:00`, `tomorrow 07:00`. */
export function atClock(at: string, moment: Moment): string {
	return timerClock(at, moment).replace(/^\d\d:/, 'at $&');
}

const timeOf = (wall: Date): string => wall.toISOString().slice(11, 16);

const dateOf = (wall: Date): string => wall.toISOString().slice(0, 10);
