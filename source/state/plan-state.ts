import {hasValues, refuseUneditable} from '../changes/fields.ts';
import type {PackedAbility} from '../bundle/pack-ability.ts';
import type {FoundRelease} from '../client/release-source.ts';
import {categoryLabel} from '../interface/categories.ts';
import {normalizeText} from '../interface/clean-text.ts';
import {toSwitchboardError} from '../interface/errors.ts';
import {absenceCheck} from '../interface/installed-lookup.ts';
import {findCaseVariants, findNamesake, findNearNamesakes, indexNames, listCandidates} from '../interface/name-index.ts';
import type {JsonValue} from '../interface/json.ts';
import {straightenPhrases} from '../interface/names.ts';
import {cleanName, rawName, type Ability, type Agent, type InstalledAbility} from '../interface/records.ts';
import type {Change} from '../changes/change.ts';
import {
	ambiguousName,
	indexList,
	setsOf,
	missingName,
	setStep,
	showsAllNames,
	type CreatedNames,
	type ListIndex,
	type Lists,
	type SetStep,
	type StatePlan,
	type Step,
	type Tie,
} from './plan.ts';
import type {DiffLine} from './text-diff.ts';
import {errorProblem, type AbilityEntry, type AgentEntry, type InstalledEntry, type NamedPlace, type Problem, type State} from './state.ts';

/**
Returns the step that sets values of an agent.

@param ties - all abilities that it should have; `undefined` to leave them as they are.
@param nameOf - names its present abilities.
*/
export function agentStep(
	agent: Agent,
	values: SetStep<'agents'>['values'],
	ties: readonly Tie[] | undefined,
	nameOf: (id: number) => string | undefined,
): Step {
	const {abilityIds} = agent;
	const ids = ties?.map(({id}) => id).filter(id => id !== undefined);
	const areKnown = ids?.length === ties?.length;
	if (ties === undefined || (areKnown && abilityIds !== undefined && new Set(abilityIds).symmetricDifference(new Set(ids)).size === 0)) {
		return setStep('agents', agent, values);
	}

	const from = abilityIds === undefined ? null : abilityIds.map(id => nameOf(id) ?? `#${id}`).toSorted();
	const tied = changeOf('agent', rawName(agent), 'abilities', from, ties.map(({name}) => name).toSorted());
	return setStep('agents', agent, areKnown ? {...values, abilities: ids} : values, {tied, ties: areKnown ? undefined : ties});
}

const changeOf = (kind: Change['kind'], name: string, field: Change['field'], from: Change['from'], to: Change['to']): Change => ({
	kind,
	name,
	field,
	from,
	to,
});

/** The ability that an entry names: it exists, does not exist yet, or is not known. */
type AbilityMatch = {readonly entry: AbilityEntry; readonly ability: Ability | undefined; readonly problem?: Problem};

/** Finds the abilities of `abilities:` on the service. */
export function matchAbilities(entries: readonly AbilityEntry[], abilities: ListIndex<Ability>): readonly AbilityMatch[] {
	const variants = variantsIn(entries);
	return entries.map(entry => {
		const {place} = entry;
		const records = abilities.find(entry.name, variants.has(entry.name));
		const [ability] = records;
		if (records.length > 1) {
			return {entry, ability, problem: ambiguousName(entry, records)};
		}

		if (ability === undefined && !showsAllNames(abilities)) {
			const message = `The service does not show the names of all its abilities, so it is not known whether it has ${cleanName(entry.name)}.`;
			return {entry, ability, problem: {place, kind: 'unintelligible', message}};
		}

		const near = ability === undefined && !entry.isCreationWanted ? findNearNamesakes(abilities.records, entry.name) : [];
		if (near.length > 0) {
			const message = `There is no ability ${cleanName(entry.name)}, but one with nearly the same name: ${listCandidates(near)}. Write that name, or “create: true” to create another one.`;
			return {entry, ability, problem: {place, kind: 'conflict', message}};
		}

		if (ability !== undefined && entry.category !== undefined && !['', entry.category].includes(ability.category)) {
			const message = `${ability.name} has the category ${categoryLabel(ability.category)}, which cannot be changed to ${categoryLabel(entry.category)}.`;
			return {entry, ability, problem: {place, kind: 'conflict', message}};
		}

		return {entry, ability};
	});
}

