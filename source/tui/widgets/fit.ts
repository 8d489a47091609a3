import stringWidth from 'string-width';

const ellipsis = '…';

const segmenter = new Intl.Segmenter();

/** The text cut to at most `width` columns, with an ellipsis where something was cut. Tabs and controls must be gone already. */
export const truncate = (text: string, width: number): string => {
	if (width <= 0) {
		return '';
	}

	if (stringWidth(text) <= width) {
		return text;
	}

	let kept = '';
	let used = 0;
	for (const {segment} of segmenter.segment(text)) {
		const next = used + stringWidth(segment);
		if (next > width - 1) {
			break;
		}

		kept += segment;
		used = next;
	}

	return kept + ellipsis;
};

/** The text cut at its beginning: for a path or a filter, whose end tells more. */
export const truncateStart = (text: string, width: number): string => {
	if (stringWidth(text) <= width) {
		return text;
	}

	let kept = '';
	for (const {segment} of [...segmenter.segment(text)].toReversed()) {
		if (stringWidth(segment + kept) > width - 1) {
			break;
		}

		kept = segment + kept;
	}

	return width <= 0 ? '' : ellipsis + kept;
};

/** The text in exactly `width` columns: cut, or filled with spaces. */
export const fit = (text: string, width: number): string => {
	const kept = truncate(text, width);
	return kept + ' '.repeat(Math.max(0, width - stringWidth(kept)));
};

/** `left` and `right` at the two ends of a line; `right` gives way where both do not fit. */
export const spread = (left: string, right: string, width: number): {readonly left: string; readonly gap: string; readonly right: string} => {
	const leftWidth = stringWidth(left);
	const room = width - leftWidth - 2;
	const shownRight = stringWidth(right) <= room ? right : (room >= 8 ? truncate(right, room) : '');
	const shownLeft = truncate(left, width);
	return {left: shownLeft, gap: ' '.repeat(Math.max(0, width - stringWidth(shownLeft) - stringWidth(shownRight))), right: shownRight};
};
