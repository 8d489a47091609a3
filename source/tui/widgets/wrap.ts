import wrapAnsi from 'wrap-ansi';

/** The text in lines of at most `width` columns, broken between words; only a word that is wider than a line is broken itself. */
export const wrapText = (text: string, width: number): readonly string[] => {
	const lines = text === '' ? '' : wrapAnsi(text, width, {hard: true});
	return lines === '' ? [] : lines.split('\n');
};

/** What follows the last end of a sentence within the text: which key to press. */
const lastSentence = /(?<=[!.?…] )[^!.?…]+[!.?…]?$/u;

/**
The same in at most `height` lines. A longer text keeps its last sentence, which says what can be done, with an ellipsis
for what is missing before it.
*/
export const wrapTextWithin = (text: string, width: number, height: number): readonly string[] => {
	const lines = wrapText(text, width);
	if (lines.length <= height) {
		return lines;
	}

	const end = lastSentence.exec(text)?.[0] ?? '';
	const words = text.slice(0, text.length - end.length).split(' ').filter(word => word !== '');
	for (let count = words.length - 1; count > 0; count--) {
		const shortened = wrapText(`${words.slice(0, count).join(' ')} … ${end}`, width);
		if (shortened.length <= height) {
			return shortened;
		}
	}

	return lines.slice(0, height);
};
