import {SwitchboardError} from '../../interface/errors.ts';

/**
The words of an option that takes a list separated by commas.

@param nextStep - what to do about an empty list.
@throws SwitchboardError `usage` if the list is empty.
*/
export const splitList = (flag: string, list: string, nextStep: string): readonly string[] => {
	const words = list.split(',').map(word => word.trim()).filter(word => word !== '');
	if (words.length === 0) {
		throw new SwitchboardError('usage', `The list after ${flag} is empty.`, {nextStep});
	}

	return words;
};
