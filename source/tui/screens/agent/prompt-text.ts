import {SwitchboardError} from '../../../interface/errors.ts';
import {type PromptFile} from './prompt-file.ts';

/** Appears in place of bytes that are not UTF-8, and between the letters of UTF-16. */
const notUtf8 = /[\0\u{FFFD}]/u;

/**
The text in the file without what an editor silently adds: a byte order mark, and Windows line breaks. They stay if the
original has them too.
*/
const textIn = (file: PromptFile, original: string): string | undefined => {
	const text = file.read();
	const unmarked = original.startsWith('\u{FEFF}') ? text : text?.replace(/^\u{FEFF}/u, '');
	return original.includes('\r') ? unmarked : unmarked?.replaceAll('\r\n', '\n');
};

/**
The text that the person left in the file.

@throws SwitchboardError if there is none, or it is not UTF-8.
*/
export const readEdited = (file: PromptFile, original: string): string => {
	const text = textIn(file, original);
	if (text === undefined) {
		throw new SwitchboardError('unexpected', 'The editor left no readable file.');
	}

	if (notUtf8.test(text) && !notUtf8.test(original)) {
		throw new SwitchboardError('refused', 'The text is not UTF-8.');
	}

	return text;
};

/** True for a text that is not empty and not the original. */
export const isChanged = (text: string, original: string): boolean => text.trim() !== '' && text !== original;

/** The changed text in the file; `undefined` if there is none. */
export const unsavedText = (file: PromptFile, original: string): string | undefined => {
	const text = textIn(file, original);
	return text !== undefined && isChanged(text, original) ? text : undefined;
};

/** True if the file, or an editor's recovery file, holds a changed text. A file without one is removed. */
export const keepsText = (file: PromptFile, original: string): boolean => {
	try {
		const isKept = unsavedText(file, original) !== undefined || file.hasRecovery();
		if (!isKept) {
			file.remove();
		}

		return isKept;
	} catch {
		return false;
	}
};
