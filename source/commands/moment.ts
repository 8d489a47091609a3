import {parseDuration} from '../interface/duration.ts';
import {wrongValue} from './options.ts';

export const durationValue = 'a duration, such as 30m, 12h, 90d or 2w';

/**
Returns the value of an option that takes a moment: a duration from now, or a date with or without a time; in the past also a time of day.

@param direction - whether a duration leads to the past or to the future.
@throws SwitchboardError `usage`
*/
export function parseMoment(option: string, direction: 'past' | 'future') {
	const isPast = direction === 'past';
	return (text: string): Date => {
		const duration = parseDuration(text);
		const moment =
			duration === undefined
				? (parseDate(text) ?? (isPast ? parseDay(text, new Date()) : undefined))
				: new Date(Date.now() + (isPast ? -duration : duration));
		if (moment === undefined) {
			const days = isPast ? ', today, yesterday, “yesterday 18:00”, 18:00 (the last one)' : '';
			throw wrongValue(option, text, `${durationValue}${days}, or a date, as in 2027-01-31 or 2027-01-31T18:00`);
		}

		return moment;
	};
}

/** A time without a day is the last one that has passed. */
function parseDay(text: string, now: Date): Date | undefined {
	const {day, hours, minutes} =
		/^(?:(?<day>today|yesterday)(?: +(?=\d)|$))?(?:(?<hours>[01]?\d|2[0-3]):(?<minutes>[0-5]\d))?$/i.exec(text)?.groups ?? {};
	if (day === undefined && hours === undefined) {
		return undefined;
	}

	const at = (daysAgo: number): Date =>
		new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, Number(hours ?? 0), Number(minutes ?? 0));
	return at(day?.toLowerCase() === 'yesterday' || (day === undefined && at(0) > now) ? 1 : 0);
}

/** A date without a time means the start of that day in local time. */
function parseDate(text: string): Date | undefined {
	if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text)) {
		return undefined;
	}

	const date = new Date(text.includes('T') ? text : `${text}T00:00`);
	// `Date` takes the 31st of February for a day in March.
	const isDay = !Number.isNaN(date.getTime()) && new Date(`${text.slice(0, 10)}T00:00Z`).toISOString().startsWith(text.slice(0, 10));
	return isDay ? date : undefined;
}
