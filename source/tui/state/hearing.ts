import {abilityLookup} from '../../interface/installed-lookup.ts';
import type {Ability, Agent, InstalledAbility} from '../../interface/records.ts';
import {
	countsFor,
	hearSentence,
	installedListeners,
	spokenForm,
	type Heard,
	type InstalledListener,
} from '../../interface/trigger-phrases.ts';

/** The relation of a sentence to a row, in words after its name. */
export type RowHearing = {readonly kind: 'starts' | 'collides' | 'has it'; readonly text: string};

/** The outcome of a sentence, with the related rows by the ids of agents and of installed records. */
export type HearingOutcome = {
	readonly text: string;
	readonly agents: ReadonlyMap<number, RowHearing>;
	readonly installed: ReadonlyMap<number, RowHearing>;
};

const maximumNames = 3;

/** Returns the installed abilities in the form that the rule compares. Until the agents were read, each ability counts for all of them. */
export function listenersOf(
	installed: readonly InstalledAbility[],
	agents: readonly Agent[] = [],
	abilities: readonly Ability[] = [],
): readonly InstalledListener[] {
	const abilityOf = abilityLookup(abilities);
	return installedListeners(installed, agents, record => record.abilityId ?? abilityOf(record)?.id);
}

/** Returns the abilities that have a phrase in the sentence, on or off: few of many. */
export function concerned(sentence: string, listeners: readonly InstalledListener[]): readonly InstalledListener[] {
	const {starts, collisions, shorter, off} = hearSentence(sentence, listeners);
	return [...(starts === undefined ? [] : [starts]), ...collisions, ...shorter, ...off].map(({listener}) => listener);
}

/** A row with the name of its ability and its agents. */
type HeardRow = readonly [id: number, row: RowHearing & {readonly name: string; readonly forAgents: string}];

/**
Returns the outcome of a sentence for each agent.

@param isEnabled - the state of a record on the screen.
*/
export function outcomeOf(
	sentence: string,
	found: readonly InstalledListener[],
	isEnabled: (record: InstalledAbility) => boolean | undefined,
	agents: readonly Agent[] = [],
): HearingOutcome {
	const listeners = found.map(listener => ({...listener, isEnabled: isEnabled(listener.record)}));
	const hearings = (agents.length === 0 ? [undefined] : agents).map(agent => ({
		agent,
		...hearSentence(sentence, agent === undefined ? listeners : listeners.filter(listener => countsFor(listener, agent.id))),
	}));
	const forWhom = (names: readonly string[]): string =>
		names.length === agents.length ? (agents.length > 1 ? 'every agent' : names.join('')) : namesOf(names);

	/** Returns the rows of one kind, each with its agents. */
	const rowsOf = (kind: RowHearing['kind'], heardBy: (hearing: (typeof hearings)[number]) => readonly Heard[]): readonly HeardRow[] => {
		const names = new Map<Heard['listener'], string[]>();
		for (const hearing of hearings) {
			for (const {listener} of heardBy(hearing)) {
				const known = names.get(listener) ?? [];
				names.set(listener, known);
				if (hearing.agent !== undefined) {
					known.push(hearing.agent.name);
				}
			}
		}

		return [...names].map(([{id, name}, agentNames]) => {
			const forAgents = forWhom(agentNames);
			return [id, {kind, name, forAgents, text: agents.length < 2 ? kind : `${kind}: ${forAgents}`}];
		});
	};

	const starts = rowsOf('starts', hearing => (hearing.starts === undefined ? [] : [hearing.starts]));
	const collisions = rowsOf('collides', hearing => hearing.collisions);
	const off = rowsOf('has it', hearing => hearing.off);
	const namesIn = (rows: readonly HeardRow[]): string => namesOf(rows.map(([, {name}]) => name));
	const offText = off.length === 0 ? '' : `${namesIn(off)} ${off.length === 1 ? 'has it, but is off' : 'have it, but are off'}`;
	const parts =
		starts.length === 0
			? [`starts nothing${offText === '' ? '' : `: ${offText}`}`]
			: [
					`would start ${starts.map(([, {name, forAgents}]) => (forAgents === '' ? name : `${name} for ${forAgents}`)).join(', ')}`,
					...(collisions.length === 0 ? [] : [`collides with ${namesIn(collisions)}`]),
					...(offText === '' ? [] : [offText]),
				];
	return {
		text: spokenForm(sentence) === '' ? '' : parts.join('; '),
		agents: new Map(
			hearings.flatMap(({agent, ...hearing}) => {
				const row = agentText(hearing);
				return agent === undefined || row === undefined ? [] : [[agent.id, row] as const];
			}),
		),
		installed: new Map([...off, ...collisions, ...starts]),
	};
}

const namesOf = (names: readonly string[]): string =>
	names.slice(0, maximumNames).join(', ') + (names.length > maximumNames ? ` and ${names.length - maximumNames} more` : '');

function agentText({starts, collisions, off}: ReturnType<typeof hearSentence>): RowHearing | undefined {
	if (starts !== undefined) {
		return {
			kind: 'starts',
			text: `starts ${starts.listener.name}${collisions.length === 0 ? '' : `, collides with ${namesOf(unique(collisions))}`}`,
		};
	}

	return off.length === 0 ? undefined : {kind: 'has it', text: `off: ${namesOf(unique(off))}`};
}

const unique = (heard: readonly Heard[]): readonly string[] => [...new Set(heard.map(({listener}) => listener.name))];
