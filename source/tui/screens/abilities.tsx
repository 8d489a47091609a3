import {useMemo, type ReactElement} from 'react';
import {useIsScreenReaderEnabled} from 'ink';
import {abilityLookup, absenceCheck, installedLookup, newestChange, stateWord} from '../../interface/installed-lookup.ts';
import type {Ability, InstalledAbility} from '../../interface/records.ts';
import type {Timer} from '../../interface/timers.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {isShownEnabled, reasonText} from '../hooks/switching.ts';
import {useAbilities, useAgentNames, useInstalled, useToggle, type InstalledState} from '../hooks/use-resource.ts';
import type {ActionName} from '../../words/key-table.ts';
import {keyName} from '../../words/keymap.ts';
import {parseFilter} from '../../interface/filter.ts';
import {hasWholeParts, layoutOf} from '../state/layout.ts';
import type {ScreenName} from '../state/view.ts';
import {barWidth} from '../widgets/row.ts';
import {useAbilityActions, useInstalledActions} from './ability/ability-actions.ts';
import {actOnSwitches, sayNotSwitched} from './act-on-switches.ts';
import {abilityRowColumns, abilityDetails, abilityHead, abilityLine, agentsCell, categoryCell} from './list/ability-row.ts';
import {ListScreen, type ListScreenProps} from './list/list-screen.tsx';
import {nothingSelected} from './refuse-change.ts';

/** Draws the installed abilities. */
export function InstalledScreen(): ReactElement {
	const {keymap} = useUiServices();
	const installed = useInstalled();
	const {records} = installed;
	const areAgentsWanted = useAreAgentsWanted('installed', records);
	const hasParts = useHasParts(records);
	const areTimesWanted = useAreTimesWanted();
	const agentNames = useAgentNames(areAgentsWanted || hasParts);
	// In other lists only the name of a record leads to its ability, and so to its agents.
	const abilities = useAbilities(
		hasParts ||
			areTimesWanted ||
			(areAgentsWanted && agentNames.areShown === true && records?.some(({abilityId}) => abilityId === undefined) === true),
	);
	const abilityOf = useMemo(() => abilityLookup(abilities.records ?? []), [abilities.records]);
	return (
		<SwitchList
			screen="installed"
			plural="installed abilities"
			emptyHint={`${keyName(keymap, 'abilities')} lists all abilities.`}
			counts={installedCounts(installed)}
			resource={installed}
			installed={installed}
			installedOf={record => record}
			abilityOf={abilityOf}
			agentNames={agentNames}
			agentsOf={record => agentNames.of(abilityOf(record)?.id ?? record.abilityId)}
			tiesKey={`${agentNames.key} ${abilities.records?.length}`}
			isInstalled={() => true}
			sayNotInstalled={() => undefined}
			act={useInstalledActions()}
		/>
	);
}

/**
Tells whether rows need the names of agents: for display, or because the order, the filter or the outcome of a sentence depends on them. As
with the times below, a move of the cursor changes nothing here, so that the rows are not made again.
*/
function useAreAgentsWanted(screen: ScreenName, {length: count}: readonly unknown[] = []): boolean {
	const doesViewNeedThem = useAppState(
		({
			views: {
				[screen]: {filter, sort},
			},
		}) => sort.column === 'agents' || parseFilter(filter).dependsOnAgents,
	);
	const hasSentence = useAppState(({sentence}) => sentence !== '');
	const listColumns = useAppState(state => layoutOf(state).listColumns);
	const isColumnSeen = !useIsScreenReaderEnabled() && count > 0 && abilityRowColumns(listColumns).agents > 0;
	return isColumnSeen || hasSentence || doesViewNeedThem;
}

/** Tells whether rows of Installed need the times of their abilities; otherwise those count once they are read. */
function useAreTimesWanted(): boolean {
	return useAppState(
		({
			views: {
				installed: {filter, sort},
			},
		}) => sort.column === 'changed' || parseFilter(filter).dependsOnTimes,
	);
}

/** Tells whether the quiet parts describe a row: then its agents and its description are worth reading. */
function useHasParts(records: readonly unknown[] = []): boolean {
	const isScreenReader = useIsScreenReaderEnabled();
	return useAppState(state => hasWholeParts(state, records.length)) && !isScreenReader;
}

type OwnListProps = 'screen' | 'plural' | 'emptyHint' | 'counts' | 'resource' | 'tiesKey' | 'areStatesRead';

type SwitchListProps<Record_ extends Ability | InstalledAbility> = Pick<ListScreenProps<Record_>, OwnListProps> & {
	readonly installed: InstalledState;
	/** The installed record that a row switches. */
	readonly installedOf: (record: Record_) => InstalledAbility | undefined;
	/** The ability of an installed record, if it was read. */
	readonly abilityOf?: (record: Record_) => Ability | undefined;
	readonly agentNames: Pick<ReturnType<typeof useAgentNames>, 'areShown'>;
	readonly agentsOf: (record: Record_) => readonly string[] | undefined;
	/** False for an ability that is certainly not installed; `undefined` if it is not known. */
	readonly isInstalled: (record: Record_) => boolean | undefined;
	/** Says why a row without an installed record cannot be switched. */
	readonly sayNotInstalled: (record: Record_) => void;
	readonly act: (action: ActionName, record: Record_ | undefined, marked: readonly Record_[]) => boolean;
};

