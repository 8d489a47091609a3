import {Box, Text} from 'ink';
import {useMemo, type ReactElement} from 'react';
import {changeText, type Change} from '../../changes/change.ts';
import type {TimeZone} from '../../words/time-zone.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys, useQuestion} from '../keys/dispatcher.ts';
import type {TimerTime} from '../../interface/timers.ts';
import {hintOf, scrollHints} from '../../words/keymap.ts';
import {withMark} from '../../words/signs.ts';
import {theme} from '../theme.ts';
import {moveOf, paneMoveOf} from '../state/list-state.ts';
import {Notice} from '../widgets/notice.tsx';
import {ScrollText, textLines, type ScrollLine} from '../widgets/scroll-text.tsx';
import {useTextScroll} from '../widgets/text-scroll.ts';
import {DetailFrame, detailLayoutOf, useProfileNote} from './detail-frame.tsx';
import {refuseChange} from './refuse-change.ts';

type ShownPlan = {
	readonly changes: readonly Change[];
	/** Lines on everything that the plan leaves as it is. */
	readonly warnings: readonly string[];
	readonly summary: string;
};

type PlanScreenProps = {
	readonly title: string;
	/** The title while there is something to apply. */
	readonly question: string;
	/** The object of “applies”. */
	readonly subject: string;
	/** The kind of subject, such as “preset”. */
	readonly noun: string;
	/** Another object is another question, which has to be read first. */
	readonly asked: object;
	/** `undefined` until it is known. */
	readonly plan: ShownPlan | undefined;
	readonly reading: string;
	readonly failure: {readonly text: string; readonly hint: string} | undefined;
	onRefresh(): void;
	onApply(): void;
	/** Applies it until a time; `undefined` if that is not possible. */
	readonly onApplyUntil?: (time: TimerTime & {readonly note: string}) => void;
};

/**
Draws the changes of a plan, with the question whether to make them. Only `y` means Yes; every key means No, except Enter and the scrolling
keys.
*/
export function PlanScreen(props: PlanScreenProps): ReactElement {
	const {title, question, subject, noun, asked, plan, reading, failure, onRefresh, onApply, onApplyUntil} = props;
	const ui = useUiServices();
	const {store, keymap, isReadOnly} = ui;
	const state = useAppState();
	const {columns} = state.size;
	const profileNote = useProfileNote();
	const lines = useMemo(() => (plan === undefined ? [] : planLines(plan, columns - 2, ui.timeZone)), [plan, columns, ui]);
	// The summary is below the title.
	const height = Math.max(1, detailLayoutOf(state).bodyRows - 1);
	const {top, move, turnWheel, position} = useTextScroll(lines.length, height);
	const isAsking = !isReadOnly && plan !== undefined && plan.changes.length > 0;

	const mayBeYes = useQuestion(isAsking ? asked : undefined);

	const apply = (): void => {
		if (isAsking && !mayBeYes()) {
			ui.say('info', 'Press y again.');
		} else if (plan === undefined) {
			ui.say('info', `Nothing was changed: the changes of the ${noun} are not known yet.`);
		} else if (!refuseChange(ui)) {
			onApply();
		}
	};

	useKeys(layers.overlay, {
		onKey({name}) {
			const action = keymap.actionOf(name, ['list', 'switches']);
			const step = moveOf(action) ?? paneMoveOf(action);
			if (name.toLowerCase() === 'y' && (plan === undefined || plan.changes.length > 0)) {
				apply();
			} else if (action === 'timer' && isAsking && onApplyUntil !== undefined) {
				store.dispatch({type: 'open', overlay: {kind: 'timer', title: question, initial: '', onTime: onApplyUntil}});
			} else if (step !== undefined) {
				move(step);
			} else if (plan === undefined && failure !== undefined && action === 'refresh') {
				onRefresh();
			} else if (isAsking && action === 'open') {
				ui.say('info', `y applies ${subject}, n leaves all as it is.`);
			} else {
				store.dispatch({type: 'close'});
			}

			return true;
		},
		onPaste: () => true,
		onMouse: turnWheel,
	});

	return (
		<DetailFrame
			hints={[
				...(isAsking
					? [{key: 'y', label: 'apply'}, {key: 'n', label: 'no'}, ...(onApplyUntil === undefined ? [] : [hintOf(keymap, 'timer')])]
					: []),
				...scrollHints(keymap, position),
				...(isAsking ? [] : [{key: 'esc', label: 'back'}]),
			]}
			title={isAsking ? question : title}
			notes={[position, profileNote]}
			lead={
				<Text {...theme.warning} wrap="truncate-end">
					{plan === undefined ? ' ' : ` ${plan.summary}`}
				</Text>
			}
		>
			{plan === undefined ? (
				<Notice
					width={columns}
					height={height}
					tone={failure === undefined ? 'secondary' : 'error'}
					title={failure === undefined ? reading : withMark('error', failure.text)}
					hint={failure?.hint}
				/>
			) : (
				<Box flexShrink={0} height={height}>
					<ScrollText lines={lines} top={top} height={height} />
				</Box>
			)}
		</DetailFrame>
	);
}

/** Returns a line for each change, and for each thing that a plan leaves as it is. */
function planLines({changes, warnings}: ShownPlan, width: number, timeZone: TimeZone): readonly ScrollLine[] {
	return [
		...changes.flatMap(change => textLines(changeText(change, timeZone), width)).map(text => ({text})),
		...warnings.flatMap(text => textLines(withMark('warning', text), width)).map(text => ({text, tone: 'warning' as const})),
	];
}
