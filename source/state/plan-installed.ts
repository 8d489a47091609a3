import {refuseUneditablePhrases} from '../interface/editable-phrases.ts';
import {toSwitchboardError} from '../interface/errors.ts';
import {absenceCheck} from '../interface/installed-lookup.ts';
import {nameIdentity} from '../interface/name-index.ts';
import {tidyTriggerPhrases} from '../interface/names.ts';
import {
	cleanName,
	rawName,
	type Ability,
	type InstalledAbility,
} from '../interface/records.ts';
import {type Change} from './change.ts';
import {
	ambiguousName,
	missingName,
	type CreatedNames,
	type ListIndex,
} from './list-index.ts';
import {
	joinParts,
	problem,
	stepsOrUnchanged,
	type PlanPart,
	type Step,
	type StepOf,
} from './plan.ts';
import {errorProblem, type Problem} from './problems.ts';
import {hasPhrases} from './same-phrases.ts';
import {type InstalledEntry, type State} from './state.ts';

const change = (name: string, field: Change['field'], from: Change['from'], to: Change['to']): Change => ({
	kind: 'installed', name, field, from, to,
});

const switchStep = (name: string, record: InstalledAbility | undefined, isEnabled: boolean): StepOf<'switch'> => ({
	kind: 'switch', name, record, isEnabled, changes: [change(name, 'enabled', record?.isEnabled ?? null, isEnabled)],
});

/** The steps for an ability that is not installed before: what it is then is not known. */
const stepsAfterInstall = (name: string, {isEnabled, triggerPhrases}: InstalledEntry): readonly Step[] => [
	...(isEnabled === undefined ? [] : [switchStep(name, undefined, isEnabled)]),
	...(triggerPhrases === undefined
		? []
		: [{
			kind: 'phrases', name, record: undefined, phrases: tidyTriggerPhrases(triggerPhrases), changes: [change(name, 'triggers', null, [...tidyTriggerPhrases(triggerPhrases)])],
		} as const]),
];

/** Why the phrases of a record cannot be changed, after the switch that the entry asks for. */
const phrasesProblem = (record: InstalledAbility, {isEnabled, place}: InstalledEntry): Problem | undefined => {
	try {
		refuseUneditablePhrases(isEnabled === undefined ? record : {...record, isEnabled});
		return undefined;
	} catch (error) {
		return errorProblem(place, toSwitchboardError(error));
	}
};

const planRecord = (record: InstalledAbility, entry: InstalledEntry): PlanPart => {
	const name = rawName(record);
	const switches = entry.isEnabled === undefined || entry.isEnabled === record.isEnabled ? [] : [switchStep(name, record, entry.isEnabled)];
	if (entry.triggerPhrases === undefined) {
		return stepsOrUnchanged(switches);
	}

	const phrases = tidyTriggerPhrases(entry.triggerPhrases);
	if (hasPhrases(record, phrases)) {
		return stepsOrUnchanged(switches);
	}

	const found = phrasesProblem(record, entry);
	return found === undefined
		? stepsOrUnchanged([...switches, {
			kind: 'phrases', name, record, phrases, changes: [change(name, 'triggers', [...record.triggerPhrases], [...phrases])],
		}])
		: problem(found);
};

type InstalledLists = {
	readonly installed: ListIndex<InstalledAbility>;
	readonly abilities: ListIndex<Ability>;
	readonly createdNames: CreatedNames;
};

/** An ability that exists and is not installed is installed first; one that the state creates counts as installed. */
const planMissing = (entry: InstalledEntry, {installed, abilities, createdNames}: InstalledLists): PlanPart => {
	if (createdNames.find(entry.name).length > 0) {
		return stepsOrUnchanged(stepsAfterInstall(entry.name, entry));
	}

	const candidates = abilities.find(entry.name);
	const [ability] = candidates;
	if (ability === undefined) {
		return problem(missingName(entry, 'ability', [installed, abilities, createdNames]));
	}

	if (candidates.length > 1) {
		return problem(ambiguousName(entry, candidates));
	}

	if (!installed.isComplete || !absenceCheck(installed.records)(ability)) {
		return problem({place: entry.place, kind: 'unintelligible', message: `The service does not show whether ${cleanName(entry.name)} is installed.`});
	}

	const name = rawName(ability);
	return stepsOrUnchanged([
		{
			kind: 'install', name, ability, changes: [change(name, 'installed', false, true)],
		},
		...stepsAfterInstall(name, entry),
	]);
};

/** What `installed:` would change. */
export const planInstalled = (entries: readonly InstalledEntry[], lists: InstalledLists): PlanPart => joinParts(entries.map(entry => {
	const records = lists.installed.find(entry.name);
	if (records.length > 1) {
		return problem(ambiguousName(entry, records));
	}

	return records[0] === undefined ? planMissing(entry, lists) : planRecord(records[0], entry);
}));

/** The names in a state, whatever it says of them, folded. */
const namesIn = ({installed, abilities, agents}: State): ReadonlySet<string> =>
	new Set([...installed, ...abilities, ...agents.flatMap(agent => agent.abilities ?? [])].map(({name}) => nameIdentity(name)));

/** Switches off every installed ability that the state does not name. */
export const planPrune = (state: State, {records}: ListIndex<InstalledAbility>): readonly Step[] => {
	const named = namesIn(state);
	return records
		.filter(record => record.isEnabled !== false && !named.has(nameIdentity(record.name)))
		.map(record => switchStep(rawName(record), record, false));
};
