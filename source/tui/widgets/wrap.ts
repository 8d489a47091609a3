import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/** A word that is wider than a line, in pieces: the first fills the line that is begun. */
const pieces = (line: string, word: string, width: number): readonly string[] => {
	const found: string[] = [];
	let piece = line === '' || stringWidth(line) + 2 > width ? line : `${line} `;
	let used = stringWidth(piece);
	for (const {segment} of segmenter.segment(word)) {
		const segmentWidth = stringWidth(segment);
		if (piece !== '' && used + segmentWidth > width) {
			found.push(piece);
			piece = '';
			used = 0;
		}

		piece += segment;
		used += segmentWidth;
	}

	return [...found.map(part => part.trimEnd()), piece];
};

/** The text in lines of at most `width` columns, broken between words; only a word that is wider than a line is broken itself. */
export const wrapText = (text: string, width: number): readonly string[] => {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		if (word === '') {
			continue;
		}

		const wordWidth = stringWidth(word);
		if (wordWidth > width) {
			const parts = pieces(line, word, width);
			lines.push(...parts.slice(0, -1));
			line = parts.at(-1)!;
		} else if (line === '') {
			line = word;
		} else if (stringWidth(line) + 1 + wordWidth <= width) {
			line += ` ${word}`;
		} else {
			lines.push(line);
			line = word;
		}
	}

	return line === '' ? lines : [...lines, line];
};

/** What stands behind the last end of a sentence within the text: which key to press. */
const lastSentence = /(?<=[!.?…] )[^!.?…]+[!.?…]?$/u;

/**
The same in at most `height` lines. Where the text is longer its last sentence stays, for that one says what can be done,
and an ellipsis stands for what is missing before it.
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