const variantsIn = (entries: readonly NamedPlace[]): ReadonlySet<string> => findCaseVariants(entries.map(({name}) => name));

/** How the source of an ability compares with the source on the service. */
export type SourceComparison = {
	readonly isSame: boolean;
	/** The version on the service; empty if it shows none. */
	readonly version: string;
	/** Ready to be sent; left out if the plan is only shown. */
	readonly packed?: PackedAbility;
	/** The release that it replaces; `undefined` if the ability is created, is the same, or is installed first. */
	readonly release?: FoundRelease | undefined;
	/** The difference from the service's source, if that was requested. */
	readonly difference?: readonly DiffLine[] | undefined;
};

/** The records of the service, by name, and the names that the state creates. */
type Indexes = {
	readonly installed: ListIndex<InstalledAbility>;
	readonly abilities: ListIndex<Ability>;
	readonly agents: ListIndex<Agent>;
	readonly createdNames: CreatedNames;
	readonly abilityNameOf: (id: number) => string | undefined;
	readonly isAbsent: (ability: Ability) => boolean;
};

type Planning = Indexes & {
	/** Adds the steps of an entry; without any, the entry is unchanged. */
	readonly add: (...steps: readonly Step[]) => void;
	readonly refuse: (...problems: readonly Problem[]) => void;
	/** Tells whether a timer decides whether an ability is on, and notes it. */
	readonly isTimed: (record: InstalledAbility, isEnabled: boolean | undefined) => boolean;
};

/**
Returns the changes that bring the service to a state.

@param lists - the lists that the state needs.
*/
export function planState(
	state: State,
	lists: Lists,
	{
		isPruning = false,
		areTimersIgnored = false,
		comparisons = new Map(),
	}: {
		/** Switches off installed abilities that the state does not name. */
		readonly isPruning?: boolean;
		/** Compares with the present states, whatever timers will change. */
		readonly areTimersIgnored?: boolean;
		/** The sources, each compared with its source on the service if the ability exists there. */
		readonly comparisons?: ReadonlyMap<AbilityEntry, SourceComparison>;
	} = {},
): StatePlan {
	const abilities = indexList(lists.abilities);
	const matches = matchAbilities(state.abilities, abilities);
	const created = matches.filter(({ability, problem}) => ability === undefined && problem === undefined);
	const steps: Step[] = [];
	const problems: Problem[] = [];
	const timed = new Set<InstalledAbility>();
	let unchangedCount = 0;
	const installed = indexList(lists.installed);
	const abilityNames = new Map(abilities.records.map(record => [record.id, rawName(record)]));
	const planning: Planning = {
		installed,
		abilities,
		abilityNameOf: id => abilityNames.get(id),
		isAbsent: absenceCheck(installed.records),
		agents: indexList(lists.agents),
		createdNames: {...indexNames(created.map(({entry: {name}}) => ({name: cleanName(name)}))), isComplete: true},
		add(...added) {
			steps.push(...added);
			unchangedCount += added.length === 0 ? 1 : 0;
		},
		refuse(...found) {
			problems.push(...found);
		},
		isTimed(record, isEnabled) {
			const isTimed = !areTimersIgnored && isEnabled !== undefined && record.timer !== undefined && record.timer.overdue === undefined;
			if (isTimed) {
				timed.add(record);
			}

			return isTimed;
		},
	};
	planAbilities(matches, comparisons, lists.abilities, planning);
	planInstalled(state.installed, planning);
	if (isPruning) {
		steps.push(...planPrune(state, planning));
	}

	planAgents(state.agents, planning);
	return {steps, unchangedCount, problems, timed: [...timed]};
}

/** Plans `abilities:`, given the sources. */
function planAbilities(
	matches: readonly AbilityMatch[],
	comparisons: ReadonlyMap<AbilityEntry, SourceComparison>,
	before: Lists['abilities'],
	{add, refuse}: Planning,
): void {
	for (const {entry, ability, problem} of matches) {
		const comparison = comparisons.get(entry);
		if (problem !== undefined) {
			refuse(problem);
		} else if (ability === undefined) {
			const {name, source} = entry;
			const changes = [changeOf('ability', name, 'source', null, source)];
			add({kind: 'create', name, packed: comparison?.packed as PackedAbility, before, changes});
		} else if (comparison === undefined || comparison.isSame) {
			add();
		} else {
			const name = rawName(ability);
			const {version, packed, release, difference} = comparison;
			const changes = [changeOf('ability', name, 'source', version, entry.source)];
			const message = 'Applied from a state file';
			add({kind: 'release', name, record: ability, packed: packed as PackedAbility, release, message, difference, changes});
		}
	}
}

