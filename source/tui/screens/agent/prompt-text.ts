import {SwitchboardError} from '../../../interface/errors.ts';
import {type PromptFile} from './prompt-file.ts';
import {withoutEditorMarks} from './without-editor-marks.ts';

/** What stands where a program wrote bytes that are no UTF-8, and between the letters of UTF-16. */
const foreign = /[\0\u{FFFD}]/u;

/** The text in the file, without what an editor puts there by itself. */
export const textIn = (file: PromptFile, original: string): string | undefined => {
	const text = file.read();
	return text === undefined ? undefined : withoutEditorMarks(text, original);
};

/**
What the person left in the file.

@throws SwitchboardError where that is no text.
*/
export const readEdited = (file: PromptFile, original: string): string => {
	const text = textIn(file, original);
	if (text === undefined) {
		throw new SwitchboardError('unexpected', 'The editor left no file that could be read.');
	}

	if (foreign.test(text) && !foreign.test(original)) {
		throw new SwitchboardError('refused', 'It is not in UTF-8.');
	}

	return text;
};

/** True where the file holds something that is neither on the service nor nothing. */
export const isWorthKeeping = (text: string | undefined, original: string): text is string =>
	text !== undefined && text.trim() !== '' && text !== original;

/** Whether the file holds a text of the person's own. One that does not is removed. */
export const isKept = (file: PromptFile, original: string): boolean => {
	try {
		const text = textIn(file, original);
		const isWorth = isWorthKeeping(text, original) || file.hasRecovery();
		if (text !== undefined && !isWorth) {
			file.remove();
		}

		return isWorth;
	} catch {
		return false;
	}
};
