const unitMilliseconds = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000} as const;

/** Longer durations end beyond the range of a date. */
const longestMilliseconds = 100 * 365 * unitMilliseconds.d;

/** Returns the milliseconds of a duration such as `90d`; `undefined` for any other text. */
export function parseDuration(text: string): number | undefined {
	const {count, unit} = /^(?<count>\d+(?:\.\d+)?)(?<unit>[dhmsw])$/.exec(text)?.groups ?? {};
	const milliseconds = Number(count) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
	return milliseconds <= longestMilliseconds ? milliseconds : undefined;
}
