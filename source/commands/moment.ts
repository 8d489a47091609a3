import {wrongValue} from './options.ts';

const unitMilliseconds = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000} as const;

/** Longer durations end beyond the range of a date. */
const longestMilliseconds = 100 * 365 * unitMilliseconds.d;

export const durationValue = 'a duration, such as 30m, 12h, 90d or 2w';

/** Returns the milliseconds of a duration such as `90d`; `undefined` for any other text. */
export function parseDuration(text: string): number | undefined {
	const {count, unit} = /^(?<count>\d+(?:\.\d+)?)(?<unit>[dhmsw])$/.exec(text)?.groups ?? {};
	const milliseconds = Number(count) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
	return milliseconds <= longestMilliseconds ? milliseconds : undefined;
}

/**
Returns the value of an option that takes a moment: a duration from now, or a date with or without a time.

@param direction - whether a duration leads to the past or to the future.
@throws SwitchboardError `usage`
*/
export function parseMoment(option: string, direction: 'past' | 'future') {
	return (text: string): Date => {
		const duration = parseDuration(text);
		const moment = duration === undefined ? parseDate(text) : new Date(Date.now() + (direction === 'future' ? duration : -duration));
		if (moment === undefined) {
			throw wrongValue(option, text, `${durationValue}, or a date, as in 2027-01-31 or 2027-01-31T18:00`);
		}

		return moment;
	};
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
