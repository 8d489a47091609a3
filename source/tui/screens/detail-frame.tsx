import type {ReactElement, ReactNode} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {useAppState, useUiServices} from '../app-context.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import type {AppState} from '../state/app-state.ts';
import {roomyRows} from '../state/layout.ts';
import {withMark, signs} from '../../words/signs.ts';
import {withLongDots} from '../../terminal/ascii.ts';
import {cursorMark} from '../../terminal/cursor-mark.ts';
import {spokenText} from '../../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {spread, wrapText} from '../../terminal/wrap.ts';
import type {Hint} from '../../words/keymap.ts';
import {HintLine, MessageLine} from '../widgets/notice.tsx';

/**
Returns the division of the rows between title, body, message and hints. A message may name a file, and is shown whole if it fits.

@param isPlain - true for a frame without a message and without an empty line below the title.
*/
export function detailLayoutOf({size, messages: {shown}}: AppState, isPlain = false) {
	const hasSpacer = !isPlain && size.rows >= roomyRows;
	const wanted = isPlain || shown === undefined ? 0 : wrapText(withMark(shown.level, shown.text), size.columns - 1).length;
	const messageRows = Math.max(hasSpacer ? 1 : 0, Math.min(wanted, size.rows - 4));
	return {hasSpacer, messageRows, bodyRows: Math.max(1, size.rows - 2 - messageRows - (hasSpacer ? 1 : 0))};
}

/** Returns the profile of the record on the screen, as a note beside the title. */
export function useProfileNote(): string {
	return `${useServiceSession().account.profileName}${useUiServices().isReadOnly ? ` ${signs.readOnly}` : ''}`;
}

type TitleLineProps = {
	readonly title: string;
	readonly notes?: readonly string[];
	/** The notes for a screen reader, if they differ. */
	readonly spoken?: string | undefined;
};

/** Draws the first line. A long title is cut to make room for the notes, but keeps a third of the line. */
function TitleLine({title, notes = [], spoken}: TitleLineProps): ReactElement {
	const {isAscii} = useUiServices();
	const words = notes.filter(text => text !== '').join(' · ');
	// At the end of a line an ellipsis has no room for its dots.
	const note = isAscii ? withLongDots(words) : words;
	const width = useAppState().size.columns - 1;
	const titleRoom = Math.max(Math.floor(width / 3), width - stringWidth(note) - 2);
	// The end of an input line must be in view.
	const shownNote = note.includes(cursorMark('field')) ? cliTruncate(note, width - titleRoom - 2, {position: 'start'}) : note;
	const {left, gap, right} = spread(cliTruncate(` ${title}`, titleRoom), shownNote, width);
	return (
		<Text wrap="truncate-end" {...(spoken !== undefined && {'aria-label': spokenText(title, spoken)})}>
			<Text {...theme.title}>{left}</Text>
			<Text {...theme.secondary}>{gap + right}</Text>
		</Text>
	);
}

type DetailFrameProps = TitleLineProps & {
	/** Lines below the title. */
	readonly lead?: ReactNode;
	/** The keys that work now: a key that does not has no hint. */
	readonly hints: ReadonlyArray<Hint | false | undefined>;
	readonly isPlain?: boolean;
	/** Its last lines are cut if there are lines below the title. */
	readonly children: ReactNode;
};

/** Draws the frame around an overlay of a list: title, message and hints. */
export function DetailFrame({lead, hints, isPlain, children, ...titled}: DetailFrameProps): ReactElement {
	const state = useAppState();
	const {
		size,
		messages: {shown},
	} = state;
	const {hasSpacer, messageRows} = detailLayoutOf(state, isPlain);
	return (
		<Box flexDirection="column" height={size.rows} overflow="hidden">
			<Box flexDirection="column" flexShrink={0}>
				<TitleLine {...titled} />
				{lead}
			</Box>
			{hasSpacer ? <Box height={1} flexShrink={0} /> : null}
			<Box flexDirection="column" flexGrow={1} flexShrink={1} overflow="hidden">
				{children}
			</Box>
			{messageRows > 0 ? (
				<MessageLine width={size.columns} height={messageRows} text={shown?.text ?? ''} level={shown?.level ?? 'info'} />
			) : null}
			<Box flexShrink={0}>
				<HintLine width={size.columns} hints={hints.filter(hint => hint !== undefined && hint !== false)} />
			</Box>
		</Box>
	);
}
