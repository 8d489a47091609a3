import {useMemo, type ReactElement} from 'react';
import stringWidth from 'string-width';
import {errorText, toSwitchboardError} from '../../../interface/errors.ts';
import {type Preset} from '../../../state/preset.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useEarlyInput} from '../../hooks/use-early-input.ts';
import {keyName, hintOf} from '../../keys/hints.ts';
import {isBackKey} from '../../keys/keymap.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {type Hint} from '../../state/hint.ts';
import {withMark} from '../../state/severity.ts';
import {type Key} from '../../terminal/key.ts';
import {
	cursorRowOf,
	initialListState,
	List,
	moved,
	moveOf,
} from '../../widgets/list/index.ts';
import {Notice} from '../../widgets/notice.tsx';
import {useRememberedState} from '../../widgets/use-remembered-state.ts';
import {ask} from '../ask.ts';
import {
	DetailFrame,
	detailLayoutOf,
	TitleLine,
	useProfileNote,
} from '../detail-frame.tsx';
import {refuseWhenReadOnly} from '../read-only.ts';
import {presetLine} from './preset-row.ts';
import {countsText} from './preset-texts.ts';
import {usePresetPlans} from './use-preset-plans.ts';
import {usePresets} from './use-presets.ts';

/** The key that saves a preset; all the others have their usual actions. */
const saveKey = 's';

const longestOf = (presets: readonly Preset[]): number => {
	let longest = 0;
	for (const {name} of presets) {
		longest = Math.max(longest, stringWidth(name));
	}

	return longest;
};

/** The presets of the service that is shown: Enter opens one, `s` saves the present state as another. */
export const PresetsScreen = (): ReactElement => {
	const ui = useUiServices();
	const {store, keymap, isReadOnly} = ui;
	const state = useAppState();
	const {columns} = state.size;
	const profileNote = useProfileNote();
	const {presets, error, read} = usePresets();
	const {planOf, installed} = usePresetPlans();
	const [cursor, setCursor] = useRememberedState('list', initialListState);
	const rows = useMemo(() => presets ?? [], [presets]);
	const ids = useMemo(() => [...rows.keys()], [rows]);
	const nameColumns = useMemo(() => longestOf(rows), [rows]);
	const height = detailLayoutOf(state).bodyRows;
	const row = cursorRowOf(cursor, ids);
	const isUnreadable = installed.error !== undefined && !installed.isReading;

	const remove = async ({name}: Preset): Promise<void> => {
		try {
			const isRemoved = await ui.presets().remove(name);
			ui.say('info', isRemoved ? `Deleted the preset ${name}.` : `The preset ${name} was deleted already.`);
		} catch (error_) {
			ui.say('error', errorText(toSwitchboardError(error_)));
		}

		await read();
	};

	const askToRemove = (preset: Preset): void => {
		ask(ui, {
			question: `Delete the preset ${preset.name}? This cannot be undone.`,
			details: [`It holds ${countsText(preset)}.`],
			yes: 'delete',
			isFinal: true,
			onYes() {
				void remove(preset);
			},
		});
	};

	const act = ({name}: Key): true => {
		const preset = rows[row];
		const action = keymap.actionOf(name, ['list']);
		const move = moveOf(action);
		const isDeletion = keymap.keysOf('delete').includes(name);
		if ((name === saveKey || isDeletion) && refuseWhenReadOnly(ui)) {
			return true;
		}

		if (name === saveKey) {
			store.dispatch({type: 'open', overlay: {kind: 'preset-name'}});
		} else if (isDeletion) {
			if (preset !== undefined) {
				askToRemove(preset);
			}
		} else if (move !== undefined) {
			setCursor(before => moved(before, ids, move, height));
		} else if (action === 'open' && preset !== undefined) {
			store.dispatch({type: 'open', overlay: {kind: 'preset', preset}});
		} else if (action === 'refresh') {
			void read();
			void installed.refresh();
		}

		return true;
	};

	const actSoon = useEarlyInput(presets === undefined && error === undefined, act);
	useKeys(layers.overlay, {
		onKey(key) {
			if (isBackKey(keymap, key.name) || keymap.keysOf('presets').includes(key.name)) {
				store.dispatch({type: 'close'});
				return true;
			}

			return actSoon(key);
		},
	});

	const hints: readonly Hint[] = [
		...(rows.length === 0 ? [] : [hintOf(keymap, 'open', isReadOnly ? 'show' : 'apply')]),
		...(isReadOnly ? [] : [{key: saveKey, label: 'save'}]),
		...(rows.length === 0 || isReadOnly ? [] : [hintOf(keymap, 'delete', 'delete')]),
		...(rows.length === 0 ? [] : [{key: 'j/k', label: 'move'}]),
		{key: 'esc', label: 'back', isKept: true},
	].filter(hint => hint !== undefined);
	const size = {width: columns, height};
	const notice = error === undefined
		? (presets === undefined
			? <Notice {...size} tone='secondary' title='Reading the presets…'/>
			: <Notice {...size} tone='plain' title='No presets yet.' hint={isReadOnly ? '' : `${saveKey} saves which abilities are on and off now, or only the marked ones.`}/>)
		: <Notice {...size} tone='error' title={withMark('error', error.message)} hint={error.nextStep ?? `${keyName(keymap, 'refresh')} tries again.`}/>;
	return (
		<DetailFrame
			head={<TitleLine title='Presets' notes={[rows.length > height ? `${row + 1} of ${rows.length}` : '', profileNote]}/>}
			hints={hints}
		>
			{rows.length === 0
				? notice
				: (
					<List
						state={cursor}
						ids={ids}
						visibleRows={height}
						lineOf={(index, isCursor) => presetLine({
							preset: rows[index]!,
							plan: planOf?.(rows[index]!) ?? (isUnreadable ? 'unknown' : 'reading…'),
							isCursor,
							width: columns,
							nameColumns,
						})}
					/>
				)}
		</DetailFrame>
	);
};
