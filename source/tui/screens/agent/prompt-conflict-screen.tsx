import {useMemo, useReducer, useSyncExternalStore, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {cleanLines} from '../../../interface/clean-text.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {hintOf, keyName, isBackKey} from '../../../words/keymap.ts';
import type {Overlay} from '../../state/app-state.ts';
import {withMark} from '../../../words/signs.ts';
import {withCursor} from '../../../terminal/cursor-mark.ts';
import {spokenRow} from '../../../terminal/spoken-text.ts';
import {theme} from '../../theme.ts';
import {moveOf, paneMoveOf, targetRow, type Move} from '../../state/list-state.ts';
import {HintLine} from '../../widgets/notice.tsx';
import {ScrollText, textLines, type ScrollLine} from '../../widgets/scroll-text.tsx';
import {useTextScroll} from '../../widgets/text-scroll.ts';
import {wrapText} from '../../../terminal/wrap.ts';

const startMarker = '<<<<<<< your text';

const middleMarker = '=======';

const endMarker = '>>>>>>> on the service';

/** Returns one text with both versions, and markers around the differences, as in version control. */
export function withConflictMarkers(theirText: string, myText: string): string {
	const {before, theirs, mine, after} = differenceOf(theirText, myText);
	return [...before, startMarker, ...mine, middleMarker, ...theirs, endMarker, ...after].join('\n');
}

function differenceOf(theirs: string, mine: string) {
	const theirLines = theirs.split('\n');
	const myLines = mine.split('\n');
	const start = commonLength(theirLines, myLines);
	const theirRest = theirLines.slice(start);
	const myRest = myLines.slice(start);
	const end = commonLength(theirRest.toReversed(), myRest.toReversed());
	return {
		before: theirLines.slice(0, start),
		theirs: theirRest.slice(0, theirRest.length - end),
		mine: myRest.slice(0, myRest.length - end),
		after: theirRest.slice(theirRest.length - end),
	};
}

function commonLength(first: readonly string[], second: readonly string[]): number {
	const index = first.findIndex((line, number) => line !== second[number]);
	return index === -1 ? first.length : index;
}

/** Tells whether markers are left, so the conflict is not resolved. */
export function hasConflictMarkers(text: string): boolean {
	const lines = new Set(text.split('\n').map(line => line.trimEnd()));
	return lines.has(startMarker) || lines.has(endMarker);
}

/** The first choice writes nothing, so that a stray key does no harm. */
const choices = [
	{choice: 'both', label: 'Edit both versions together'},
	{choice: 'theirs', label: 'Keep theirs and discard yours'},
	{choice: 'mine', label: 'Keep yours and overwrite theirs'},
] as const;

type PromptConflictProps = Omit<Extract<Overlay, {readonly kind: 'prompt-conflict'}>, 'kind'>;

/** Asks how to resolve a conflict: somebody else changed a prompt while it was edited here. */
export function PromptConflictScreen({agentId, agentName, theirs, mine, shownPath, onChoose}: PromptConflictProps): ReactElement {
	const {store, keymap} = useUiServices();
	const {columns, rows} = useAppState().size;
	const {whoChanged} = useServiceSession().changes;
	const changers = useSyncExternalStore(whoChanged.subscribe, whoChanged.get);
	const by = changers.agents.get(agentId)?.by ?? 'somebody else';
	const [cursor, move] = useReducer((row: number, step: Move) => targetRow(step, row, choices.length, choices.length), 0);
	const lines = useMemo(() => differenceLines(theirs, mine, columns - 2), [theirs, mine, columns]);
	const title = wrapText(withMark('warning', `Conflict: ${by} changed the prompt of ${agentName}.`), columns - 2);
	const kept =
		rows < 14
			? []
			: wrapText(`Until you decide, your text stays in ${shownPath}; ${keyName(keymap, 'edit-prompt')} edits it again.`, columns - 4);
	const gaps = rows < 14 ? 0 : 2;
	const height = Math.max(0, rows - title.length - kept.length - gaps - choices.length - 1);
	const {top, move: scroll, position} = useTextScroll(lines.length, height);
	useKeys(layers.overlay, {
		onKey({name}) {
			const action = keymap.actionOf(name, ['list']);
			const step = moveOf(action) ?? paneMoveOf(action);
			if (isBackKey(keymap, name)) {
				store.dispatch({type: 'close'});
			} else if (name === 'enter') {
				store.dispatch({type: 'close'});
				onChoose(choices[cursor]!.choice);
			} else if (step?.includes('page')) {
				// The choices fit on any page: these keys scroll the text below them.
				scroll(step);
			} else if (step !== undefined) {
				move(step);
			}

			return true;
		},
	});
	const scrollKeys =
		position === ''
			? []
			: [hintOf(keymap, 'pane-down', 'scroll down'), hintOf(keymap, 'pane-up', 'scroll up')].filter(hint => hint !== undefined);
	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<Box flexShrink={0} paddingLeft={1}>
				<Text {...theme.warning} bold>
					{title.join('\n')}
				</Text>
			</Box>
			{kept.length === 0 ? null : (
				<Box flexShrink={0} paddingLeft={3}>
					<Text {...theme.secondary}>{kept.join('\n')}</Text>
				</Box>
			)}
			{gaps === 0 ? null : <Text> </Text>}
			{choices.map(({choice, label}, index) => (
				<Text
					key={choice}
					aria-label={spokenRow(index === cursor, label)}
					{...(index === cursor ? theme.current : theme.plain)}
					wrap="truncate-end"
				>
					<Text {...theme.accent}>{index === cursor ? withCursor('row', ' > ') : ' '.repeat(3)}</Text>
					{label}
				</Text>
			))}
			{gaps === 0 ? null : <Text> </Text>}
			<ScrollText lines={lines} top={top} height={height} />
			<HintLine
				width={columns}
				hints={[{key: 'enter', label: 'choose'}, {key: 'esc', label: 'decide later'}, {key: 'j/k', label: 'move'}, ...scrollKeys]}
			/>
		</Box>
	);
}

/** Returns the differing lines, so that nothing is overwritten unseen. */
function differenceLines(theirs: string, mine: string, width: number): readonly ScrollLine[] {
	const difference = differenceOf(theirs, mine);
	const section = (title: string, lines: readonly string[]): readonly ScrollLine[] => [
		{text: title, tone: 'secondary'},
		...(lines.length === 0
			? [{text: '  nothing'}]
			: textLines(cleanLines(lines.map(line => `  ${line}`).join('\n')), width).map(text => ({text}))),
	];
	const line = difference.before.length + 1;
	return [...section(`Theirs, from line ${line}:`, difference.theirs), ...section(`Yours, from line ${line}:`, difference.mine)];
}