function planInstalled(entries: readonly InstalledEntry[], planning: Planning): void {
	const variants = variantsIn(entries);
	for (const entry of entries) {
		const isExact = variants.has(entry.name);
		const records = planning.installed.find(entry.name, isExact);
		if (records.length > 1) {
			planning.refuse(ambiguousName(entry, records));
		} else if (records[0] === undefined) {
			planMissing(entry, isExact, planning);
		} else {
			planRecord(records[0], entry, planning);
		}
	}
}

/** An existing ability that is not installed is installed first; an ability that the state creates counts as installed. */
function planMissing(entry: InstalledEntry, isExact: boolean, {installed, abilities, createdNames, isAbsent, add, refuse}: Planning): void {
	const [created] = createdNames.find(entry.name, isExact);
	if (created !== undefined) {
		add(...setsFor(entry, created.name));
		return;
	}

	const candidates = abilities.find(entry.name, isExact);
	const [ability] = candidates;
	if (ability === undefined) {
		refuse(missingName(entry, 'ability', [installed, abilities, createdNames]));
	} else if (candidates.length > 1) {
		refuse(ambiguousName(entry, candidates));
	} else if (!installed.isComplete || !isAbsent(ability)) {
		refuse({
			place: entry.place,
			kind: 'unintelligible',
			message: `The service does not show whether ${cleanName(entry.name)} is installed.`,
		});
	} else {
		const name = rawName(ability);
		const install: Step = {kind: 'install', name, record: ability, changes: [changeOf('installed', name, 'installed', false, true)]};
		add(install, ...setsFor(entry, name));
	}
}

/**
Returns the steps that set the values of an entry.

@param record - `undefined` for an ability that is not installed yet: its values are not known.
*/
function setsFor({isEnabled, triggerPhrases}: InstalledEntry, name: string, record?: InstalledAbility): readonly Step[] {
	const triggers = triggerPhrases && straightenPhrases(triggerPhrases, record?.triggerPhrases);
	return [...(isEnabled === undefined ? [] : [{enabled: isEnabled}]), ...(triggers === undefined ? [] : [{triggers}])]
		.filter(values => record === undefined || hasValues('installed', record, values) !== true)
		.map(values => setStep('installed', record, values, {name}));
}

/**
Plans an entry of an ability that is installed: its phrases are set after the switch that the entry asks for. With a timer it is on and off in
turn, and one of both is what the entry asks for.
*/
function planRecord(record: InstalledAbility, given: InstalledEntry, {add, refuse, isTimed}: Planning): void {
	const entry = isTimed(record, given.isEnabled) ? {...given, isEnabled: undefined} : given;
	const {isEnabled = record.isEnabled, place} = entry;
	const steps = setsFor(entry, rawName(record), record);
	try {
		for (const {values} of setsOf(steps, 'installed')) {
			refuseUneditable('installed', {...record, isEnabled}, values);
		}

		add(...steps);
	} catch (error) {
		refuse(errorProblem(place, toSwitchboardError(error)));
	}
}

/** Switches off every installed ability that the state does not name anywhere. */
function planPrune({installed, abilities, agents}: State, {installed: {records, find}, isTimed}: Planning): readonly Step[] {
	const named = new Set([...installed, ...abilities, ...agents.flatMap(agent => agent.abilities ?? [])].flatMap(({name}) => find(name)));
	return records
		.filter(record => !named.has(record) && !isTimed(record, false) && record.isEnabled !== false)
		.map(record => setStep('installed', record, {enabled: false}));
}

function planAgents(entries: readonly AgentEntry[], planning: Planning): void {
	const isWhitespaceKept = keepsWhitespace(planning.agents.records);
	const keys = new Map<number, string>();
	const variants = findCaseVariants(entries.map(({key}) => key));
	for (const entry of entries) {
		const problems: Problem[] = [];
		const agent = findAgent(entry, variants.has(entry.key), planning.agents, problems);
		const ties = findTies(entry, planning, problems);
		const earlierKey = agent && keys.get(agent.id);
		if (earlierKey !== undefined) {
			problems.push({
				place: entry.place,
				message: `“${cleanName(entry.key)}” and “${cleanName(earlierKey)}” are the same agent, ${agent!.id}.`,
			});
		}

		if (agent === undefined || problems.length > 0) {
			planning.refuse(...problems);
			continue;
		}

		keys.set(agent.id, entry.key);
		planAgent(entry, agent, ties, isWhitespaceKept, planning);
	}
}

