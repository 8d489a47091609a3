import stringWidth from 'string-width';
import cliTruncate from 'cli-truncate';
import wrapAnsi from 'wrap-ansi';

export const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** Returns the text in lines of at most `width` columns, broken between words; only a word that is wider than a line is broken itself. */
export function wrapText(text: string, width: number): readonly string[] {
	return text.trim() === '' && !text.includes('\n')
		? []
		: text.split('\n').flatMap(line =>
				line.trim() === ''
					? ['']
					: wrapAnsi(line, width, {hard: true})
							.split('\n')
							.map(part => part.trimEnd()),
			);
}

/** The last sentence of the text: it says which key to press. */
const lastSentence = /(?<=[!.?…] )[^!.?…]+[!.?…]?$/u;

/**
Returns the lines, at most `height` of them. A longer text keeps its last sentence, which says what can be done, after an ellipsis for the
missing text.
*/
export function wrapTextWithin(text: string, width: number, height: number): readonly string[] {
	const lines = wrapText(text, width);
	if (lines.length <= height) {
		return lines;
	}

	const end = lastSentence.exec(text)?.[0] ?? '';
	const words = text
		.slice(0, text.length - end.length)
		.split(' ')
		.filter(word => word !== '');
	const shorten = (count: number): readonly string[] => wrapText(`${words.slice(0, count).join(' ')} … ${end}`, width);
	// Fewer words never need more lines.
	let most = 0;
	for (let tooMany = words.length; tooMany - most > 1; ) {
		const count = Math.floor((most + tooMany) / 2);
		if (shorten(count).length <= height) {
			most = count;
		} else {
			tooMany = count;
		}
	}

	return most > 0 ? shorten(most) : withEllipsis(lines.slice(0, height), width);
}

/** Marks the last line as cut, if there is room. */
function withEllipsis(lines: readonly string[], width: number): readonly string[] {
	const last = lines.at(-1);
	if (last === undefined) {
		return lines;
	}

	const marked = [`${last} …`, `${last}…`].find(line => stringWidth(line) <= width) ?? last;
	return [...lines.slice(0, -1), marked];
}

/** Returns the text in exactly `width` columns: cut with an ellipsis, or filled with spaces. It must hold no tabs or control characters. */
export function fit(text: string, width: number): string {
	const kept = cliTruncate(text, width);
	return kept + ' '.repeat(Math.max(0, width - stringWidth(kept)));
}

/** Puts `left` and `right` at the two ends of a line; if both do not fit, `right` is cut first. */
export function spread(left: string, right: string, width: number): {readonly left: string; readonly gap: string; readonly right: string} {
	const room = width - stringWidth(left) - 2;
	const shownRight = stringWidth(right) <= room || room >= 8 ? cliTruncate(right, room) : '';
	const shownLeft = cliTruncate(left, width);
	return {left: shownLeft, gap: ' '.repeat(Math.max(0, width - stringWidth(shownLeft) - stringWidth(shownRight))), right: shownRight};
}
