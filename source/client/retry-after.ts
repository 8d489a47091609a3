/** What a service may ask for at most. */
const longestMilliseconds = 60 * 60 * 1000;

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), in milliseconds from now. */
export const readRetryAfter = (header: string | undefined): number | undefined => {
	if (header === undefined) {
		return undefined;
	}

	// `Date.parse` accepts almost anything; an HTTP date names its month.
	const milliseconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : (/[a-z]{3}/i.test(header) ? Date.parse(header) - Date.now() : NaN);
	return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
};

/** How long to leave a service alone that asks for it: at most an hour. */
export const boundRetryAfter = (milliseconds = 0): number => Math.min(milliseconds, longestMilliseconds);
