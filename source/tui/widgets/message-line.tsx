import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {messageText} from '../state/messages.ts';
import {theme} from '../theme.ts';
import {wrapTextWithin} from './wrap.ts';

export type MessageLineProps = {
	readonly width: number;
	readonly height: number;
	readonly text: string | undefined;
	readonly level: 'info' | 'error' | undefined;
};

/** The newest message, above the hints. */
export const MessageLine = ({width, height, text, level}: MessageLineProps): ReactElement => (
	<Box height={height} flexShrink={0} paddingLeft={1} overflow='hidden'>
		<Text aria-label={messageText(text, level)} {...(level === 'error' ? theme.error : theme.secondary)}>{wrapTextWithin(messageText(text, level), width - 1, height).join('\n')}</Text>
	</Box>
);
