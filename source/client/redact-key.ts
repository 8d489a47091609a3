/** A shorter key could be an ordinary word; no service issues one. */
const shortestKey = 4;

/**
Returns a function that replaces the key with `[key]`: some services repeat it in their error messages. All text from
outside passes through it before it enters a message or a log.
*/
export const createKeyRedactor = (apiKey: string): ((text: string) => string) => {
	if (apiKey.length < shortestKey) {
		return text => text;
	}

	const spellings = [...new Set([apiKey, encodeURIComponent(apiKey), encodeURI(apiKey)])];
	return text => {
		let redacted = text;
		for (const spelling of spellings) {
			redacted = redacted.replaceAll(spelling, '[key]');
		}

		return redacted;
	};
};
