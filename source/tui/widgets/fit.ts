import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

/** The text in exactly `width` columns: cut with an ellipsis, or filled with spaces. It must hold no tabs or control characters. */
export const fit = (text: string, width: number): string => {
	const kept = cliTruncate(text, width);
	return kept + ' '.repeat(Math.max(0, width - stringWidth(kept)));
};

/** `left` and `right` at the two ends of a line; `right` is cut first if both do not fit. */
export const spread = (left: string, right: string, width: number): {readonly left: string; readonly gap: string; readonly right: string} => {
	const room = width - stringWidth(left) - 2;
	const shownRight = stringWidth(right) <= room || room >= 8 ? cliTruncate(right, room) : '';
	const shownLeft = cliTruncate(left, width);
	return {left: shownLeft, gap: ' '.repeat(Math.max(0, width - stringWidth(shownLeft) - stringWidth(shownRight))), right: shownRight};
};
