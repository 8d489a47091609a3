import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {theme, type Tone} from '../theme.ts';

export type NoticeProps = {
	readonly height: number;
	readonly tone: Tone;
	readonly title: string;
	/** What can be done now. */
	readonly hint?: string | undefined;
};

/** What stands in place of a list: loading, empty, nothing found, failed. */
export const Notice = ({height, tone, title, hint}: NoticeProps): ReactElement => (
	<Box flexDirection='column' height={height} flexShrink={0} paddingX={3} overflow='hidden'>
		<Text {...theme[tone]}>{title}</Text>
		{hint === undefined ? null : <Text {...theme.secondary}>{hint}</Text>}
	</Box>
);
