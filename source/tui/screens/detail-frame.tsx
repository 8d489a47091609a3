import {type ReactElement, type ReactNode} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {useAppState, useUiServices} from '../app-context.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import {type AppState} from '../state/app-state.ts';
import {roomyRows} from '../state/layout.ts';
import {withMark} from '../state/severity.ts';
import {signs} from '../state/signs.ts';
import {withLongDots} from '../terminal/ascii.ts';
import {theme} from '../theme.ts';
import {spread} from '../widgets/fit.ts';
import {type Hint} from '../state/hint.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {MessageLine} from '../widgets/message-line.tsx';
import {wrapText} from '../widgets/wrap.ts';

type DetailLayout = {
	/** True if there is room for an empty line below the title. */
	readonly hasSpacer: boolean;
	readonly messageRows: number;
	readonly bodyRows: number;
};

/** How the rows are divided between title, body, message and hints. A message may name a file, and is shown whole if it fits. */
export const detailLayoutOf = ({size, messages: {shown}}: AppState): DetailLayout => {
	const hasSpacer = size.rows >= roomyRows;
	const wanted = shown === undefined ? 0 : wrapText(withMark(shown.level, shown.text), size.columns - 1).length;
	const messageRows = Math.max(hasSpacer ? 1 : 0, Math.min(wanted, size.rows - 4));
	return {hasSpacer, messageRows, bodyRows: Math.max(1, size.rows - 2 - messageRows - (hasSpacer ? 1 : 0))};
};

/** The profile whose record is shown, as a note beside the title. */
export const useProfileNote = (): string => `${useServiceSession().profileName}${useUiServices().isReadOnly ? ` ${signs.readOnly}` : ''}`;

type TitleLineProps = {
	readonly title: string;
	/** Notes at the end of the line; empty ones are left out. */
	readonly notes: readonly string[];
};

/** The first line. A long title is cut to make room for the notes, but keeps a third of the line. */
export const TitleLine = ({title, notes}: TitleLineProps): ReactElement => {
	const {isAscii} = useUiServices();
	const words = notes.filter(text => text !== '').join(' · ');
	// At the end of a line an ellipsis has no room for its dots.
	const note = isAscii ? withLongDots(words) : words;
	const width = useAppState().size.columns - 1;
	const titleRoom = Math.max(Math.floor(width / 3), width - stringWidth(note) - 2);
	const {left, gap, right} = spread(cliTruncate(` ${title}`, titleRoom), note, width);
	return (
		<Text wrap='truncate-end'>
			<Text {...theme.title}>{left}</Text>
			<Text {...theme.secondary}>{gap + right}</Text>
		</Text>
	);
};

type DetailFrameProps = {
	readonly head: ReactNode;
	readonly hints: readonly Hint[];
	/** Its last lines are cut if the head needs more than one. */
	readonly children: ReactNode;
};

/** The frame around an opened agent or ability: head, message and hints. */
export const DetailFrame = ({head, hints, children}: DetailFrameProps): ReactElement => {
	const state = useAppState();
	const {size, messages: {shown}} = state;
	const {hasSpacer, messageRows} = detailLayoutOf(state);
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			<Box flexDirection='column' flexShrink={0}>{head}</Box>
			{hasSpacer ? <Box height={1} flexShrink={0}/> : null}
			<Box flexDirection='column' flexGrow={1} flexShrink={1} overflow='hidden'>{children}</Box>
			{messageRows > 0 ? <MessageLine width={size.columns} height={messageRows} text={shown?.text ?? ''} level={shown?.level ?? 'info'}/> : null}
			<Box flexShrink={0}><HintLine width={size.columns} hints={hints}/></Box>
		</Box>
	);
};
