import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {theme, type Tone} from '../theme.ts';
import {wrapTextWithin} from './wrap.ts';

type NoticeProps = {
	readonly width: number;
	readonly height: number;
	readonly tone: Tone;
	readonly title: string;
	/** What can be done now. */
	readonly hint?: string | undefined;
};

const padding = 3;

/** Shown in place of a list that is loading, empty, filtered to nothing or failed. If there is little room the hint stays whole. */
export const Notice = ({width, height, tone, title, hint = ''}: NoticeProps): ReactElement => {
	const columns = Math.max(1, width - (2 * padding));
	const hintLines = wrapTextWithin(hint, columns, Math.max(1, height - 1));
	const titleLines = wrapTextWithin(title, columns, Math.max(1, height - hintLines.length));
	return (
		<Box flexDirection='column' height={height} flexShrink={0} paddingX={padding} overflow='hidden'>
			<Text {...theme[tone]}>{titleLines.join('\n')}</Text>
			{hintLines.length === 0 ? null : <Text {...theme.secondary}>{hintLines.join('\n')}</Text>}
		</Box>
	);
};
