import {type ReactElement} from 'react';
import {Text} from 'ink';
import {theme} from '../theme.ts';
import {type FoundPart} from './use-text-search.ts';

type FoundTextProps = {
	readonly text: string;
	/** The matches in the line, in order. */
	readonly parts: readonly FoundPart[];
	/** Where this text begins in the line, in UTF-16 units. */
	readonly offset?: number;
};

/** A line, or a part of one, with the matches of a search highlighted. */
export const FoundText = ({text, parts, offset = 0}: FoundTextProps): ReactElement => {
	let drawn = 0;
	const pieces: ReactElement[] = [];
	for (const part of parts) {
		const start = Math.max(drawn, part.start - offset);
		const end = Math.min(text.length, part.end - offset);
		if (!(end > start)) {
			continue;
		}

		pieces.push(
			<Text key={`before ${start}`}>{text.slice(drawn, start)}</Text>,
			<Text key={start} {...(part.isCurrent ? theme.currentMatch : theme.match)}>{text.slice(start, end)}</Text>,
		);
		drawn = end;
	}

	return <>{pieces}{text.slice(drawn)}</>;
};
