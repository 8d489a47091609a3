import {type ReactElement} from 'react';
import {Text, type TextProps} from 'ink';
import {theme} from '../theme.ts';

type TextPart = {
	/** Where it begins in the text, in UTF-16 units. */
	readonly start: number;
	readonly text: string;
	readonly isHighlighted: boolean;
};

/** The text in parts that are highlighted and parts that are not. No character is split. */
const partsOf = (text: string, positions: ReadonlySet<number>): readonly TextPart[] => {
	const parts: TextPart[] = [];
	let start = 0;
	for (const character of text) {
		const isHighlighted = positions.has(start);
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

type HighlightedTextProps = {
	readonly text: string;
	/** The UTF-16 units that match a filter. */
	readonly positions: ReadonlySet<number>;
	readonly look?: Partial<TextProps>;
};

/** A text with what matches a filter highlighted. */
export const HighlightedText = ({text, positions, look}: HighlightedTextProps): ReactElement => {
	// In a list of rows most texts have nothing to highlight, and every nested Text costs time at each key.
	if (positions.size === 0) {
		return look === undefined ? <>{text}</> : <Text {...look}>{text}</Text>;
	}

	return <>{partsOf(text, positions).map(part => <Text key={part.start} {...(part.isHighlighted ? theme.match : {})} {...look}>{part.text}</Text>)}</>;
};
