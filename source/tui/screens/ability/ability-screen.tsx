import {useMemo, type ReactElement} from 'react';
import stringWidth from 'string-width';
import {abilityLookup, absenceCheck, installedLookup, stateWord} from '../../../interface/installed-lookup.ts';
import {goneText} from '../../../interface/lists.ts';
import type {Ability, InstalledAbility} from '../../../interface/records.ts';
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
import {stateTone} from '../../theme.ts';
import {moveOf, paneMoveOf} from '../../state/list-state.ts';
import {Notice} from '../../widgets/notice.tsx';
import {detailLines, labelColumnsOf, ScrollText, searchedText, type DetailField} from '../../widgets/scroll-text.tsx';
import {useLastKnown, useRememberedState, useTextScroll} from '../../widgets/text-scroll.ts';
import {useTextSearch} from '../../widgets/text-search.ts';
import {actOnSwitches} from '../act-on-switches.ts';
import {DetailFrame, detailLayoutOf, TitleLine, useProfileNote} from '../detail-frame.tsx';
import {useOpenedKeys} from '../opened-keys.ts';
import {useAbilityActions, useInstalledActions} from './ability-actions.ts';
import {abilityFields, type ShownState} from './ability-fields.ts';

/** The opened record: an ability, or an installed record with the ability that it belongs to. */
type Opened = {readonly resource: 'abilities' | 'installed'; readonly id: number};

/** Whether it is installed and its state, as the screen shows them. `isAbsent` if it is surely not installed. */
const stateOf = (
	ability: Ability | undefined,
	record: InstalledAbility | undefined,
	{records, error, intents}: InstalledState,
): ShownState & {readonly isAbsent?: boolean} => {
	if (record !== undefined) {
		const isEnabled = isShownEnabled(record, intents);
		const word = stateWord(isEnabled);
		return intents.has(record.id) ? {text: `${word}~ saving…`, tone: 'pending'} : {text: word, tone: stateTone(isEnabled)};
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

	const isAbsent = absenceCheck(records)(ability);
	return {text: isAbsent ? 'not installed' : "perhaps installed: this service doesn't show it", tone: 'off', isAbsent};
};

/** An ability and its installed record, from the one that was opened. */
const useOpenedAbility = ({resource, id}: Opened) => {
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
		state: stateOf(ability, installed, installedList),
		agents: useAgentNames(true).textOf(ability?.id ?? installed?.abilityId),
		isReading,
		/** Why the single record could not be read. */
		error,
		refresh() {
			refresh();
			void abilities.refresh();
			void installedList.refresh();
		},
	};
};

/** The fields that the screens do not understand, under a heading with their count. */
const folded = (other: readonly DetailField[], isUnfolded: boolean, key: string): readonly DetailField[] =>
	other.length === 0
		? []
		: [{heading: `Other fields (${other.length})${isUnfolded ? '' : `: ${key} shows them`}`}, ...(isUnfolded ? other : [])];

/** One ability or one installed record: the known fields at the top, the others folded below. */
export const AbilityScreen = (opened: Opened): ReactElement => {
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
	const {known, other} = abilityFields({...shown, resource, now: state.now});
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

	const sayNoRecord = (): void => {
		if (shown.state.isAbsent) {
			ui.say('info', `${name} is not installed: ${keyName(keymap, 'install')} installs it.`);
		} else {
			ui.say('info', `Nothing to switch: ${name} is ${shown.state.text}.`);
		}
	};

	const actOnRecord = (action: ActionName): boolean =>
		resource === 'abilities' ? actOnAbility(action, ability, []) : actOnInstalled(action, installed, []);

	const actOnState = (action: ActionName): boolean =>
		actOnSwitches(action, {ui, toggle, markedIds: undefined, record: installed, sayNoRecord});

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
						void ui.copy(String(id), `The id of ${name}`);
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
			? ['toggle', 'edit-phrases', 'uninstall']
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
			].filter(hint => hint !== undefined);
	// The key d deletes one and uninstalls the other.
	const kind = columns < 60 ? '' : resource === 'installed' ? 'installed' : 'ability';
	return (
		<DetailFrame
			head={
				<TitleLine
					title={name}
					notes={[
						kind,
						search.statusWithin(Math.floor(columns / 2)),
						reading,
						changedBy === '' ? '' : `changed ${changedBy}`,
						profileNote,
						position,
					]}
				/>
			}
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
};
