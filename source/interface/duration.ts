const unitMilliseconds = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000} as const;

/** Longer durations end beyond the range of a date. */
const longestMilliseconds = 100 * 365 * unitMilliseconds.d;

/** Returns a duration of whole seconds in the units that `parseDuration` takes: `1h30m`. */
export function formatDuration(seconds: number): string {
	let left = seconds * 1000;
	const parts = (['d', 'h', 'm', 's'] as const).map(unit => {
		const count = Math.floor(left / unitMilliseconds[unit]);
		left -= count * unitMilliseconds[unit];
		return count === 0 ? '' : `${count}${unit}`;
	});
	return parts.join('');
}

const part = /(?<count>\d+(?:\.\d+)?) ?(?<unit>s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?)?|d(?:ays?)?|w(?:eeks?)?) ?/gy;

/** Returns the milliseconds of a duration such as `90d`, `1h30m` or `2 days`; `undefined` for any other text. */
export function parseDuration(text: string): number | undefined {
	const parts = [...text.matchAll(part)];
	if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text || text.endsWith(' ')) {
		return undefined;
	}

	const milliseconds = parts.reduce(
		(sum, {groups}) => sum + Number(groups!['count']) * unitMilliseconds[groups!['unit']![0] as keyof typeof unitMilliseconds],
		0,
	);
	return milliseconds <= longestMilliseconds ? milliseconds : undefined;
}
