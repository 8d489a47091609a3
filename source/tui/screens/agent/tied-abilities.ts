import {type Ability, type Agent, type InstalledAbility} from '../../../interface/records.ts';
import {stateWord} from '../../../interface/state-word.ts';
import {isShownEnabled} from '../../hooks/use-installed.ts';
import {type Intents} from '../../hooks/toggle-queue.ts';
import {type Overlay} from '../../state/app-state.ts';
import {isAbsenceShown, tieInstalled} from '../tie-installed.ts';

/** An ability that an agent has, as the lists know it. */
export type TiedAbility = {
	/** The ability's id. */
	readonly id: number;
	readonly name: string;
	/** `undefined` where the list of abilities lacks it, or is not read yet. */
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
	/** As the screen shows it; `undefined` where it is not installed, or its state is not known. */
	readonly isEnabled: boolean | undefined;
	/** False where it is not known whether it is installed, or whether it is on. */
	readonly isKnown: boolean;
};

export type KnownLists = {
	/** `undefined` where they are not read yet, or could not be. */
	readonly abilities: readonly Ability[] | undefined;
	readonly installed: readonly InstalledAbility[] | undefined;
	readonly intents: Intents;
};

/** What looks up the abilities of an agent, in the order that the service names them; `undefined` where it does not show them. */
export const tiedAbilities = ({abilities, installed, intents}: KnownLists): ((agent: Agent) => readonly TiedAbility[] | undefined) => {
	const abilityById = new Map(abilities?.map(ability => [ability.id, ability]));
	const installedById = new Map(installed?.map(record => [record.abilityId, record]));
	const installedOf = tieInstalled(installed ?? []);
	const isAbsent = isAbsenceShown(installed ?? []);

	const tiedOf = (id: number): TiedAbility => {
		const ability = abilityById.get(id);
		const record = ability === undefined ? installedById.get(id) : installedOf(ability);
		const isEnabled = record && isShownEnabled(record, intents);
		const isGone = ability === undefined ? abilities !== undefined : isAbsent(ability);
		return {
			id,
			name: (ability ?? record)?.name ?? `#${id}`,
			ability,
			installed: record,
			isEnabled,
			isKnown: record === undefined ? installed !== undefined && isGone : isEnabled !== undefined,
		};
	};

	return ({abilityIds}) => abilityIds && [...new Set(abilityIds)].map(id => tiedOf(id));
};

/** The state of one of them in a word, as its row has it. */
export const tiedWord = ({isEnabled, isKnown}: Pick<TiedAbility, 'isEnabled' | 'isKnown'>): string => {
	if (!isKnown) {
		return '?';
	}

	return isEnabled === undefined ? '–' : stateWord(isEnabled);
};

/** How many of an agent's abilities are on, such as “3 of 5 on”; “?” where that is not known. */
export const onCountText = (tied: readonly TiedAbility[] | undefined): string => {
	if (tied === undefined) {
		return '?';
	}

	const onCount = tied.some(({isKnown}) => !isKnown) ? '?' : tied.filter(({isEnabled}) => isEnabled).length;
	return tied.length === 0 ? 'none' : `${onCount} of ${tied.length} on`;
};

/** Where one of them is opened: as what is installed or, where it is not, as an ability. None where the service lists neither. */
export const overlayOfTied = ({id, ability, installed}: TiedAbility): Extract<Overlay, {readonly kind: 'ability'}> | undefined => installed === undefined
	? ability && {kind: 'ability', resource: 'abilities', id}
	: {kind: 'ability', resource: 'installed', id: installed.id};
