import {type ReactElement, type ReactNode} from 'react';
import {Box} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {hintOf} from '../keys/hints.ts';
import {type WaitedFor} from '../state/app-state.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {MessageLine} from '../widgets/message-line.tsx';
import {wrapText} from '../widgets/wrap.ts';

/** What the UI waits for before it quits, as a sentence. */
const leavingText = ({changeCount, isEditorOpen}: WaitedFor): string => {
	const parts = [
		...(isEditorOpen ? ['the editor closes'] : []),
		...(changeCount === 0 ? [] : [changeCount === 1 ? '1 change finishes' : `${changeCount} changes finish`]),
	];
	return parts.length === 0 ? 'Quitting…' : `Quitting once ${parts.join(' and ')}.`;
};

const LeavingLines = ({text, textRows}: {readonly text: string; readonly textRows: number}): ReactElement => {
	const {keymap} = useUiServices();
	const {columns} = useAppState().size;
	const hints = [hintOf(keymap, 'quit', 'quit now'), {key: 'esc', label: 'stay'}].filter(hint => hint !== undefined);
	return (
		<>
			<MessageLine width={columns} height={textRows} text={text} level='info'/>
			<HintLine width={columns} hints={hints}/>
		</>
	);
};

/**
The screen. While the UI waits to quit, the last lines say what for, and which keys still work; the rest stays, in case the
person cancels quitting.
*/
export const LeavingFrame = ({children}: {readonly children: ReactNode}): ReactElement => {
	const {columns, rows} = useAppState(({size}) => size);
	const leaving = useAppState(state => state.leaving);
	const text = leaving === undefined ? '' : leavingText(leaving);
	const textRows = Math.min(rows - 2, wrapText(text, columns - 1).length);
	return (
		<Box flexDirection='column' height={rows}>
			<Box flexDirection='column' height={leaving === undefined ? rows : rows - textRows - 1} flexShrink={0} overflow={leaving === undefined ? 'visible' : 'hidden'}>
				<Box flexDirection='column' height={rows} flexShrink={0}>{children}</Box>
			</Box>
			{leaving === undefined ? null : <LeavingLines text={text} textRows={textRows}/>}
		</Box>
	);
};
