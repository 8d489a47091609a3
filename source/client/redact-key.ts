/** A shorter key may be an ordinary word of a sentence; no service gives one. */
const shortestKey = 4;

/**
A function that replaces the key with `[key]` in any text: some services repeat it in their error messages. All text from
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
