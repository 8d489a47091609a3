/** A key shorter than this may well be a word of any sentence; no service gives one. */
const shortestKey = 4;

/** Stands where a key was. */
const placeholder = '[key]';

/**
A function that takes the key out of any text: services were seen to repeat it in what they say about it. Nothing that
came from outside enters a message or a log without it.
*/
export const createKeyRedactor = (apiKey: string): ((text: string) => string) => {
	if (apiKey.length < shortestKey) {
		return text => text;
	}

	const spellings = [...new Set([apiKey, encodeURIComponent(apiKey), encodeURI(apiKey)])];
	return text => {
		let redacted = text;
		for (const spelling of spellings) {
			redacted = redacted.replaceAll(spelling, placeholder);
		}

		return redacted;
	};
};
