import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {theme} from '../theme.ts';

export type PaneField = {readonly label: string; readonly text: string};

export type PaneProps = {
	readonly width: number;
	readonly height: number;
	readonly title: string;
	/** Those with an empty text are left out. */
	readonly fields: readonly PaneField[];
	readonly text: string;
};

const labelWidth = 11;

/** Details beside a list: a title, labelled fields, then a text that is cut where the room ends. */
export const Pane = ({width, height, title, fields, text}: PaneProps): ReactElement => (
	<Box flexDirection='column' width={width} height={height} flexShrink={0} paddingLeft={2} paddingRight={1} overflow='hidden'>
		<Text {...theme.title} wrap='truncate-end'>{title}</Text>
		{fields.filter(field => field.text !== '').map(field => (
			<Box key={field.label} flexShrink={0}>
				<Box width={labelWidth} flexShrink={0}><Text {...theme.secondary}>{field.label}</Text></Box>
				<Text>{field.text}</Text>
			</Box>
		))}
		{text === '' ? null : <Box paddingTop={1}><Text>{text}</Text></Box>}
	</Box>
);
