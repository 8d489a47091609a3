import {SwitchboardError} from '../interface/errors.ts';
import {tidyTriggerPhrases} from '../interface/names.ts';
import {
	hasMorePhrases,
	type Ability,
	type Agent,
	type InstalledAbility,
} from '../interface/records.ts';
import {nameIdentity} from './check-names.ts';
import {phraseCountProblems, phraseProblems, promptProblems} from './field-problems.ts';

/** What a state file says of a record. A field that the service does not show is `undefined`. */
export type ExportedInstalled = {
	readonly name: string;
	readonly isEnabled: boolean | undefined;
	readonly triggerPhrases: readonly string[] | undefined;
};

export type ExportedAgent = {
	readonly name: string;
	readonly prompt: string | undefined;
	/** The names of its abilities. */
	readonly abilities: readonly string[] | undefined;
};

/** The state of an account, in the order of the names. */
export type ExportedState = {
	readonly installed: readonly ExportedInstalled[];
	readonly agents: readonly ExportedAgent[];
	/** What was left out although the service shows it: no state file can hold it. */
	readonly notes: readonly string[];
};

export type AccountRecords = {
	readonly agents: readonly Agent[];
	readonly abilities: readonly Ability[];
	readonly installed: readonly InstalledAbility[];
};

type Named = {readonly id: number; readonly name: string};

const compareTexts = (a: string, b: string): number => a < b ? -1 : (a > b ? 1 : 0);

/** The same order on every machine: names differ by more than case. */
const byName = (a: {readonly name: string}, b: {readonly name: string}): number => compareTexts(nameIdentity(a.name), nameIdentity(b.name));

const sharedNames = (records: readonly Named[], noun: string): readonly string[] => [...Map.groupBy(records, ({name}) => nameIdentity(name)).values()]
	.filter(({length}) => length > 1)
	.map(group => `Several ${noun} are named “${group[0]!.name}”: ${group.map(({id, name}) => `${id} (${name})`).join(', ')}.`);

const tiedAbilities = ({agents, abilities}: AccountRecords): readonly Ability[] => {
	const tied = new Set(agents.flatMap(({abilityIds = []}) => abilityIds));
	const tiedNames = new Set(abilities.filter(({id}) => tied.has(id)).map(({name}) => nameIdentity(name)));
	return abilities.filter(({name}) => tiedNames.has(nameIdentity(name)));
};

/** A state file goes by names, so it cannot hold a record that shares its name. */
const refuseNames = (records: AccountRecords): void => {
	const shared = [
		...sharedNames(records.installed, 'installed abilities'),
		...sharedNames(records.agents, 'agents'),
		...sharedNames(tiedAbilities(records), 'abilities'),
	];
	if (shared.length > 0) {
		throw new SwitchboardError('ambiguous', shared.join('\n'), {nextStep: 'Rename or delete the others: a state file goes by names.'});
	}
};

type Exported<Value> = {readonly value: Value; readonly notes: readonly string[]};

const leftOut = (what: string, name: string, problem: string): string => `Left out the ${what} of ${name}, which no state file can hold. ${problem}`;

const exportInstalled = ({name, raw, isEnabled, triggerPhrases}: InstalledAbility): Exported<ExportedInstalled> => {
	const areShown = raw['trigger_words'] !== undefined && raw['trigger_words'] !== null;
	const phrases = tidyTriggerPhrases(triggerPhrases);
	const [problem] = hasMorePhrases(raw)
		? ['There are too many.']
		: [...phraseCountProblems(phrases), ...phrases.flatMap(phrase => phraseProblems(phrase))];
	return {
		value: {name, isEnabled, triggerPhrases: areShown && problem === undefined ? phrases : undefined},
		notes: problem === undefined ? [] : [leftOut('trigger phrases', name, problem)],
	};
};

/** The names of an agent's abilities: all of them, because an apply takes away what a state leaves out. */
const exportTies = ({name, abilityIds}: Agent, abilityNames: ReadonlyMap<number, string>): Exported<readonly string[] | undefined> => {
	const ids = [...new Set(abilityIds)];
	const unknown = ids.filter(id => !abilityNames.has(id));
	return unknown.length === 0
		? {value: abilityIds && ids.map(id => abilityNames.get(id)!).toSorted((a, b) => compareTexts(nameIdentity(a), nameIdentity(b))), notes: []}
		: {value: undefined, notes: unknown.map(id => leftOut('abilities', name, `It has the ability ${id}, which is not in the list of abilities, so its name is not known.`))};
};

const exportAgent = (agent: Agent, abilityNames: ReadonlyMap<number, string>): Exported<ExportedAgent> => {
	const {name, raw} = agent;
	// As the service has it: the decoded prompt is cleaned for the screen.
	const prompt = typeof raw['description'] === 'string' ? raw['description'] : undefined;
	const [problem] = promptProblems(prompt ?? '');
	const ties = exportTies(agent, abilityNames);
	return {
		value: {name, prompt: problem === undefined ? prompt : undefined, abilities: ties.value},
		notes: [...(problem === undefined ? [] : [leftOut('prompt', name, problem)]), ...ties.notes],
	};
};

/**
The state of an account, as a state file can hold it.

@throws SwitchboardError `ambiguous` with the ids of records that share a name.
*/
export const exportState = (records: AccountRecords): ExportedState => {
	refuseNames(records);
	const abilityNames = new Map(records.abilities.map(({id, name}) => [id, name]));
	const installed = records.installed.toSorted(byName).map(record => exportInstalled(record));
	const agents = records.agents.toSorted(byName).map(record => exportAgent(record, abilityNames));
	return {
		installed: installed.map(({value}) => value),
		agents: agents.map(({value}) => value),
		notes: [...installed, ...agents].flatMap(({notes}) => notes),
	};
};
