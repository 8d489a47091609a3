import {useMemo, type ReactElement} from 'react';
import stringWidth from 'string-width';
import {categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import type {SwitchboardError} from '../../../interface/errors.ts';
import {abilityLookup, absenceCheck, installedLookup, newestChange, stateWord} from '../../../interface/installed-lookup.ts';
import {stringifyJson, type JsonValue} from '../../../interface/json.ts';
import {goneText} from '../../../interface/lists.ts';
import type {Ability, InstalledAbility} from '../../../interface/records.ts';
import type {Timer} from '../../../interface/timers.ts';
import {age, clock} from '../../../words/age.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {isShownEnabled} from '../../hooks/switching.ts';
import {
	useAbilities,
	useAbility,
	useAgentNames,
	useChangers,
	useInstalled,
	useToggle,
	type InstalledState,
} from '../../hooks/use-resource.ts';
import type {ActionName} from '../../../words/key-table.ts';
import {hintOf, keyName, runAction, scrollHints, searchHints} from '../../../words/keymap.ts';
import {withMark} from '../../../words/signs.ts';
import type {TimeZone} from '../../../words/time-zone.ts';
import {timerText} from '../../../words/timer-words.ts';
import {stateTone, type Tone} from '../../theme.ts';
import {moveOf, paneMoveOf} from '../../state/list-state.ts';
import {Notice} from '../../widgets/notice.tsx';
import {detailLines, labelColumnsOf, ScrollText, searchedText, type DetailField} from '../../widgets/scroll-text.tsx';
import {useLastKnown, useRememberedState, useTextScroll} from '../../widgets/text-scroll.ts';
import {useTextSearch} from '../../widgets/text-search.ts';
import {actOnSwitches, sayNotSwitched} from '../act-on-switches.ts';
import {DetailFrame, detailLayoutOf, useProfileNote} from '../detail-frame.tsx';
import {useOpenedKeys} from '../opened-keys.ts';
import {useAbilityActions, useInstalledActions} from './ability-actions.ts';

/** The opened record: an ability, or an installed record with its ability. */
type Opened = {readonly resource: 'abilities' | 'installed'; readonly id: number};

/** Draws one ability or one installed record: the known fields at the top, the others folded below. */
export function AbilityScreen(opened: Opened): ReactElement {
	const {resource, id} = opened;
	const ui = useUiServices();
	const {keymap, isReadOnly} = ui;
	const profileNote = useProfileNote();
	const state = useAppState();
	const {columns} = state.size;
	const shown = useOpenedAbility(opened);
	const {record, ability, installed, isReading, error} = shown;
	const name = useLastKnown('name', record?.name) ?? `#${id}`;
	const toggle = useToggle();
	const actOnAbility = useAbilityActions();
	const actOnInstalled = useInstalledActions();
	const [isUnfolded, setUnfolded] = useRememberedState('unfolded', false);
	const changerOf = useChangers();
	const changedBy = changerOf(resource, id, state.now) || (installed === undefined ? '' : changerOf('installed', installed.id, state.now));
	const {known, other} = abilityFields({...shown, resource, now: state.now, timeZone: ui.timeZone});
	// The title may cut a long name.
	const whole = stringWidth(name) > columns / 3 ? [{label: 'Name', text: name}] : [];
	const fields = [...(known.length === 0 ? [] : whole), ...known, ...folded(other, isUnfolded, keyName(keymap, 'open'))];
	const lines = detailLines(fields, columns - 2);
	const {bodyRows} = detailLayoutOf(state);
	const scroll = useTextScroll(lines.length, bodyRows);
	const search = useTextSearch(
		lines.map(line => searchedText(line)),
		scroll,
	);
	const {top, move, position} = scroll;

	const actOnRecord = (action: ActionName): boolean =>
		resource === 'abilities' ? actOnAbility(action, ability, []) : actOnInstalled(action, installed, []);

	const actOnState = (action: ActionName): boolean =>
		actOnSwitches(action, {
			ui,
			toggle,
			markedIds: undefined,
			record: installed,
			sayNoRecord() {
				sayNotSwitched(ui, shown.installedList, {name, ability});
			},
		});

	const act = (action: ActionName): boolean => {
		const step = moveOf(action) ?? paneMoveOf(action);
		if (step !== undefined) {
			move(step);
			return true;
		}

		return (
			runAction(
				{
					open() {
						setUnfolded(before => !before);
					},
					refresh: shown.refresh,
					'copy-id'() {
						void ui.copy(String(id), `the id of ${name}`);
					},
				},
				action,
			) ||
			actOnState(action) ||
			actOnRecord(action)
		);
	};

	useOpenedKeys({screen: resource, search, act});

	const reading = isReading ? 'reading…' : error === undefined ? '' : withMark('error', 'as the list has it');
	const writes: readonly ActionName[] =
		resource === 'installed'
			? ['toggle', 'edit-installed', 'uninstall']
			: [installed === undefined ? 'install' : 'toggle', 'edit-ability', 'delete'];
	const hints = search.isActive
		? searchHints(keymap, search)
		: [
				{key: 'esc', label: 'back'},
				...(isReadOnly || record === undefined ? [] : writes).map(action => hintOf(keymap, action)),
				...scrollHints(keymap, position),
				other.length === 0 ? undefined : hintOf(keymap, 'open', isUnfolded ? 'fewer fields' : `${other.length} more`),
				hintOf(keymap, 'copy-id'),
				hintOf(keymap, 'help'),
				record === undefined ? undefined : hintOf(keymap, 'talk'),
			];
	// The key d deletes an ability and uninstalls an installed record.
	const kind = columns < 60 ? '' : resource === 'installed' ? 'installed' : 'ability';
	return (
		<DetailFrame
			title={name}
			notes={[
				kind,
				search.statusWithin(Math.floor(columns / 2)),
				reading,
				changedBy === '' ? '' : `changed ${changedBy}`,
				profileNote,
				position,
			]}
			hints={hints}
		>
			{lines.length === 0 ? (
				<Notice
					width={columns}
					height={bodyRows}
					tone={error === undefined ? 'secondary' : 'error'}
					title={error === undefined ? (isReading ? 'Reading it…' : goneText(resource, name)) : withMark('error', error.message)}
					hint={error === undefined ? undefined : `${keyName(ui.keymap, 'refresh')} tries again.`}
				/>
			) : (
				<ScrollText lines={lines} labelColumns={labelColumnsOf(fields, columns - 2)} top={top} height={bodyRows} partsIn={search.partsIn} />
			)}
		</DetailFrame>
	);
}

/** Returns an ability and its installed record, from the one that was opened. */
function useOpenedAbility({resource, id}: Opened) {
	const abilities = useAbilities();
	const installedList = useInstalled();
	const abilityOf = useMemo(() => abilityLookup(abilities.records ?? []), [abilities.records]);
	const installedOf = useMemo(() => installedLookup(installedList.records ?? []), [installedList.records]);
	const opened = resource === 'installed' ? installedList.records?.find(record => record.id === id) : undefined;
	const {ability, isReading, error, refresh} = useAbility(resource === 'abilities' ? id : opened && abilityOf(opened)?.id, abilities);
	const installed = resource === 'installed' ? opened : ability && installedOf(ability);
	return {
		/** The opened record; `undefined` if it is not known, or gone. */
		record: resource === 'installed' ? installed : ability,
		ability,
		installed,
		installedList,
		state: stateOf(ability, installed, installedList),
		agents: useAgentNames(true).textOf(ability?.id ?? installed?.abilityId),
		isReading,
		/** The reason why the single record could not be read. */
		error,
		refresh() {
			refresh();
			void abilities.refresh();
			void installedList.refresh();
		},
	};
}

/** Whether it is installed, and its state on the screen. */
type ShownState = {readonly text: string; readonly tone: Tone; readonly timer?: Timer | undefined};

/** Returns whether it is installed, and its state on the screen. */
function stateOf(
	ability: Ability | undefined,
	record: InstalledAbility | undefined,
	{records, error, intents, timerOf}: InstalledState,
): ShownState {
	if (record !== undefined) {
		const isEnabled = isShownEnabled(record, intents);
		const word = stateWord(isEnabled);
		const timer = timerOf(record);
		return intents.has(record.id) ? {text: `${word}~ saving…`, tone: 'pending', timer} : {text: word, tone: stateTone(isEnabled), timer};
	}

	if (records === undefined) {
		return {
			text: error === undefined ? 'reading the installed abilities…' : withMark('warning', 'the installed abilities could not be read'),
			tone: 'warning',
		};
	}

	if (ability === undefined) {
		return {text: 'not installed', tone: 'off'};
	}

	// Some services say that an ability is installed, but their records share neither id nor name.
	if (ability.isInstalled === true) {
		return {text: "installed, but this service doesn't say as which record", tone: 'off'};
	}

	return {text: absenceCheck(records)(ability) ? 'not installed' : "perhaps installed: this service doesn't show it", tone: 'off'};
}

type ShownAbility = {
	readonly resource: 'abilities' | 'installed';
	/** `undefined` if the service does not list the ability of an installed record. */
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
	readonly state: ShownState;
	readonly agents: string;
	/** The reason why the single record could not be read. */
	readonly error: SwitchboardError | undefined;
	readonly now: number;
	readonly timeZone: TimeZone;
};

type LabelledField = Extract<DetailField, {readonly label: string}>;

/**
Returns all fields of an ability and of its installed record, each value once: first the known fields, the most useful at the top, then all
other fields that the service returned.
*/
function abilityFields(shown: ShownAbility): {readonly known: readonly DetailField[]; readonly other: readonly DetailField[]} {
	const {resource, ability, installed, state, agents, error, now, timeZone} = shown;
	const record = resource === 'installed' ? installed : ability;
	if (record === undefined) {
		return {known: [], other: []};
	}

	const inForce = inForceOf(ability, installed);
	const otherId =
		resource === 'installed'
			? {label: 'Ability id', text: String(ability?.id ?? installed?.abilityId ?? '')}
			: {label: 'Installed id', text: String(installed?.id ?? '')};
	const known: readonly LabelledField[] = [
		...(error === undefined ? [] : [{label: 'Not read', text: withMark('error', error.message), tone: 'error' as const}]),
		{label: 'State', text: state.text, tone: state.tone},
		{label: 'Timer', text: state.timer === undefined ? '' : timerText(state.timer, timeZone, 'all')},
		{label: 'Id', text: String(record.id)},
		{label: 'Phrases', text: inForce.phrases?.length === 0 ? 'none' : (inForce.phrases?.join(', ') ?? '')},
		{label: 'Agents', text: agents},
		{label: 'Description', text: ability?.description.trim() ?? ''},
		{label: 'Category', text: categoryText(inForce.category)},
		{label: 'Changed', text: timeText(inForce.changedAt, now, timeZone)},
		{label: 'Versions', text: ability === undefined ? '' : versionsText(ability)},
		otherId,
	];
	return {known: known.filter(({text}) => text !== ''), other: otherFields(shown, record.name, inForce)};
}

/** Returns the installed record's values if it has them, else the ability's. */
const inForceOf = (ability: Ability | undefined, installed: InstalledAbility | undefined) => ({
	category: [installed, ability].map(record => record?.category ?? '').find(category => category !== '') ?? '',
	phrases: phrasesOf(installed) ?? phrasesOf(ability),
	changedAt: newestChange(installed, ability),
});

function phrasesOf(record: Ability | InstalledAbility | undefined): readonly string[] | undefined {
	const value = record?.raw['trigger_words'];
	return record === undefined || value === undefined || (record.triggerPhrases.length === 0 && !isEmptyValue(value))
		? undefined
		: record.triggerPhrases;
}

const isEmptyValue = (value: JsonValue): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0);

