/*
Finds the ability that a sentence would start. The rule is ours, as the public service's is not known. Both texts are compared as they are
spoken: in lower case, without punctuation. A phrase is heard if its words follow each other in the sentence. The longest phrase wins, then
the lowest id. Only abilities that are on count, for the agents that have them; an ability that no agent has counts for all agents. A daemon
has no phrases, and the agent itself decides when a brain skill runs.
*/

import type {Agent, InstalledAbility} from './records.ts';

/** An installed ability, with the fields that the rule uses. */
export type Listener = {
	/** The id of the installed ability: the lowest wins. */
	readonly id: number;
	readonly name: string;
	readonly category: string;
	readonly phrases: readonly string[];
	/** `undefined` if the service does not show it: the ability may start. */
	readonly isEnabled: boolean | undefined;
	/** The agents that have the ability; empty if there are none, or they are not known. */
	readonly agentIds: readonly number[];
};

export type Heard<L extends Listener = Listener> = {readonly listener: L; readonly phrase: string; readonly spoken: string};

export type Hearing<L extends Listener = Listener> = {
	readonly starts: Heard<L> | undefined;
	/** Other abilities that are on and share the phrase. */
	readonly collisions: ReadonlyArray<Heard<L>>;
	/** Other abilities that are on and have a shorter phrase in the sentence. */
	readonly shorter: ReadonlyArray<Heard<L>>;
	readonly off: ReadonlyArray<Heard<L>>;
};

/** Returns a text as it is spoken: its words in lower case, with single spaces between them. */
export function spokenForm(text: string): string {
	return text
		.normalize('NFC')
		.toLowerCase()
		.normalize('NFC')
		.replaceAll(/[\p{Control}\p{Punctuation}\p{Separator}\p{Symbol}]+/gu, ' ')
		.trim();
}

/** Tells whether the words of the phrase follow each other in the sentence; both in spoken form. */
export function isWithin(sentence: string, phrase: string): boolean {
	return phrase !== '' && ` ${sentence} `.includes(` ${phrase} `);
}

/** Returns the phrases that start an ability. */
export function startingPhrases({category, phrases}: Pick<Listener, 'category' | 'phrases'>): readonly string[] {
	return category === 'background_daemon' || category === 'brain_skill' ? [] : phrases;
}

/** Returns the agents that have each ability. An agent that does not show its abilities is left out. */
export function agentIdsByAbility(
	agents: ReadonlyArray<{readonly id: number; readonly abilityIds: readonly number[] | undefined}>,
): ReadonlyMap<number | undefined, readonly number[]> {
	const byAbility = new Map<number | undefined, number[]>();
	for (const {id, abilityIds = []} of agents) {
		for (const abilityId of abilityIds) {
			const known = byAbility.get(abilityId);
			if (known === undefined) {
				byAbility.set(abilityId, [id]);
			} else {
				known.push(id);
			}
		}
	}

	return byAbility;
}

export type InstalledListener = Listener & {readonly record: InstalledAbility};

/**
Returns the installed abilities with the agents that have them.

@param abilityIdOf - finds the id of a record's ability; `undefined` if it is not known.
*/
export function installedListeners(
	installed: readonly InstalledAbility[],
	agents: readonly Agent[],
	abilityIdOf: (record: InstalledAbility) => number | undefined,
): readonly InstalledListener[] {
	const agentIds = agentIdsByAbility(agents);
	return installed.map(record => ({
		id: record.id,
		name: record.name,
		category: record.category,
		phrases: record.triggerPhrases,
		isEnabled: record.isEnabled,
		agentIds: agentIds.get(abilityIdOf(record)) ?? [],
		record,
	}));
}

export function countsFor({agentIds}: Pick<Listener, 'agentIds'>, agentId: number): boolean {
	return agentIds.length === 0 || agentIds.includes(agentId);
}

/** After every key, the typed sentence is compared with the same phrases. */
const spokenPhrases = new WeakMap<readonly string[], ReadonlyArray<Omit<Heard, 'listener'>>>();

