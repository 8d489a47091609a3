import {SwitchboardError} from '../interface/errors.ts';

/** A key is sent as a header, which takes nothing else. */
const printableAscii = /^[\u{21}-\u{7E}]{1,4096}$/u;

/** True where the text could be a key at all. */
export const isApiKeyShaped = (text: string): boolean => printableAscii.test(text);

/**
A key as it was typed, pasted, piped or set, without the white space around it.

@param source - where it came from, to be named in the error, as in `SWITCHBOARD_API_KEY`.
@returns `undefined` where nothing is left.
@throws SwitchboardError `usage` where it cannot be a key; the message does not hold it.
*/
export const readApiKey = (text: string | undefined, source: string): string | undefined => {
	const key = text?.trim() ?? '';
	if (key === '') {
		return undefined;
	}

	if (!isApiKeyShaped(key)) {
		throw new SwitchboardError(
			'usage',
			`What ${source} holds is no API key: a key is one word of letters, digits and punctuation.`,
			{nextStep: 'Copy the key again, whole and alone.', field: 'api_key'},
		);
	}

	return key;
};
