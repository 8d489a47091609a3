import {useMemo} from 'react';
import {absenceCheck, installedLookup, stateWord} from '../../interface/installed-lookup.ts';
import type {Ability, Agent, InstalledAbility} from '../../interface/records.ts';
import type {ServiceSession} from '../hooks/service-session.ts';
import {isShownEnabled, type SwitchIntents} from '../hooks/switching.ts';
import {useAbilities, useInstalled, type ResourceState} from '../hooks/use-resource.ts';
import type {Overlay} from '../state/app-state.ts';
import {signs, withMark} from '../../words/signs.ts';
import {theme} from '../theme.ts';
import type {RowCell} from '../widgets/row.ts';

/** An ability of an agent, with the facts in the lists. */
export type TiedAbility = {
	readonly id: number;
	readonly name: string;
	/** `undefined` if it is missing from the list of abilities, or the list has not been read. */
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
	readonly isInstalled: boolean | undefined;
	/** The state on the screen; `undefined` if it is not installed, or the service does not show its state. */
	readonly isEnabled: boolean | undefined;
};

type KnownLists = {
	readonly abilities: readonly Ability[] | undefined;
	readonly installed: readonly InstalledAbility[] | undefined;
	readonly intents: SwitchIntents;
};

/** Returns a function from an agent to its abilities, in the order of the service; `undefined` if the service doesn't show them. */
export function tiedAbilities({
	abilities,
	installed,
	intents,
}: KnownLists): (agent: Pick<Agent, 'abilityIds'>) => readonly TiedAbility[] | undefined {
	const abilityById = new Map(abilities?.map(ability => [ability.id, ability]));
	const installedById = new Map(installed?.map(record => [record.abilityId, record]));
	const installedOf = installedLookup(installed ?? []);
	const isAbsent = absenceCheck(installed ?? []);

	const tiedOf = (id: number): TiedAbility => {
		const ability = abilityById.get(id);
		const record = ability === undefined ? installedById.get(id) : installedOf(ability);
		// A deleted ability is not installed either.
		const isGone = installed !== undefined && (ability === undefined ? abilities !== undefined : isAbsent(ability));
		return {
			id,
			name: (ability ?? record)?.name ?? `#${id}`,
			ability,
			installed: record,
			isInstalled: record === undefined ? (isGone ? false : undefined) : true,
			isEnabled: record && isShownEnabled(record, intents),
		};
	};

	return ({abilityIds}) => abilityIds && [...new Set(abilityIds)].map(id => tiedOf(id));
}

/** Returns the same function, with the lists that were read so far. */
export function tiedAbilitiesIn({records: {seen}, changes: {queue}}: ServiceSession) {
	return tiedAbilities({abilities: seen('abilities'), installed: seen('installed'), intents: queue.intents('installed', 'enabled')});
}

/** Returns the state of an ability in a word, as in its row. */
export function tiedWord({isInstalled, isEnabled}: Pick<TiedAbility, 'isInstalled' | 'isEnabled'>): string {
	return isInstalled === false ? signs.none : stateWord(isEnabled);
}

/** Returns the number of an agent's abilities that are on, such as “3 of 5 on”; “?” if it is not known. */
export function onCountText(tied: readonly TiedAbility[] | undefined): string {
	if (tied === undefined) {
		return signs.hidden;
	}

	const onCount = tied.some(each => tiedWord(each) === signs.hidden) ? signs.hidden : tied.filter(({isEnabled}) => isEnabled).length;
	return tied.length === 0 ? 'none' : `${onCount} of ${tied.length} on`;
}

const stripStates = [
	{state: 'on', sign: signs.isOn, words: 'on'},
	{state: 'off', sign: signs.isOff, words: 'off'},
	{state: signs.none, sign: signs.none, words: 'not installed'},
	{state: signs.hidden, sign: signs.hidden, words: 'not shown'},
] as const;

/**
Returns the states of an agent's abilities as a strip, such as `●●○–`, with the ones that are on first; in words, such as “2 on, 1 off”, if
the terminal has only ASCII or the strip has no room.
*/
export function stripCell(tied: readonly TiedAbility[] | undefined, width: number, isAscii: boolean): RowCell {
	const counted = stripStates
		.map(each => ({...each, count: tied?.filter(one => tiedWord(one) === each.state).length ?? 0}))
		.filter(({count}) => count > 0);
	const [text = '', ...rest] = counted.map(({sign, count}) => sign.repeat(count));
	const strip = [text, ...rest].join('');
	const spoken = counted.map(({words, count}) => `${count} ${words}`).join(', ');
	if (tied === undefined || tied.length === 0) {
		return {text: tied === undefined ? signs.hidden : 'none', width, tone: 'faint'};
	}

	if (isAscii || strip.length >= width) {
		const words = counted.map(({state, count}) => `${count} ${state}`).join(', ');
		return {text: words.length < width ? words : onCountText(tied), width, tone: 'secondary', spoken};
	}

	const isAnyOn = counted[0]!.state === 'on';
	return {
		text: strip,
		width,
		spoken,
		parts: isAnyOn
			? [
					[text, theme.on],
					[rest.join(''), theme.off],
				]
			: [[strip, theme.off]],
	};
}

/**
Returns the overlay for an ability: of the installed ability if there is one, else of the ability. `undefined` if the service lists neither.
*/
export function overlayOfTied({id, ability, installed}: TiedAbility): Extract<Overlay, {readonly kind: 'ability'}> | undefined {
	return installed === undefined
		? ability && {kind: 'ability', resource: 'abilities', id}
		: {kind: 'ability', resource: 'installed', id: installed.id};
}

/**
Returns the abilities of these agents, each with its state, from the lists of abilities and of installed abilities. The list of
abilities is read only if an agent has any.
*/
export function useTiedAbilities(agents: readonly Agent[]) {
	const isWanted = agents.some(({abilityIds = []}) => abilityIds.length > 0);
	const abilities = useAbilities(isWanted);
	const installed = useInstalled();
	const of = useMemo(
		() => tiedAbilities({abilities: abilities.records, installed: installed.records, intents: installed.intents}),
		[abilities.records, installed.records, installed.intents],
	);
	return {
		/** The abilities of an agent; `undefined` if the service does not show them. */
		of,
		/** The reason why names or states are missing, in a few words; empty if none are. */
		trouble: isWanted ? troubleWith([abilities, installed]) : '',
		abilities,
		installed,
	};
}

function troubleWith(lists: ReadonlyArray<ResourceState<unknown>>): string {
	const missing = lists.filter(({records}) => records === undefined);
	if (missing.length === 0) {
		return '';
	}

	return missing.some(({error, isReading}) => error !== undefined && !isReading) ? withMark('error', 'could not be read') : 'reading…';
}
