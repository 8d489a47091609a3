import {type Ability, type Agent, type InstalledAbility} from '../../../interface/records.ts';
import {stateWord} from '../../../interface/state-word.ts';
import {absenceCheck, installedLookup} from '../installed-lookup.ts';

/** The agents, as far as they are known: being read, or not to be read. */
export type KnownAgents = readonly Agent[] | 'reading' | 'unreadable';

/** The installed abilities; `undefined` where they were not read. */
export type KnownInstalled = readonly InstalledAbility[] | undefined;

/** What goes with an ability: its installed record, or whether there is one that is not known by its id. */
type InstalledLoss = InstalledAbility | 'absent' | 'untied' | 'not-shown' | 'not-read';

const lossesOfInstalled = (installed: KnownInstalled): ((ability: Ability) => InstalledLoss) => {
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

const stateText = ({id, isEnabled}: InstalledAbility): string =>
	`installed record ${id}, ${isEnabled === undefined ? 'whose state is not shown' : `which is ${stateWord(isEnabled)}`}`;

const usersOf = (ability: Ability, agents: KnownAgents): readonly string[] =>
	typeof agents === 'string' ? [] : agents.filter(({abilityIds}) => abilityIds?.includes(ability.id)).map(({name}) => name);

const areTiesShown = (agents: readonly Agent[]): boolean => agents.every(({abilityIds}) => abilityIds !== undefined);

const agentsText = (agents: KnownAgents, what: 'it' | 'them'): string | undefined => {
	if (agents === 'reading') {
		return `Looking which agents have ${what}…`;
	}

	if (agents === 'unreadable') {
		return `Which agents would lose ${what} could not be read.`;
	}

	return areTiesShown(agents) ? undefined : `Agents that have ${what} lose ${what}; this service does not show which.`;
};

const installedText = (loss: InstalledLoss): string | undefined => {
	switch (loss) {
		case 'absent': {
			return undefined;
		}

		case 'untied': {
			return 'It is installed, and that goes with it.';
		}

		case 'not-shown': {
			return 'Whether it is installed, this service does not show.';
		}

		case 'not-read': {
			return 'Whether it is installed is not known: the installed abilities were not read.';
		}

		default: {
			return `Its ${stateText(loss)}, goes with it.`;
		}
	}
};

const lossOfOne = (ability: Ability, installed: KnownInstalled, agents: KnownAgents): readonly string[] => {
	const users = usersOf(ability, agents);
	const lines = [
		installedText(lossesOfInstalled(installed)(ability)),
		users.length === 0 ? undefined : `${users.join(', ')} would lose it.`,
		agentsText(agents, 'it'),
	].filter(line => line !== undefined);
	return lines.length === 0 ? ['It is not installed, and no agent has it.'] : lines;
};

const installedPart = (loss: InstalledLoss): string => {
	if (typeof loss === 'object') {
		return `, with its ${stateText(loss)}`;
	}

	return loss === 'untied' ? ', which is installed' : '';
};

/** What is not known of all, said once for those that it is not known of. */
const unknownText = (losses: readonly InstalledLoss[]): string | undefined => {
	const unknown = losses.find(loss => loss === 'not-shown' || loss === 'not-read');
	const which = losses.every(loss => loss === unknown) ? 'them' : 'the others';
	switch (unknown) {
		case 'not-shown': {
			return `Which of ${which} are installed, this service does not show.`;
		}

		case 'not-read': {
			return `Which of ${which} are installed is not known: the installed abilities were not read.`;
		}

		default: {
			return undefined;
		}
	}
};

/** What goes with abilities that are deleted, in lines for the question before. */
export const deletionImpactLines = (abilities: readonly Ability[], installed: KnownInstalled, agents: KnownAgents): readonly string[] => {
	const [only] = abilities;
	if (abilities.length === 1 && only !== undefined) {
		return lossOfOne(only, installed, agents);
	}

	const losses = abilities.map(lossesOfInstalled(installed));
	return [
		...abilities.map((ability, index) => {
			const users = usersOf(ability, agents);
			return `${ability.name} (${ability.id})${installedPart(losses[index]!)}${users.length === 0 ? '' : `; ${users.join(', ')} would lose it`}`;
		}),
		unknownText(losses),
		agentsText(agents, 'them'),
	].filter(line => line !== undefined);
};
