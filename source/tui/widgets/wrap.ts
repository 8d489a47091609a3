import stringWidth from 'string-width';

export const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** Many more than a text of one script has. */
const maximumKnownWidths = 10_000;

const knownWidths = new Map<string, number>();

/** The columns of a character. Measuring each one anew takes seconds for a long text. */
export const widthOf = (grapheme: string): number => {
	const known = knownWidths.get(grapheme);
	if (known !== undefined) {
		return known;
	}

	const width = stringWidth(grapheme);
	if (knownWidths.size < maximumKnownWidths) {
		knownWidths.set(grapheme, width);
	}

	return width;
};

/** True if each unit of the text is a character of one column. */
export const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** The characters of a word with their widths. */
const measure = (word: string): ReadonlyArray<readonly [grapheme: string, width: number]> => isPlain(word)
	? Array.from(word, character => [character, 1] as const)
	: Array.from(graphemes.segment(word), ({segment}) => [segment, widthOf(segment)] as const);

/** One line of the text in lines of at most `width` columns. */
const wrapLine = (text: string, width: number): readonly string[] => {
	const lines: string[] = [];
	let line = '';
	let lineWidth = 0;

	const endLine = (): void => {
		lines.push(line);
		line = '';
		lineWidth = 0;
	};

	/** Adds a word that is wider than a line: from here on if that takes no more lines than from the next one on. */
	const breakWord = (characters: ReturnType<typeof measure>, wordWidth: number): void => {
		const fromHere = 1 + Math.floor((wordWidth - (width - lineWidth) - 1) / width);
		if (Math.floor((wordWidth - 1) / width) < fromHere) {
			endLine();
		}

		for (const [character, characterWidth] of characters) {
			if (characterWidth > 0 && lineWidth > 0 && lineWidth + characterWidth > width) {
				endLine();
			}

			line += character;
			lineWidth += characterWidth;
		}
	};

	for (const word of text.split(' ')) {
		if (lineWidth > 0) {
			line += ' ';
			lineWidth++;
		}

		const isPlainWord = isPlain(word);
		const characters = isPlainWord && word.length <= width ? [] : measure(word);
		const wordWidth = isPlainWord ? word.length : characters.reduce((sum, [, each]) => sum + each, 0);
		if (wordWidth > width) {
			breakWord(characters, wordWidth);
			continue;
		}

		if (lineWidth > 0 && wordWidth > 0 && lineWidth + wordWidth > width) {
			endLine();
		}

		line += word;
		lineWidth += wordWidth;
	}

	endLine();
	return lines.map(each => each.replace(/ +$/, ''));
};

/** The text in lines of at most `width` columns, broken between words; only a word that is wider than a line is broken itself. */
export const wrapText = (text: string, width: number): readonly string[] => text.trim() === '' && !text.includes('\n')
	? []
	: text.split('\n').flatMap(line => line.trim() === '' ? [''] : wrapLine(line, width));

/** What follows the last end of a sentence within the text: which key to press. */
const lastSentence = /(?<=[!.?…] )[^!.?…]+[!.?…]?$/u;

/** Marks the last line as cut, if there is room. */
const withEllipsis = (lines: readonly string[], width: number): readonly string[] => {
	const last = lines.at(-1);
	if (last === undefined) {
		return lines;
	}

	const marked = [`${last} …`, `${last}…`].find(line => stringWidth(line) <= width) ?? last;
	return [...lines.slice(0, -1), marked];
};

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
	const shorten = (count: number): readonly string[] => wrapText(`${words.slice(0, count).join(' ')} … ${end}`, width);
	// Fewer words never need more lines.
	let most = 0;
	for (let tooMany = words.length; tooMany - most > 1;) {
		const count = Math.floor((most + tooMany) / 2);
		if (shorten(count).length <= height) {
			most = count;
		} else {
			tooMany = count;
		}
	}

	return most > 0 ? shorten(most) : withEllipsis(lines.slice(0, height), width);
};
