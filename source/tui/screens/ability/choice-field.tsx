import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {spokenText} from '../../terminal/spoken-text.ts';
import {theme} from '../../theme.ts';

type ChoiceFieldProps = {
	readonly label: string;
	readonly labelWidth: number;
	/** The current choice, in a word or two. */
	readonly value: string;
	/** What it means. */
	readonly meaning: string;
	readonly isFocused: boolean;
};

/** A choice among a few on one line, like the text fields around it; the arrows show that Left and Right choose. */
export const ChoiceField = ({label, labelWidth, value, meaning, isFocused}: ChoiceFieldProps): ReactElement => (
	<Box flexShrink={0}>
		<Box width={labelWidth} flexShrink={0}>
			<Text {...(isFocused ? theme.accent : theme.secondary)}>{`${isFocused ? '>' : ' '} ${label}`}</Text>
		</Box>
		<Text wrap='truncate-end' aria-label={spokenText(value, meaning)}>
			<Text {...(isFocused ? theme.current : theme.plain)}>{isFocused ? `‹ ${value} ›` : value}</Text>
			<Text {...theme.secondary}>{meaning === '' ? '' : `  ${meaning}`}</Text>
		</Text>
	</Box>
);
