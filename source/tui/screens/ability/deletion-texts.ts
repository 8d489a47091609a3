import {lossesOf} from '../../../changes/revert.ts';
import {wordList} from '../../../interface/format-count.ts';
import {absenceCheck, installedLookup} from '../../../interface/installed-lookup.ts';
import type {Ability, Agent, InstalledAbility} from '../../../interface/records.ts';
import {shownState} from '../../hooks/undo-installation.ts';
import type {Gathered} from '../../hooks/former-abilities.ts';

type KnownAgents = readonly Agent[] | 'reading' | 'unreadable';

type ImpactOptions = {
	readonly nameOf: (ability: Ability) => string;
	readonly installed: readonly InstalledAbility[] | undefined;
	readonly agents: KnownAgents;
};

/** Returns the further losses of a deletion, as lines for the question. */
export function deletionImpactLines(abilities: readonly Ability[], {nameOf, installed, agents}: ImpactOptions): readonly string[] {
	const isOne = abilities.length === 1;
	const it = isOne ? 'it' : 'them';
	const states = abilities.map(installationIn(installed));
	const kinds = new Set(states.map(state => (typeof state === 'object' ? 'untied' : state)));
	const isAnyKnown = kinds.has('untied') || kinds.has('absent');
	const which = isOne ? 'whether it is installed' : `which of ${isAnyKnown ? 'the others' : 'them'} are installed`;
	const lost = abilities.map((ability, index) => {
		const state = states[index]!;
		const users = typeof agents === 'string' ? [] : agents.filter(({abilityIds}) => abilityIds?.includes(ability.id));
		const parts = [
			typeof state === 'object' && state.isEnabled !== undefined
				? `installed and ${shownState(state)}`
				: state === 'untied' || typeof state === 'object'
					? 'installed'
					: '',
			users.length === 0 ? '' : `used by ${users.map(agent => agent.name).join(', ')}`,
		].filter(part => part !== '');
		// The question names a single agent.
		return isOne ? (parts.length === 0 ? undefined : `It is ${parts.join(', ')}.`) : [nameOf(ability), ...parts].join(', ');
	});
	const lines = [
		...lost,
		kinds.has('untied') ? `Deleting ${it} also uninstalls ${it}.` : undefined,
		kinds.has('not-shown')
			? `This service doesn't say ${which}.`
			: kinds.has('not-read')
				? `It is not known ${which}: the installed abilities were not read.`
				: undefined,
		unknownUsersText(agents, it),
	].filter(line => line !== undefined);
	return lines.length === 0 ? ['It is not installed, and no agent uses it.'] : lines;
}

/** The installed record of an ability; `untied` if there is one, but it is not known which. */
type Installation = InstalledAbility | 'absent' | 'untied' | 'not-shown' | 'not-read';

function installationIn(installed: readonly InstalledAbility[] | undefined): (ability: Ability) => Installation {
	const installedOf = installedLookup(installed ?? []);
	const isAbsent = absenceCheck(installed ?? []);
	return ability => {
		if (ability.isInstalled !== undefined) {
			return installedOf(ability) ?? (ability.isInstalled ? 'untied' : 'absent');
		}

		return installed === undefined ? 'not-read' : (installedOf(ability) ?? (isAbsent(ability) ? 'absent' : 'not-shown'));
	};
}

function unknownUsersText(agents: KnownAgents, it: 'it' | 'them'): string | undefined {
	if (typeof agents === 'string') {
		return agents === 'reading' ? `Checking which agents use ${it}…` : `Could not check which agents use ${it}.`;
	}

	return agents.every(({abilityIds}) => abilityIds !== undefined)
		? undefined
		: `Agents that use ${it} lose ${it}; this service doesn't say which.`;
}

/** Returns the effect of `u` after a deletion, and the permanent losses, as lines for the question. */
export function undoLines(abilities: readonly Ability[], {sourceOf}: Gathered, undoKey: string): readonly string[] {
	const isOne = abilities.length === 1;
	const sources = abilities.map(ability => ({ability, source: sourceOf(ability.id)}));
	if (sources.some(({source}) => source === undefined)) {
		return [`Reading ${isOne ? 'its source' : 'their sources'}, so that ${undoKey} can undo this…`];
	}

	const lost = sources.flatMap(({ability: {name}, source}) => ('reason' in source! ? [{name, reason: source.reason}] : []));
	const parts = sources.flatMap(({ability, source}) =>
		'reason' in source! ? [] : lossesOf(ability).map(loss => (isOne ? loss : `${loss} (${ability.name})`)),
	);
	const back = isOne
		? abilities[0]!.versions.length > 1
			? 'back the present version'
			: 'it back'
		: lost.length > 0
			? 'back the others'
			: 'them back';
	const areLost = parts.length === 1 && !parts[0]!.endsWith('s') ? 'is lost' : 'are lost';
	const loss = parts.length === 0 ? '' : `; ${wordList(parts)} ${areLost}`;
	return [
		...(lost.length === 0
			? []
			: [`${isOne ? 'This cannot be undone' : `Lost for good: ${lost.map(({name}) => name).join(', ')}`}: ${lost[0]!.reason}`]),
		...(lost.length === abilities.length ? [] : [`${undoKey} can bring ${back}, with ${isOne ? 'a new id' : 'new ids'}${loss}.`]),
	];
}
