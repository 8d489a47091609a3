import {theme, type Style} from '../theme.ts';
import {type Part} from './styled-text.ts';

/** The text in parts that are highlighted and parts that are not. No character is split. */
export const highlightedParts = (text: string, positions: ReadonlySet<number>, style: Style = {}): readonly Part[] => {
	// In a list of rows most texts have nothing to highlight.
	if (positions.size === 0) {
		return [[text, style]];
	}

	const highlighted = {...theme.match, ...style};
	const parts: Array<[text: string, style: Style]> = [];
	let start = 0;
	for (const character of text) {
		const look = positions.has(start) ? highlighted : style;
		const last = parts.at(-1);
		if (last?.[1] === look) {
			last[0] += character;
		} else {
			parts.push([character, look]);
		}

		start += character.length;
	}

	return parts;
};
