import {type ReactElement} from 'react';
import {SwitchboardError} from '../../../interface/errors.ts';
import {formatCount} from '../../../interface/format-count.ts';
import {refusePresetName} from '../../../settings/presets.ts';
import {type Preset} from '../../../state/preset.ts';
import {useUiServices} from '../../app-context.ts';
import {ask} from '../ask.ts';
import {DetailFrame, TitleLine, useProfileNote} from '../detail-frame.tsx';
import {NameForm, nameFormHints} from '../name-form.tsx';
import {useNameForm} from '../use-name-form.ts';
import {countsText, leftOutText} from './preset-texts.ts';
import {useTakePreset} from './use-take-preset.ts';

/** Saves which abilities are on and off, all installed ones or those of the marked rows, under a name that is typed. */
export const PresetNameScreen = (): ReactElement => {
	const ui = useUiServices();
	const {store} = ui;
	const profileNote = useProfileNote();
	const {shown, isUnreadable, markedCount, take} = useTakePreset();
	const form = useNameForm('');
	const unknownText = isUnreadable ? 'The installed abilities could not be read. Enter tries again.' : 'Reading the installed abilities…';

	const askToReplace = (name: string, before: Preset): void => {
		ask(ui, {
			question: `Replace the preset ${before.name}? This cannot be undone.`,
			details: [`It holds ${countsText(before)}.`],
			yes: 'replace',
			isFinal: true,
			onYes() {
				save(name, true);
			},
		});
	};

	const takeAndStore = async (name: string, isReplacing: boolean): Promise<void> => {
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
				throw error;
			}

			if (isOpen()) {
				askToReplace(name, before);
			}
		}
	};

	const save = (name: string, isReplacing: boolean): void => {
		void form.save(async () => takeAndStore(name, isReplacing));
	};

	return (
		<DetailFrame
			head={<TitleLine title={markedCount === 0 ? 'Save the present state as a preset' : `Save ${formatCount(markedCount)} marked as a preset`} notes={[profileNote]}/>}
			hints={nameFormHints}
		>
			<NameForm
				isSavingCancelable
				form={form}
				note={shown === undefined ? unknownText : countsText(shown)}
				onEnter={name => {
					save(name, false);
				}}
			/>
		</DetailFrame>
	);
};
