import {SwitchboardError} from '../interface/errors.ts';

/** A key is sent in a header, which allows no other characters. */
const printableAscii = /^[\u{21}-\u{7E}]{1,4096}$/u;

/** True if the text can be a key. */
export const isApiKeyShaped = (text: string): boolean => printableAscii.test(text);

/**
A key that was typed, pasted, piped or set in the environment, without surrounding white space.

@param source - where it comes from, for the error, such as `SWITCHBOARD_API_KEY`.
@returns `undefined` if it is empty.
@throws SwitchboardError `usage` if it cannot be a key; the message does not contain it.
*/
export const readApiKey = (text: string | undefined, source: string): string | undefined => {
	const key = text?.trim() ?? '';
	if (key === '') {
		return undefined;
	}

	if (!isApiKeyShaped(key)) {
		throw new SwitchboardError(
			'usage',
			`${source} is not a valid API key: a key is one word of letters, digits and punctuation.`,
			{nextStep: 'Copy the whole key again, and nothing else.', field: 'api_key'},
		);
	}

	return key;
};
