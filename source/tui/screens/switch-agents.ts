import {stateWord} from '../../interface/installed-lookup.ts';
import type {Agent} from '../../interface/records.ts';
import {formatCount} from '../../interface/format-count.ts';
import {keyName} from '../../words/keymap.ts';
import type {UiServices} from '../app-context.ts';
import type {ServiceSession} from '../hooks/service-session.ts';
import {listNames} from '../hooks/switch-words.ts';
import type {Toggle} from '../hooks/use-resource.ts';
import {askQuestion} from './confirm.tsx';
import {tiedAbilitiesIn} from './tied-abilities.ts';

type AgentSwitches = {
	readonly ui: UiServices;
	readonly session: ServiceSession;
	readonly toggle: Toggle;
	readonly chosen: readonly Agent[];
	/** True where the abilities are not on the screen: the person is asked if several change. */
	readonly isAsked?: boolean;
};

/** Switches the installed abilities of these agents on or off, and names an agent that has one of them too. */
export function switchAgents(isEnabled: boolean, {ui, session, toggle, chosen, isAsked = false}: AgentSwitches): void {
	const {seen} = session.records;
	const hidden = chosen.find(({abilityIds}) => abilityIds === undefined);
	if (hidden !== undefined) {
		ui.say('info', `This service doesn't show which abilities ${hidden.name} has.`);
		return;
	}

	const isAnyTied = chosen.some(({abilityIds = []}) => abilityIds.length > 0);
	if (isAnyTied && (seen('abilities') === undefined || seen('installed') === undefined)) {
		ui.say('info', 'The abilities of the agents are not known yet.');
		return;
	}

	const tiedOf = tiedAbilitiesIn(session);
	const installedOf = (agent: Agent) => tiedOf(agent)?.filter(({installed}) => installed !== undefined) ?? [];
	const all = new Map(chosen.flatMap(agent => installedOf(agent)).map(each => [each.installed!.id, each]));
	const changing = [...all.values()].filter(each => each.isEnabled !== isEnabled);
	const changed = new Set(changing.map(({id}) => id));
	const chosenIds = new Set(chosen.map(({id}) => id));
	const shared = (seen('agents') ?? [])
		.filter(({id}) => !chosenIds.has(id))
		.flatMap(agent =>
			installedOf(agent)
				.filter(({id}) => changed.has(id))
				.map(({name}) => `${name} is ${agent.name}'s as well`),
		);
	const note = shared.length === 0 ? '' : `${shared.slice(0, 2).join('; ')}${shared.length > 2 ? `; and ${shared.length - 2} more` : ''}.`;
	const set = (): number => toggle.setMany([...all.keys()], isEnabled, note === '' ? '' : ` ${note}`);
	const state = stateWord(isEnabled);
	const isOne = chosen.length === 1;
	if (all.size === 0) {
		ui.say('info', `${isOne ? `${chosen[0]!.name} has` : 'The marked agents have'} no installed abilities.`);
	} else if (isAsked && changing.length > 1) {
		askQuestion(ui, {
			question: `Switch ${state} ${formatCount(changing.length)} abilities of ${chosen[0]!.name}?`,
			details: [`${listNames(changing)}.`, ...(note === '' ? [] : [note]), `${keyName(ui.keymap, 'undo')} undoes this.`],
			yes: `switch ${state}`,
			onYes: set,
		});
	} else if (set() === 0) {
		ui.say('info', `All abilities of ${isOne ? chosen[0]!.name : 'the marked agents'} are ${state} already.`);
	}
}