/** Draws a list of abilities with their states: Space switches the ability under the cursor, E and D switch all marked ones. */
function SwitchList<Record_ extends Ability | InstalledAbility>(props: SwitchListProps<Record_>): ReactElement {
	const {installed, installedOf, abilityOf, agentNames, agentsOf, isInstalled, sayNotInstalled, act, ...list} = props;
	const ui = useUiServices();
	const toggle = useToggle();
	const listColumns = useAppState(state => layoutOf(state).listColumns);
	const now = useAppState(state => state.now);
	const hasAgents = agentNames.areShown !== false;
	const columns = useMemo(
		() => ({...abilityRowColumns(listColumns, hasAgents), width: barWidth(listColumns, ui.isColorless)}),
		[listColumns, hasAgents, ui],
	);
	const {intents} = installed;
	const failureOf = (record: Record_) => toggle.failures.get(installedOf(record)?.id ?? -1);

	const isEnabled = (record: Record_): boolean | undefined => {
		const found = installedOf(record);
		return found && isShownEnabled(found, intents);
	};

	const stateOf = (record: Record_): string => {
		const isThere = isInstalled(record);
		if (isThere === true) {
			return stateWord(isEnabled(record));
		}

		return isThere === false
			? 'not installed'
			: installed.records === undefined
				? 'not known yet'
				: "perhaps installed: this service doesn't show it";
	};

	const timerOf = (record: Record_): Timer | undefined => {
		const found = installedOf(record);
		return found && installed.timerOf(found);
	};

	const changedAtOf = (record: Record_): number | undefined => newestChange(record, installedOf(record), abilityOf?.(record));

	return (
		<ListScreen
			{...list}
			head={abilityHead(columns, hasAgents)}
			toRowData={record => ({
				...record,
				changedAt: changedAtOf(record),
				isEnabled: isEnabled(record),
				hasFailed: failureOf(record) !== undefined,
				agents: agentsOf(record),
			})}
			installedIdOf={record => installedOf(record)?.id}
			eventsKey={[...toggle.failures.keys()].join(' ')}
			lineOf={(record, look) =>
				abilityLine({
					...look,
					record: {...record, changedAt: changedAtOf(record)},
					second: hasAgents
						? agentsCell(agentsOf(record), agentNames.areShown === true, record.category)
						: categoryCell(record.category, look.filter),
					columns,
					now,
					isEnabled: isEnabled(record),
					isInstalled: isInstalled(record),
					isPending: intents.has(installedOf(record)?.id ?? -1),
					timer: timerOf(record),
					timeZone: ui.timeZone,
					hasFailed: failureOf(record) !== undefined,
				})
			}
			detailsOf={record => {
				const failure = failureOf(record);
				return abilityDetails(
					{...record, changedAt: changedAtOf(record)},
					{
						state: stateOf(record),
						timer: timerOf(record),
						timeZone: ui.timeZone,
						now,
						failure: failure && reasonText(failure),
						ability: abilityOf?.(record),
						agents: agentsOf(record),
					},
				);
			}}
			onAction={(action, record, marked) =>
				act(action, record, marked) ||
				actOnSwitches(action, {
					ui,
					toggle,
					markedIds: marked.length === 0 ? undefined : marked.map(each => installedOf(each)?.id).filter(id => id !== undefined),
					record: record && installedOf(record),
					sayNoRecord() {
						if (record === undefined) {
							ui.say('info', nothingSelected, list.screen);
						} else {
							sayNotInstalled(record);
						}
					},
				})
			}
		/>
	);
}

/** Returns the number of abilities that are on, in a few words, with the number of unknown states if there are any. */
function installedCounts({records, enabledCount, hiddenCount}: InstalledState): string {
	if (records === undefined || records.length === 0) {
		return records === undefined ? '' : 'none installed';
	}

	return hiddenCount === 0
		? `${enabledCount} of ${records.length} on`
		: `${records.length} installed, ${enabledCount} on, ${hiddenCount} unknown`;
}

/** Draws all abilities, with the states of the installed ones. */
export function AbilitiesScreen(): ReactElement {
	const ui = useUiServices();
	const {keymap} = ui;
	const abilities = useAbilities();
	const installed = useInstalled();
	const agentNames = useAgentNames([useAreAgentsWanted('abilities', abilities.records), useHasParts(abilities.records)].includes(true));
	const installedOf = useMemo(() => installedLookup(installed.records ?? []), [installed.records]);
	const isAbsent = useMemo(() => absenceCheck(installed.records ?? []), [installed.records]);
	const isRead = installed.records !== undefined;

	const isInstalled = (ability: Ability): boolean | undefined =>
		installedOf(ability) !== undefined || (isRead && isAbsent(ability) ? false : undefined);

	const counts = useMemo(() => {
		const {records} = abilities;
		if (records === undefined) {
			return '';
		}

		const all = records.length === 1 ? '1 ability' : `${records.length} abilities`;
		const isAnyKnown = records.some(ability => isInstalled(ability) !== undefined);
		return isAnyKnown ? `${all}, ${records.filter(ability => installedOf(ability) !== undefined).length} installed` : all;
	}, [abilities.records, installed.records]);

	return (
		<SwitchList
			screen="abilities"
			plural="abilities"
			emptyHint={
				keymap.isAvailable('upload')
					? keymap.keysOf('upload').length === 0
						? 'Upload one with: switchboard abilities upload FOLDER'
						: `${keyName(keymap, 'upload')} uploads one.`
					: 'To upload abilities, use Switchboard on your own machine.'
			}
			counts={counts}
			resource={{
				...abilities,
				/** The states in the rows come from the other list. */
				async refresh() {
					const [error, installedError] = await Promise.all([abilities.refresh(), installed.refresh()]);
					return error ?? installedError;
				},
			}}
			installed={installed}
			installedOf={installedOf}
			agentNames={agentNames}
			agentsOf={ability => agentNames.of(ability.id)}
			tiesKey={agentNames.key}
			areStatesRead={isRead}
			isInstalled={isInstalled}
			sayNotInstalled={ability => sayNotSwitched(ui, installed, {name: ability.name, ability})}
			act={useAbilityActions()}
		/>
	);
}
