import {useMemo, type ReactElement} from 'react';
import {type Ability} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {useAgentNames} from '../hooks/use-agent-names.ts';
import {useAbilities} from '../hooks/use-abilities.ts';
import {reasonText} from '../hooks/late-change.ts';
import {isShownEnabled} from '../hooks/intents.ts';
import {useInstalled} from '../hooks/use-installed.ts';
import {useToggle} from '../hooks/use-toggle.ts';
import {keyLabel} from '../keys/key-labels.ts';
import {parseFilter} from '../state/filter.ts';
import {layoutOf} from '../state/layout.ts';
import {absenceCheck, installedLookup} from '../../interface/installed-lookup.ts';
import {useAbilityActions} from './ability/use-ability-actions.ts';
import {actOnSwitches} from './act-on-switches.ts';
import {abilityDetails} from './list/ability-details.ts';
import {abilityLine} from './list/ability-row.ts';
import {abilityColumns, abilityHead} from './list/columns.ts';
import {abilityCounts} from './list/counts.ts';
import {ListScreen} from './list/list-screen.tsx';
import {sayNotSwitched} from './not-switched.ts';

/** All abilities, with the state of those that are installed; Space works here too. */
export const AbilitiesScreen = (): ReactElement => {
	const ui = useUiServices();
	const abilities = useAbilities();
	const installed = useInstalled();
	const toggle = useToggle();
	const actOnAbility = useAbilityActions();
	const listColumns = useAppState(state => layoutOf(state).listColumns);
	const filter = useAppState(({views}) => views.abilities.filter);
	const columns = useMemo(() => abilityColumns(listColumns), [listColumns]);
	const installedOf = useMemo(() => installedLookup(installed.records ?? []), [installed.records]);
	const [uploadKey] = ui.keymap.keysOf('upload');
	const howToUpload = uploadKey === undefined ? 'Upload one with: switchboard abilities upload FOLDER' : `${keyLabel(uploadKey)} uploads one.`;
	const now = useAppState(state => state.now);
	const {intents} = installed;
	const isAbsent = useMemo(() => absenceCheck(installed.records ?? []), [installed.records]);
	const isRead = installed.records !== undefined;
	const agentNames = useAgentNames(parseFilter(filter).dependsOnAgents);

	/** The states in the rows come from the other list. */
	const refresh = async () => {
		const [error, installedError] = await Promise.all([abilities.refresh(), installed.refresh()]);
		return error ?? installedError;
	};

	const isEnabled = (ability: Ability): boolean | undefined => {
		const record = installedOf(ability);
		return record && isShownEnabled(record, intents);
	};

	const isInstalled = (ability: Ability): boolean | undefined => {
		if (installedOf(ability) !== undefined) {
			return true;
		}

		return isRead && isAbsent(ability) ? false : undefined;
	};

	const installedCount = useMemo(() => {
		const {records} = abilities;
		return records?.some(ability => isInstalled(ability) !== undefined) ? records.filter(ability => installedOf(ability) !== undefined).length : undefined;
	}, [abilities.records, installed.records]);

	const stateOf = (ability: Ability): string => {
		if (installedOf(ability) !== undefined) {
			return stateWord(isEnabled(ability));
		}

		return isInstalled(ability) === false ? 'not installed' : (isRead ? 'perhaps installed: this service doesn\'t show it' : 'not known yet');
	};

	const sayNoRecord = (ability: Ability | undefined): void => {
		if (ability === undefined) {
			ui.say('info', 'No row to switch.', 'abilities');
		} else {
			sayNotSwitched(ui, installed, {name: ability.name, ability});
		}
	};

	return (
		<ListScreen
			screen='abilities'
			plural='abilities'
			emptyHint={ui.keymap.isAvailable('upload') ? howToUpload : 'Abilities are uploaded from a machine with Switchboard on it.'}
			head={abilityHead(columns)}
			counts={abilityCounts(abilities.records, installedCount)}
			resource={{...abilities, refresh}}
			toRowData={ability => ({
				...ability, isEnabled: isEnabled(ability), hasFailed: toggle.failures.has(installedOf(ability)?.id ?? -1), agents: agentNames.of(ability.id),
			})}
			installedIdOf={ability => installedOf(ability)?.id}
			eventsKey={[...toggle.failures.keys()].join(' ')}
			tiesKey={agentNames.key}
			areStatesRead={isRead}
			lineOf={(ability, look) => {
				const record = installedOf(ability);
				return abilityLine({
					...look,
					record: ability,
					columns,
					now,
					isEnabled: isEnabled(ability),
					isInstalled: isInstalled(ability),
					isPending: record !== undefined && intents.has(record.id),
					hasFailed: record !== undefined && toggle.failures.has(record.id),
				});
			}}
			detailsOf={ability => {
				const record = installedOf(ability);
				const failure = record && toggle.failures.get(record.id);
				return abilityDetails(ability, {state: stateOf(ability), now, failure: failure && reasonText(failure)});
			}}
			onAction={(action, ability, marked) => actOnAbility(action, ability, marked) || actOnSwitches(action, {
				ui,
				toggle,
				markedIds: marked.length === 0 ? undefined : marked.map(each => installedOf(each)?.id).filter(id => id !== undefined),
				record: ability && installedOf(ability),
				sayNoRecord() {
					sayNoRecord(ability);
				},
			})}
		/>
	);
};
