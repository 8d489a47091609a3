import {useMemo, type ReactElement} from 'react';
import {SwitchboardError} from '../../interface/errors.ts';
import {formatCount} from '../../interface/format-count.ts';
import {installedLookup} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {refusePresetName, cleanPresetName, type Presets, type Preset} from '../../settings/presets.ts';
import {takePreset, type LeftOut} from '../../state/preset.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {useServiceSession, type ServiceSession} from '../hooks/service-session.ts';
import type {ReversibleStep} from '../hooks/undo-history.ts';
import {isShownEnabled} from '../hooks/switching.ts';
import {useInstalled} from '../hooks/use-resource.ts';
import {keyName} from '../../words/keymap.ts';
import {noMarks, type Screens} from '../state/view.ts';
import {askQuestion} from './confirm.tsx';
import {useProfileNote} from './detail-frame.tsx';
import {NameForm} from './form.tsx';
import {countsText, subjectOf} from './presets.tsx';

/** Saves the states of all installed abilities, or of the marked rows, under a typed name. */
export function PresetNameScreen(): ReactElement {
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const profileNote = useProfileNote();
	const screen = useAppState(state => state.screen);
	const views = useAppState(state => state.views);
	const {records, intents, isFromEarlierRun, isReading, error, refresh} = useInstalled();
	const markedCount = marksOf({screen, views}).size;
	const shown = useMemo(
		() => records && takeMarked(session, {screen, views}, '', records).preset,
		[records, session, screen, views, intents],
	);
	const unknownText =
		error === undefined || isReading ? 'Reading the installed abilities…' : 'The installed abilities could not be read. Enter tries again.';

	/**
	Returns the present states on the screen, once the list is not being read.

	@throws SwitchboardError if it cannot be read, or `usage` if there is nothing to save.
	*/
	const take = async (name: string) => {
		const failure = records === undefined || isFromEarlierRun || isReading || error !== undefined ? await refresh() : undefined;
		if (failure !== undefined) {
			throw failure;
		}

		const taken = takeMarked(session, {screen, views}, name, session.records.seen('installed') ?? []);
		if (taken.preset.on.length + taken.preset.off.length === 0) {
			const reason =
				taken.count > 0
					? "This service doesn't show which of them are on"
					: markedCount === 0
						? 'Nothing is installed'
						: 'None of the marked abilities is installed';
			throw new SwitchboardError('usage', `${reason}: there is nothing to save.`);
		}

		return taken;
	};

	const isReplaced = async (before: Preset): Promise<boolean> =>
		new Promise(resolve => {
			askQuestion(ui, {
				question: `Replace the preset ${before.name}?`,
				details: [`It holds ${countsText(before)}. ${keyName(ui.keymap, 'undo')} brings it back.`],
				yes: 'replace',
				onYes() {
					resolve(true);
				},
				onNo() {
					resolve(false);
				},
			});
		});

	const save = async (typed: string, isReplacing = false): Promise<void> => {
		const presets = ui.presets();
		const overlay = store.getState().overlays.at(-1);
		const isOpen = (): boolean => store.getState().overlays.at(-1) === overlay;
		try {
			const name = cleanPresetName(typed);
			refusePresetName(name);
			const {preset, leftOut} = await take(name);
			// Escape cancels while the list is being read.
			if (!isOpen()) {
				return;
			}

			const replaced = await presets.save(preset, {isReplacing});
			if (replaced !== undefined) {
				session.changes.undoHistory.begin(`Still saving the preset ${preset.name}.`)(replacement(presets, preset, replaced));
			}

			if (isOpen()) {
				store.dispatch({type: 'close'});
			}

			const undoText = replaced === undefined ? '' : ` ${keyName(ui.keymap, 'undo')} brings the earlier one back.`;
			ui.say('info', `Saved the preset ${preset.name}: ${countsText(preset)}.${undoText}${leftOutText(leftOut)}`);
		} catch (error_) {
			const before = error_ instanceof SwitchboardError && error_.kind === 'conflict' ? await presets.find(typed) : undefined;
			if (before === undefined) {
				throw error_;
			}

			if (isOpen() && (await isReplaced(before))) {
				await save(typed, true);
			}
		}
	};

	return (
		<NameForm
			title={markedCount === 0 ? 'Save the present state as a preset' : `Save ${formatCount(markedCount)} marked as a preset`}
			titleNotes={[profileNote]}
			note={shown === undefined ? unknownText : countsText(shown)}
			isSavingCancelable
			onSave={save}
		/>
	);
}

/** Marks of agents do not concern abilities. */
const marksOf = ({screen, views}: Screens): ReadonlySet<number> => (screen === 'agents' ? noMarks : views[screen]).marks;

/** Returns the states of the marked rows' installed abilities, or of all if no row is marked, as a preset. */
function takeMarked(session: ServiceSession, screens: Screens, name: string, installed: readonly InstalledAbility[]) {
	const marks = marksOf(screens);
	const installedOf = installedLookup(installed);
	const isMarked = ({id}: {readonly id: number}): boolean => marks.size === 0 || marks.has(id);
	const chosen =
		marks.size === 0 || screens.screen === 'installed'
			? installed.filter(record => isMarked(record))
			: (session.records.seen('abilities') ?? [])
					.filter(ability => isMarked(ability))
					.map(ability => installedOf(ability))
					.filter(record => record !== undefined);
	const intents = session.changes.queue.intents('installed', 'enabled');
	return {
		count: chosen.length,
		...takePreset(
			name,
			chosen.map(record => ({id: record.id, name: record.name, isEnabled: isShownEnabled(record, intents)})),
		),
	};
}

/** Returns a function that puts a former preset back in place of another one, unless somebody has changed that since. */
const replacement = (presets: Presets, present: Preset, before: Preset): ReversibleStep => ({
	what: `the preset ${present.name}`,
	async takeBack() {
		await presets.save(before, {isReplacing: true, expected: present});
		return {text: `the preset ${before.name} holds ${countsText(before)} again.`, reverse: replacement(presets, before, present)};
	},
});

/** Returns a sentence about each group of abilities that a new preset does not hold, with a space before it. */
function leftOutText(leftOut: readonly LeftOut[]): string {
	const namesOf = (wanted: LeftOut['reason']): readonly string[] => leftOut.filter(({reason}) => reason === wanted).map(({name}) => name);
	const [unknown, shared] = [namesOf('unknown-state'), namesOf('shared-name')];
	return [
		unknown.length === 0
			? ''
			: ` ${subjectOf(unknown, ['is', 'are'])} left out: this service doesn't show whether ${unknown.length === 1 ? 'it is' : 'they are'} on.`,
		shared.length === 0 ? '' : ` ${subjectOf(shared, ['is', 'are'])} left out: several have the name.`,
	].join('');
}
