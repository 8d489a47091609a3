export type TextPart = {
	/** Where it begins in the text, in UTF-16 units. */
	readonly start: number;
	readonly text: string;
	readonly isHighlighted: boolean;
};

/** A text in parts, so that the UTF-16 units at these places can be drawn in another way. No character is split. */
export const highlighted = (text: string, places: ReadonlySet<number>): readonly TextPart[] => {
	const parts: TextPart[] = [];
	let start = 0;
	for (const character of text) {
		const isHighlighted = places.has(start);
		const last = parts.at(-1);
		if (last?.isHighlighted === isHighlighted) {
			parts[parts.length - 1] = {...last, text: last.text + character};
		} else {
			parts.push({start, text: character, isHighlighted});
		}

		start += character.length;
	}

	return parts;
};
