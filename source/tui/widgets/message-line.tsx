import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {severityTone, withMark, type Severity} from '../state/severity.ts';
import {theme} from '../theme.ts';
import {wrapTextWithin} from './wrap.ts';

type MessageLineProps = {
	readonly width: number;
	readonly height: number;
	readonly text: string;
	readonly level: Severity;
};

export const MessageLine = ({width, height, text, level}: MessageLineProps): ReactElement => (
	<Box height={height} flexShrink={0} paddingLeft={1} overflow='hidden'>
		<Text aria-label={withMark(level, text)} {...theme[severityTone[level]]}>{wrapTextWithin(withMark(level, text), width - 1, height).join('\n')}</Text>
	</Box>
);