const categoryText = (category: string): string =>
	isCategory(category) ? `${categoryLabel(category)}: ${categoryMeanings[category]}` : category;

function timeText(changedAt: number | undefined, now: number, {zone}: TimeZone): string {
	if (changedAt === undefined) {
		return '';
	}

	const ago = age(changedAt, now);
	return `${clock(changedAt, 0, zone)}, ${ago === 'now' ? 'just now' : `${ago} ago`}`;
}

const versionsText = ({versions}: Ability): string =>
	versions
		.map(
			({version, isEnabled, isCommitted}) =>
				`${version || '–'}${isEnabled === true ? ' (in use)' : isCommitted === false ? ' (draft)' : ''}`,
		)
		.join(', ');

/**
Returns the fields of records that the screens do not show elsewhere: under the service's names, cleaned, each field once. If two
records differ in a field, both values are labelled.
*/
function otherFields(
	{ability, installed}: ShownAbility,
	shownName: string,
	inForce: ReturnType<typeof inForceOf>,
): readonly LabelledField[] {
	const fields = (
		[
			['installed', installed, ability],
			['ability', ability, installed],
		] as const
	).flatMap(([label, record, other]) => {
		if (record === undefined) {
			return [];
		}

		const {name: ownName, category, triggerPhrases, changedAt} = record;
		/** Whether a field is shown with this record's value. */
		const isShown = new Map<string, boolean>(
			Object.entries({
				name: ownName === shownName,
				category: category === inForce.category,
				trigger_words: triggerPhrases.length > 0 && triggerPhrases.join('\n') === inForce.phrases?.join('\n'),
				last_updated: changedAt !== undefined && changedAt === inForce.changedAt,
				...(record === ability && {capability_versions: ability.versions.length > 0}),
			}),
		);
		return Object.entries(record.raw)
			.filter(
				([name, value]) => !shownFields[label].has(name) && !(isShown.get(name) ?? false) && !(isShown.has(name) && isEmptyValue(value)),
			)
			.map(([name, value]) => {
				const text = textOf(value);
				const otherValue = other?.raw[name];
				const isLabelled = otherValue !== undefined && textOf(otherValue) !== text;
				return {label: (cleanText(name, 60) || '–') + (isLabelled ? ` (${label})` : ''), text};
			});
	});
	return [...new Map(fields.map(field => [`${field.label}\n${field.text}`, field])).values()];
}

function textOf(value: JsonValue): string {
	if (value === null || value === '') {
		return '–';
	}

	return typeof value === 'string' ? cleanText(value, maximumLength) : cleanText(stringifyJson(value, 0), maximumLength);
}

/** Returns the fields that the screens do not understand, under a heading with their number. */
const folded = (other: readonly DetailField[], isUnfolded: boolean, key: string): readonly DetailField[] =>
	other.length === 0
		? []
		: [{heading: `Other fields (${other.length})${isUnfolded ? '' : `: ${key} shows them`}`}, ...(isUnfolded ? other : [])];

/** The fields of a record that are shown elsewhere in any case, by its kind. */
const shownFields = {
	installed: new Set(['id', 'installed_cap_id', 'capability_id', 'enabled', 'timer']),
	// The linked keys are shown nowhere.
	ability: new Set(['id', 'capability_id', 'description', 'is_installed', 'selected_keys']),
};

const maximumLength = 2000;
