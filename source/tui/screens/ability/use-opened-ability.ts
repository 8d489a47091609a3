import {useMemo} from 'react';
import {type SwitchboardError} from '../../../interface/errors.ts';
import {type Ability, type InstalledAbility} from '../../../interface/records.ts';
import {stateWord} from '../../../interface/state-word.ts';
import {useAbilities} from '../../hooks/use-abilities.ts';
import {useAbility} from '../../hooks/use-ability.ts';
import {useAgentNames} from '../../hooks/use-agent-names.ts';
import {isShownEnabled} from '../../hooks/intents.ts';
import {useInstalled, type InstalledState} from '../../hooks/use-installed.ts';
import {withMark} from '../../state/severity.ts';
import {absenceCheck, abilityLookup, installedLookup} from '../../../interface/installed-lookup.ts';
import {type ShownState} from './ability-fields.ts';

/** What was opened: an ability, or an installed record with the ability that it belongs to. */
export type Opened = {readonly resource: 'abilities' | 'installed'; readonly id: number};

export type OpenedAbility = {
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
	readonly state: ShownState;
	/** True if it is known not to be installed. */
	readonly isAbsent: boolean;
	/** The agents that use it, as text. */
	readonly agents: string;
	readonly isReading: boolean;
	/** Why it could not be read by itself. */
	readonly error: SwitchboardError | undefined;
	/** Refreshes all of it. */
	refresh(): void;
};

const stateOf = (ability: Ability | undefined, record: InstalledAbility | undefined, {records, error, intents}: InstalledState): ShownState => {
	if (record !== undefined) {
		const isEnabled = isShownEnabled(record, intents);
		const word = stateWord(isEnabled);
		return intents.has(record.id) ? {text: `${word}~ saving…`, tone: 'pending'} : {text: word, tone: isEnabled ? 'on' : 'off'};
	}

	if (records === undefined) {
		return {text: error === undefined ? 'reading the installed abilities…' : withMark('warning', 'the installed abilities could not be read'), tone: 'warning'};
	}

	// Some services say that an ability is installed, but their records share neither id nor name.
	if (ability?.isInstalled === true) {
		return {text: 'installed, but this service doesn\'t say as which record', tone: 'off'};
	}

	const isAbsent = ability === undefined || absenceCheck(records)(ability);
	return {text: isAbsent ? 'not installed' : 'perhaps installed: this service doesn\'t show it', tone: 'off'};
};

const isAbsentFrom = ({records}: InstalledState, ability: Ability | undefined, record: InstalledAbility | undefined): boolean =>
	record === undefined && records !== undefined && ability !== undefined && ability.isInstalled !== true && absenceCheck(records)(ability);

/** An ability and its installed record, from the one that was opened. */
export const useOpenedAbility = ({resource, id}: Opened): OpenedAbility => {
	const abilities = useAbilities();
	const installedList = useInstalled();
	const abilityOf = useMemo(() => abilityLookup(abilities.records ?? []), [abilities.records]);
	const installedOf = useMemo(() => installedLookup(installedList.records ?? []), [installedList.records]);
	const opened = resource === 'installed' ? installedList.records?.find(record => record.id === id) : undefined;
	const {ability, isReading, error, refresh} = useAbility(resource === 'abilities' ? id : (opened && abilityOf(opened)?.id), abilities);
	const installed = resource === 'installed' ? opened : (ability && installedOf(ability));
	const agentNames = useAgentNames(true);
	return {
		ability,
		installed,
		state: stateOf(ability, installed, installedList),
		isAbsent: isAbsentFrom(installedList, ability, installed),
		agents: agentNames.textOf(ability?.id ?? installed?.abilityId),
		isReading,
		error,
		refresh() {
			refresh();
			void abilities.refresh();
			void installedList.refresh();
		},
	};
};
