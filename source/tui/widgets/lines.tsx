import {memo, type ReactElement} from 'react';
import {Text} from 'ink';
import {lineOf, type Line, type Part} from './styled-text.ts';

/** Drawn again only if it changes. */
const DrawnText = memo(({text, label}: Line): ReactElement => <Text wrap='truncate-end' aria-label={label}>{text}</Text>);

type StyledLineProps = {
	readonly parts: readonly Part[];
	/** How it is read out. */
	readonly label: string;
};

/** Parts of different looks on one line, cut at its end. */
export const StyledLine = ({parts, label}: StyledLineProps): ReactElement => <DrawnText {...lineOf(parts, label)}/>;

/** Lines that fit into the width: none is cut. As one text they cost what a line costs. */
export const Lines = ({lines}: {readonly lines: readonly Line[]}): ReactElement =>
	<DrawnText text={lines.map(({text}) => text).join('\n')} label={lines.map(({label}) => label).join('\n')}/>;
