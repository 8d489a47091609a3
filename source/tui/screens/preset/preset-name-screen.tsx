import {
	useRef,
	useState,
	type ReactElement,
} from 'react';
import {Box, Text} from 'ink';
import {SwitchboardError, toSwitchboardError} from '../../../interface/errors.ts';
import {formatCount} from '../../../interface/format-count.ts';
import {refusePresetName} from '../../../settings/presets.ts';
import {type Preset} from '../../../state/preset.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {theme} from '../../theme.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {wrapText} from '../../widgets/wrap.ts';
import {DetailFrame, TitleLine, useProfileNote} from '../detail-frame.tsx';
import {errorText} from '../error-text.ts';
import {countsText, leftOutText} from './preset-texts.ts';
import {useTakePreset} from './use-take-preset.ts';

const labelWidth = 7;

/** Saves which abilities are on and off, all installed ones or those of the marked rows, under a name that is typed. */
export const PresetNameScreen = (): ReactElement => {
	const ui = useUiServices();
	const {store} = ui;
	const {columns} = useAppState(state => state.size);
	const profileNote = useProfileNote();
	const {shown, isUnreadable, markedCount, take} = useTakePreset();
	const [typed, setTyped] = useState('');
	const [problem, setProblem] = useState<string | undefined>(undefined);
	const isBusy = useRef(false);
	const unknownText = isUnreadable ? 'The installed abilities could not be read. Enter tries again.' : 'Reading the installed abilities…';

	const askToReplace = (name: string, before: Preset): void => {
		store.dispatch({
			type: 'open',
			overlay: {
				kind: 'confirm',
				question: `Replace the preset ${before.name}? This cannot be undone.`,
				details: [`It holds ${countsText(before)}.`],
				yes: 'replace',
				isFinal: true,
				onYes() {
					void save(name, true);
				},
			},
		});
	};

	const save = async (name: string, isReplacing: boolean): Promise<void> => {
		if (isBusy.current) {
			return;
		}

		isBusy.current = true;
		const presets = ui.presets();
		const overlay = store.getState().overlays.at(-1);
		const isOpen = (): boolean => store.getState().overlays.at(-1) === overlay;
		try {
			refusePresetName(name);
			const {preset, leftOut} = await take(name);
			// Escape cancels while the list is being read.
			if (!isOpen()) {
				return;
			}

			await presets.save(preset, {isReplacing});
			if (isOpen()) {
				store.dispatch({type: 'close'});
			}

			ui.say('info', [`Saved the preset ${name}: ${countsText(preset)}.`, leftOutText(leftOut)].filter(Boolean).join(' '));
		} catch (error) {
			const before = error instanceof SwitchboardError && error.kind === 'conflict' ? await presets.find(name) : undefined;
			if (before === undefined) {
				setProblem(errorText(toSwitchboardError(error)));
			} else if (isOpen()) {
				askToReplace(name, before);
			}
		} finally {
			isBusy.current = false;
		}
	};

	useKeys(layers.overlay, {
		onKey(key) {
			if (key.name === 'escape') {
				store.dispatch({type: 'close'});
			} else if (key.name === 'enter' && typed.trim() === '') {
				setProblem('Enter a name.');
			} else if (key.name === 'enter') {
				void save(typed.trim(), false);
			}

			return true;
		},
	});
	return (
		<DetailFrame
			head={<TitleLine title={markedCount === 0 ? 'Save the present state as a preset' : `Save ${formatCount(markedCount)} marked as a preset`} notes={[profileNote]}/>}
			hints={[{key: 'enter', label: 'save'}, {key: 'esc', label: 'cancel'}, {key: 'ctrl+u', label: 'clear'}]}
		>
			<Box flexDirection='column' paddingX={1}>
				<TextField
					isFocused
					label='Name'
					labelWidth={labelWidth}
					width={columns - 2}
					value={typed}
					problem={problem}
					onChange={value => {
						setTyped(value);
						setProblem(undefined);
					}}
				/>
				<Box paddingLeft={labelWidth}>
					<Text {...theme.secondary}>{wrapText(shown === undefined ? unknownText : countsText(shown), columns - 2 - labelWidth).join('\n')}</Text>
				</Box>
			</Box>
		</DetailFrame>
	);
};
