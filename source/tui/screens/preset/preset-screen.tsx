import {useMemo, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {formatCount} from '../../../interface/format-count.ts';
import {type Preset} from '../../../state/preset.ts';
import {type PresetPlan} from '../../../state/preset-plan.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {type InstalledState} from '../../hooks/use-installed.ts';
import {useToggle} from '../../hooks/use-toggle.ts';
import {scrollHints} from '../../keys/hints.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {type Hint} from '../../state/hint.ts';
import {withMark} from '../../state/severity.ts';
import {theme} from '../../theme.ts';
import {moveOf, paneMoveOf} from '../../widgets/list/index.ts';
import {Notice} from '../../widgets/notice.tsx';
import {ScrollText, textLines} from '../../widgets/scroll-text.tsx';
import {useTextScroll} from '../../widgets/use-text-scroll.ts';
import {
	DetailFrame,
	detailLayoutOf,
	TitleLine,
	useProfileNote,
} from '../detail-frame.tsx';
import {refreshHint} from '../list/use-report-failure.ts';
import {refuseWhenReadOnly} from '../read-only.ts';
import {leftAloneText, planLines} from './preset-texts.ts';
import {usePresetPlans} from './use-preset-plans.ts';

/** Such as “2 to change, 10 unchanged”. */
const summaryOf = ({changes, targets}: PresetPlan, {isComplete}: InstalledState): string => [
	changes.length === 0 ? 'Nothing to change' : `${formatCount(changes.length)} to change`,
	`${formatCount(targets.length - changes.length)} unchanged`,
	isComplete ? '' : 'the list is not complete',
].filter(Boolean).join(', ');

/** What a preset would change, and the question whether it should. Only `y` means Yes; every key but those that scroll means No. */
export const PresetScreen = ({preset}: {readonly preset: Preset}): ReactElement => {
	const ui = useUiServices();
	const {store, keymap, isReadOnly} = ui;
	const state = useAppState();
	const {columns} = state.size;
	const profileNote = useProfileNote();
	const toggle = useToggle();
	const {planOf, installed} = usePresetPlans();
	const plan = planOf?.(preset);
	const lines = useMemo(
		() => (plan === undefined ? [] : planLines(plan)).flatMap(line => textLines(line.text, columns - 2).map(text => ({...line, text}))),
		[plan, columns],
	);
	// The summary stands below the title.
	const height = Math.max(1, detailLayoutOf(state).bodyRows - 1);
	const {top, move, position} = useTextScroll(lines.length, height);
	const isAsking = !isReadOnly && plan !== undefined && plan.changes.length > 0;
	const isFailed = plan === undefined && installed.error !== undefined && !installed.isReading;

	const apply = (): void => {
		if (plan === undefined) {
			ui.say('info', 'Nothing was changed: it is not known yet what the preset would change.');
		} else if (!refuseWhenReadOnly(ui)) {
			// The rows show what becomes of it; an agent has none.
			store.dispatch({type: 'close-all'});
			if (store.getState().screen === 'agents') {
				store.dispatch({type: 'show-screen', screen: 'installed'});
			}

			const leftAlone = leftAloneText(plan);
			toggle.applyPreset(plan.targets, leftAlone === '' ? '' : ` ${leftAlone}`);
		}
	};

	useKeys(layers.overlay, {
		onKey({name}) {
			const action = keymap.actionOf(name, ['list']);
			const step = moveOf(action) ?? paneMoveOf(action);
			if ((name === 'y' || name === 'Y') && (plan === undefined || plan.changes.length > 0)) {
				apply();
			} else if (step !== undefined) {
				move(step);
			} else if (isFailed && action === 'refresh') {
				void installed.refresh();
			} else {
				store.dispatch({type: 'close'});
			}

			return true;
		},
		onPaste: () => true,
	});

	const hints: readonly Hint[] = [
		...(isAsking ? [{key: 'y', label: 'apply'}, {key: 'n', label: 'no'}] : []),
		...scrollHints(keymap, position),
		...(isAsking ? [] : [{key: 'esc', label: 'back'}]),
	];
	const size = {width: columns, height};
	const notice = isFailed
		? <Notice {...size} tone='error' title={withMark('error', `The installed abilities could not be read. ${installed.error.message}`)} hint={refreshHint(installed.error, keymap)}/>
		: <Notice {...size} tone='secondary' title='Reading the installed abilities…'/>;
	return (
		<DetailFrame
			hints={hints}
			head={(
				<>
					<TitleLine title={isAsking ? `Apply ${preset.name}?` : `Preset ${preset.name}`} notes={[position, profileNote]}/>
					<Text {...theme.warning} wrap='truncate-end'>{plan === undefined ? ' ' : ` ${summaryOf(plan, installed)}`}</Text>
				</>
			)}
		>
			{plan === undefined ? notice : <Box flexShrink={0} height={height}><ScrollText lines={lines} top={top} height={height}/></Box>}
		</DetailFrame>
	);
};
