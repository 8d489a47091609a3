import {type Ability, type Agent, type InstalledAbility} from '../../../interface/records.ts';
import {absenceCheck, installedLookup} from '../../../interface/installed-lookup.ts';
import {installedText} from './installed-text.ts';

/** The agents, as far as they are known. */
export type KnownAgents = readonly Agent[] | 'reading' | 'unreadable';

/** The installed abilities; `undefined` if they were not read. */
type KnownInstalled = readonly InstalledAbility[] | undefined;

/** The installed record of an ability; `untied` if there is one, but it is not known which. */
type Installation = InstalledAbility | 'absent' | 'untied' | 'not-shown' | 'not-read';

const installationIn = (installed: KnownInstalled): ((ability: Ability) => Installation) => {
	const installedOf = installedLookup(installed ?? []);
	const isAbsent = absenceCheck(installed ?? []);
	return ability => {
		const record = installedOf(ability);
		if (record !== undefined) {
			return record;
		}

		if (ability.isInstalled !== undefined) {
			return ability.isInstalled ? 'untied' : 'absent';
		}

		if (installed === undefined) {
			return 'not-read';
		}

		return isAbsent(ability) ? 'absent' : 'not-shown';
	};
};

/** Such as “installed (301, on)”; `undefined` if an ability is not known to be installed. */
const installationText = (installation: Installation): string | undefined => typeof installation === 'object'
	? `installed (${installedText(installation)})`
	: (installation === 'untied' ? 'installed' : undefined);

/** What is not known about installed records. `which` is a clause, such as “whether it is installed”. */
const unknownText = (installations: readonly Installation[], which: string): string | undefined => {
	if (installations.includes('not-shown')) {
		return `This service doesn't say ${which}.`;
	}

	return installations.includes('not-read') ? `It is not known ${which}: the installed abilities were not read.` : undefined;
};

const usersOf = (ability: Ability, agents: KnownAgents): readonly string[] =>
	typeof agents === 'string' ? [] : agents.filter(({abilityIds}) => abilityIds?.includes(ability.id)).map(({name}) => name);

const unknownUsersText = (agents: KnownAgents, what: 'it' | 'them'): string | undefined => {
	if (agents === 'reading') {
		return `Checking which agents use ${what}…`;
	}

	if (agents === 'unreadable') {
		return `Could not check which agents use ${what}.`;
	}

	return agents.every(({abilityIds}) => abilityIds !== undefined) ? undefined : `Agents that use ${what} lose ${what}; this service doesn't say which.`;
};

const impactOfOne = (ability: Ability, installed: KnownInstalled, agents: KnownAgents): readonly string[] => {
	const installation = installationIn(installed)(ability);
	const text = installationText(installation);
	const users = usersOf(ability, agents);
	const lines = [
		text && `It is ${text}; deleting it also uninstalls it.`,
		unknownText([installation], 'whether it is installed'),
		users.length === 0 ? undefined : `${users.join(', ')} would lose it.`,
		unknownUsersText(agents, 'it'),
	].filter(line => line !== undefined);
	return lines.length === 0 ? ['It is not installed, and no agent uses it.'] : lines;
};

/** What else is lost when abilities are deleted, as lines for the question. */
export const deletionImpactLines = (abilities: readonly Ability[], installed: KnownInstalled, agents: KnownAgents): readonly string[] => {
	const [only] = abilities;
	if (abilities.length === 1 && only !== undefined) {
		return impactOfOne(only, installed, agents);
	}

	const installations = abilities.map(installationIn(installed));
	const isNoneKnown = installations.every(installation => installation === 'not-shown' || installation === 'not-read');
	return [
		...abilities.map((ability, index) => {
			const users = usersOf(ability, agents);
			const parts = [installationText(installations[index]!), users.length === 0 ? undefined : `used by ${users.join(', ')}`];
			return [`${ability.name} (${ability.id})`, ...parts.filter(part => part !== undefined)].join(', ');
		}),
		installations.some(installation => installationText(installation) !== undefined) ? 'Deleting them also uninstalls them.' : undefined,
		unknownText(installations, `which of ${isNoneKnown ? 'them' : 'the others'} are installed`),
		unknownUsersText(agents, 'them'),
	].filter(line => line !== undefined);
};