/** Whether a service keeps the white space around a prompt, as far as its agents show. A service that trims texts never shows any. */
const keepsWhitespace = (agents: readonly Agent[]): boolean =>
	agents.some(agent => {
		const prompt = textOf(agent.raw['description']);
		return prompt !== undefined && prompt !== prompt.trim();
	});

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** An agent is found by its present name, or by its new name if it has that already. */
function findAgent({key, name, place}: AgentEntry, isExact: boolean, agents: ListIndex<Agent>, problems: Problem[]): Agent | undefined {
	const wanted = {name: key, place};
	const byKey = agents.find(key, isExact);
	const records = byKey.length === 0 && name !== undefined ? agents.find(name) : byKey;
	if (records.length !== 1) {
		problems.push(records.length > 1 ? ambiguousName(wanted, records) : missingName(wanted, 'agent', [agents]));
	}

	return records[0];
}

/** Returns the abilities that an agent should have; `undefined` if the state leaves them as they are. */
function findTies({abilities: named}: AgentEntry, {abilities, createdNames}: Indexes, problems: Problem[]): readonly Tie[] | undefined {
	const ties = new Map<number | string, Tie>();
	const variants = variantsIn(named ?? []);
	for (const wanted of named ?? []) {
		const isExact = variants.has(wanted.name);
		const records = abilities.find(wanted.name, isExact);
		const [record] = records;
		const [created] = createdNames.find(wanted.name, isExact);
		if (records.length > 1) {
			problems.push(ambiguousName(wanted, records));
		} else if (record !== undefined) {
			ties.set(record.id, {id: record.id, name: rawName(record)});
		} else if (created !== undefined) {
			ties.set(created.name, {id: undefined, name: created.name});
		} else {
			problems.push(missingName(wanted, 'ability', [abilities, createdNames]));
		}
	}

	return named && [...ties.values()];
}

function planAgent(entry: AgentEntry, agent: Agent, ties: readonly Tie[] | undefined, isWhitespaceKept: boolean, planning: Planning): void {
	const isRenamed = entry.name !== undefined && !isSameName(textOf(agent.raw['name']) ?? '', entry.name);
	const taken = isRenamed ? takenName(entry, agent, planning) : undefined;
	if (taken !== undefined) {
		planning.refuse(taken);
		return;
	}

	const isPromptNew = entry.prompt !== undefined && !hasPrompt(agent, entry.prompt, isWhitespaceKept);
	const values = {...(isRenamed && {name: entry.name}), ...(isPromptNew && {prompt: entry.prompt})};
	const step = agentStep(agent, values, ties, planning.abilityNameOf);
	planning.add(...(step.changes.length === 0 ? [] : [step]));
}

const isSameName = (a: string, b: string): boolean => normalizeText(a.trim()) === normalizeText(b.trim());

function takenName({name: wanted = '', place}: AgentEntry, agent: Agent, {agents}: Indexes): Problem | undefined {
	const other = findNamesake(agents.records, agent, wanted);
	return other && {place, kind: 'conflict', message: `The name “${cleanName(wanted)}” is taken by agent ${other.id}.`};
}

/**
Tells whether an agent already has the prompt; false if the service does not show it. White space around it counts only where the
service is known to keep it: a final line break that the service drops would be sent at every run.
*/
function hasPrompt(agent: Agent, wanted: string, isWhitespaceKept: boolean): boolean {
	const prompt = textOf(agent.raw['description']);
	if (prompt === undefined) {
		return false;
	}

	const [is, shouldBe] = [normalize(prompt), normalize(wanted)];
	return is === shouldBe || (!isWhitespaceKept && is.trim() === shouldBe.trim());
}

/** A form changes line breaks to CRLF, and a service may store texts in a normal form of Unicode. */
const normalize = (prompt: string): string => normalizeText(prompt.replaceAll('\r\n', '\n'));
