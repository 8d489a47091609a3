import cliTruncate from 'cli-truncate';
import {useEffect, useEffectEvent, useMemo, type ReactElement} from 'react';
import stringWidth from 'string-width';
import {errorText, toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import {formatCount} from '../../interface/format-count.ts';
import {cleanName} from '../../interface/records.ts';
import {timeOf, type TimerTime} from '../../interface/timers.ts';
import {atClock} from '../../words/timer-times.ts';
import type {Preset} from '../../settings/presets.ts';
import {createPresetPlanner, type PresetPlan} from '../../state/preset.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import {isShownEnabled} from '../hooks/switching.ts';
import {useInstalled, useToggle, type InstalledState} from '../hooks/use-resource.ts';
import {hintOf, keyName} from '../../words/keymap.ts';
import {withMark} from '../../words/signs.ts';
import {spokenText} from '../../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {useRememberedState} from '../widgets/text-scroll.ts';
import {fit} from '../../terminal/wrap.ts';
import {actOnHistory} from './act-on-switches.ts';
import {askQuestion} from './confirm.tsx';
import {useProfileNote} from './detail-frame.tsx';
import {refreshHint} from './list/list-notice.tsx';
import {ListOverlay, numberOf, overlayLine, rowNumber, rowStart} from './list-overlay.tsx';
import {PlanScreen} from './plan-screen.tsx';
import {refuseChange} from './refuse-change.ts';

/** Returns counts such as “3 on, 9 off”. */
export function countsText({on, off}: Pick<Preset, 'on' | 'off'>): string {
	return `${formatCount(on.length)} on, ${formatCount(off.length)} off`;
}

/** Returns a few names, or their number, with the verb that fits. */
export function subjectOf(names: readonly string[], [one, many]: readonly [string, string]): string {
	const subject = names.length > 3 ? formatCount(names.length) : names.map(name => cleanName(name)).join(', ');
	return `${subject} ${names.length === 1 ? one : many}`;
}

/** Draws the changes of a preset, with the question whether to make them. */
export function PresetScreen({preset}: {readonly preset: Preset}): ReactElement {
	const {store, keymap, timeZone} = useUiServices();
	const screen = useAppState(state => state.screen);
	const toggle = useToggle();
	const {planOf, installed, failure} = usePresetPlans();
	const plan = planOf?.(preset);

	const apply = (time?: TimerTime & {readonly note: string}): void => {
		// The rows show the outcome, but the Agents screen has none for it.
		store.dispatch({type: 'show-screen', screen: screen === 'agents' ? 'installed' : screen});
		const targets = plan!.targets.map(target => ({...target, timer: time && {...time, enabled: !target.isEnabled}}));
		const back = time === undefined ? '' : ` They switch back ${atClock(timeOf(time), {now: Date.now(), ...timeZone})}.`;
		toggle.applyPreset(preset.name, targets, {
			note: `${back}${leftAloneText(plan!)}`,
			undoText: ` ${keyName(keymap, 'undo')} undoes this.`,
		});
	};

	return (
		<PlanScreen
			title={`Preset ${preset.name}`}
			question={`Apply ${preset.name}?`}
			subject={preset.name}
			noun="preset"
			asked={preset}
			plan={plan && {changes: plan.changes, warnings: warningsOf(plan), summary: summaryOf(plan, installed)}}
			reading="Reading the installed abilities…"
			failure={failure && {text: `The installed abilities could not be read. ${failure.message}`, hint: refreshHint(failure, keymap)}}
			onRefresh={() => void installed.refresh()}
			onApply={() => apply()}
			onApplyUntil={apply}
		/>
	);
}

/**
Compares presets with the installed abilities on the screen; `undefined` until the list was read in this run, because an earlier list may be
out of date.
*/
function usePresetPlans() {
	const installed = useInstalled();
	const {records, intents, isFromEarlierRun, error, isReading} = installed;
	const planOf = useMemo(
		() =>
			records === undefined || isFromEarlierRun
				? undefined
				: createPresetPlanner(records.map(record => ({id: record.id, name: record.name, isEnabled: isShownEnabled(record, intents)}))),
		[records, intents, isFromEarlierRun],
	);
	return {installed, planOf, failure: isReading ? undefined : error};
}

/** Returns a line for each name that a preset leaves as it is. */
const warningsOf = ({missing, shared}: PresetPlan): readonly string[] => [
	...missing.map(name => `${cleanName(name)}: not installed`),
	...shared.map(({name, ids}) => `${cleanName(name)}: the name of several (${ids.slice(0, 10).join(', ')})`),
];

/** Returns a sentence about each group of names that a preset leaves as they are, with a space before it. */
const leftAloneText = ({missing, shared}: PresetPlan): string =>
	[
		missing.length === 0 ? '' : ` ${subjectOf(missing, ['is', 'are'])} not installed.`,
		shared.length === 0
			? ''
			: ` ${subjectOf(
					shared.map(({name}) => name),
					['is the name', 'are the names'],
				)} of several, which were left alone.`,
	].join('');

const summaryOf = ({changes, targets}: PresetPlan, {isComplete}: InstalledState): string =>
	[
		changes.length === 0 ? 'Nothing to change' : `${formatCount(changes.length)} to change`,
		`${formatCount(targets.length - changes.length)} unchanged`,
		...(isComplete ? [] : ['the list is not complete']),
	].join(', ');

const changeColumns = 12;

const gap = '  ';

type PresetsState = {
	/** `undefined` until they are read, and if they cannot be. */
	readonly presets?: readonly Preset[];
	readonly error?: SwitchboardError;
};

const unread: PresetsState = {};

const noPresets: readonly Preset[] = [];

/** The key that saves a preset; all other keys have their usual actions. */
const saveKey = 's';

/** Draws the presets of the current service: Enter opens one, `s` saves the present states as another. */
export function PresetsScreen(): ReactElement {
	const ui = useUiServices();
	const {keymap, isReadOnly} = ui;
	const session = useServiceSession();
	const toggle = useToggle();
	const {columns} = useAppState().size;
	const profileNote = useProfileNote();
	// Presets of an earlier visit are shown at once and then read again.
	const [{presets, error}, setState] = useRememberedState('presets', unread);
	const rows = presets ?? noPresets;
	const isUnread = presets === undefined && error === undefined;
	const {planOf, installed, failure} = usePresetPlans();
	const ids = useMemo(() => [...rows.keys()], [rows]);
	const nameColumns = useMemo(() => Math.max(0, ...rows.map(({name}) => stringWidth(name))), [rows]);

	const read = async (): Promise<void> => {
		let next: PresetsState;
		try {
			next = {presets: await ui.presets().list()};
		} catch (error_) {
			next = {error: toSwitchboardError(error_)};
		}

		setState(() => next);
	};

	const readAgain = useEffectEvent(read);
	// Undo and redo, which report when they are done, may change them.
	const messageId = useAppState(state => state.messages.shown?.id);
	useEffect(() => {
		void readAgain();
	}, [messageId]);

	const remove = async (preset: Preset): Promise<void> => {
		const {name} = preset;
		try {
			const store = ui.presets();
			if (await store.remove(name)) {
				session.changes.undoHistory.begin(`Still deleting the preset ${name}.`)({
					what: `the deletion of the preset ${name}`,
					async takeBack() {
						await store.save(preset, {isReplacing: false});
						return {text: `the preset ${name} holds ${countsText(preset)} again.`, reverse: undefined};
					},
				});
				ui.say('info', `Deleted the preset ${name}. ${keyName(keymap, 'undo')} brings it back.`);
			} else {
				ui.say('info', `The preset ${name} was deleted already.`);
			}
		} catch (error_) {
			ui.say('error', errorText(toSwitchboardError(error_)));
		}

		await read();
	};

	const open = (preset: Preset): void => ui.store.dispatch({type: 'open', overlay: {kind: 'preset', preset}});

	const askToRemove = (preset: Preset): void => {
		askQuestion(ui, {
			question: `Delete the preset ${preset.name}?`,
			details: [`It holds ${countsText(preset)}. ${keyName(keymap, 'undo')} brings it back.`],
			yes: 'delete',
			onYes() {
				void remove(preset);
			},
		});
	};

	return (
		<ListOverlay
			title="Presets"
			notes={[profileNote]}
			action="presets"
			ids={ids}
			isLoading={isUnread}
			notice={
				error === undefined
					? isUnread
						? {tone: 'secondary', title: 'Reading the presets…'}
						: {
								tone: 'plain',
								title: 'No presets yet.',
								hint: isReadOnly ? '' : `${saveKey} saves which abilities are on and off now, or only the marked ones.`,
							}
					: {tone: 'error', title: withMark('error', error.message), hint: error.nextStep ?? `${keyName(keymap, 'refresh')} tries again.`}
			}
			openLabel={isReadOnly ? 'show' : 'apply'}
			hints={isReadOnly ? [] : [{key: saveKey, label: 'save'}, rows.length === 0 ? undefined : hintOf(keymap, 'delete', 'delete')]}
			lineOf={(row, isCursor) =>
				presetLine(rows[row]!, {
					number: rowNumber(row),
					plan: planOf?.(rows[row]!) ?? (failure === undefined ? 'reading…' : 'unknown'),
					isCursor,
					width: columns,
					nameColumns,
				})
			}
			onOpen={row => open(rows[row]!)}
			onKey={({name}, row) => {
				const preset = rows[row];
				const numbered = rows[numberOf(name) - 1];
				const action = keymap.actionOf(name, ['list']);
				if (numbered !== undefined) {
					open(numbered);
					return true;
				}

				if (action !== undefined && actOnHistory(action, ui, toggle)) {
					return true;
				}

				if (action === 'refresh') {
					void read();
					void installed.refresh();
				} else if (name !== saveKey && !keymap.keysOf('delete').includes(name)) {
					return false;
				} else if (refuseChange(ui)) {
					return true;
				} else if (name === saveKey) {
					ui.store.dispatch({type: 'open', overlay: {kind: 'preset-name'}});
				} else if (preset !== undefined) {
					askToRemove(preset);
				}

				return true;
			}}
		/>
	);
}

type PresetLineOptions = {
	/** The digit that opens it, and a blank. */
	readonly number: string;
	/** The reason if there is none. */
	readonly plan: PresetPlan | 'reading…' | 'unknown';
	readonly isCursor: boolean;
	readonly width: number;
	readonly nameColumns: number;
};

/**
Returns a preset on one line: its digit, its name, the number of changes that it would make now, its numbers of states, and the number of names that it
leaves as they are.
*/
function presetLine(preset: Preset, {number, plan, isCursor, width, nameColumns}: PresetLineOptions) {
	const {changes, missing, shared} = typeof plan === 'string' ? {changes: [], missing: [], shared: []} : plan;
	const change = typeof plan === 'string' ? plan : changes.length === 0 ? 'no change' : `${formatCount(changes.length)} to change`;
	const leftAlone = [
		...(missing.length === 0 ? [] : [`${formatCount(missing.length)} not installed`]),
		...(shared.length === 0 ? [] : [`${formatCount(shared.length)} unclear`]),
	];
	// The rest of a usual row must fit.
	const start = rowStart + number.length;
	const name = fit(preset.name, Math.min(nameColumns, Math.max(8, width - start - changeColumns - 12 - 2 * gap.length)));
	const rest = ['', change.padEnd(changeColumns), countsText(preset), ...(leftAlone.length === 0 ? [] : [leftAlone.join(', ')])].join(gap);
	return overlayLine(
		isCursor,
		[[number, theme.accent], [name], [cliTruncate(rest, Math.max(0, width - start - name.length)), theme.secondary]],
		spokenText(`${number}${preset.name}`.trim(), change, countsText(preset), ...leftAlone),
		width,
	);
}