/**
Returns the abilities that hear a sentence, with the one that it would start.

@param listeners - the abilities that count for the agent.
*/
export function hearSentence<L extends Listener>(text: string, listeners: readonly L[]): Hearing<L> {
	const sentence = spokenForm(text);
	const heard = listeners
		.map(listener => hear(listener, sentence))
		.filter(each => each !== undefined)
		.toSorted((first, second) => second.spoken.length - first.spoken.length || first.listener.id - second.listener.id);
	const [starts, ...others] = heard.filter(({listener}) => listener.isEnabled !== false);
	return {
		starts,
		collisions: others.filter(({spoken}) => spoken === starts!.spoken),
		shorter: others.filter(({spoken}) => spoken !== starts!.spoken),
		off: heard.filter(({listener}) => listener.isEnabled === false),
	};
}

/** The longest phrase of an ability that is heard in a sentence. */
const hear = <L extends Listener>(listener: L, sentence: string): Heard<L> | undefined =>
	spokenOf(startingPhrases(listener))
		.filter(({spoken}) => isWithin(sentence, spoken))
		.map(heard => ({...heard, listener}))
		.toSorted((first, second) => second.spoken.length - first.spoken.length)
		.at(0);

function spokenOf(phrases: readonly string[]): ReadonlyArray<Omit<Heard, 'listener'>> {
	const known =
		spokenPhrases.get(phrases) ?? phrases.map(phrase => ({phrase, spoken: spokenForm(phrase)})).filter(({spoken}) => spoken !== '');
	spokenPhrases.set(phrases, known);
	return known;
}

/** A phrase of an installed ability among the phrases of the others. */
export type ListedPhrase<L extends Listener = Listener> = Heard<L> & {
	/** True if it starts an ability: this one or another one with that phrase. */
	readonly isHeard: boolean;
	/** Other abilities that are on and share the phrase, for an agent that has this ability. */
	readonly collisions: readonly L[];
	/** Longer phrases of other abilities that are on: they contain this phrase, and are heard instead. */
	readonly within: ReadonlyArray<Heard<L>>;
};

/** Returns all phrases of the installed abilities in alphabetical order, with the phrases that get in each other's way. */
export function listPhrases<L extends Listener>(listeners: readonly L[]): ReadonlyArray<ListedPhrase<L>> {
	const all = listeners.flatMap(listener => spokenOf(listener.phrases).map((heard): Heard<L> => ({...heard, listener})));
	const isStarting = ({listener}: Heard<L>): boolean => listener.isEnabled !== false && startingPhrases(listener).length > 0;
	const known = new Set(all.map(({spoken}) => spoken));
	const holding = new Map<string, Array<Heard<L>>>();
	for (const heard of all) {
		const parts = isStarting(heard) ? partsOf(heard.spoken).intersection(known) : [];
		for (const part of parts) {
			const others = holding.get(part) ?? [];
			others.push(heard);
			holding.set(part, others);
		}
	}

	return all
		.map((heard): ListedPhrase<L> => {
			const others = (holding.get(heard.spoken) ?? []).filter(
				({listener}) => listener !== heard.listener && shareAgent(listener, heard.listener),
			);
			const collisions = others.filter(({spoken}) => spoken === heard.spoken);
			return {
				...heard,
				isHeard: isStarting(heard) || collisions.length > 0,
				collisions: [...new Set(collisions.map(({listener}) => listener))],
				within: others.filter(({spoken}) => spoken !== heard.spoken),
			};
		})
		.toSorted((first, second) => first.spoken.localeCompare(second.spoken) || first.listener.id - second.listener.id);
}

/** Returns all runs of consecutive words of a text, including the whole text. */
function partsOf(spoken: string): ReadonlySet<string> {
	const words = spoken.split(' ');
	return new Set(
		words.keys().flatMap(start =>
			words
				.keys()
				.take(words.length - start)
				.map(length => words.slice(start, start + length + 1).join(' ')),
		),
	);
}

const shareAgent = (first: Listener, second: Listener): boolean =>
	first.agentIds.length === 0 || second.agentIds.length === 0 || first.agentIds.some(id => second.agentIds.includes(id));
