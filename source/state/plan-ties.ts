import {nameIdentity} from '../interface/name-index.ts';
import {rawName, type Ability, type Agent} from '../interface/records.ts';
import {type Change} from './change.ts';
import {
	ambiguousName,
	missingName,
	type CreatedNames,
	type ListIndex,
} from './list-index.ts';
import {type Tie} from './plan.ts';
import {type Problem} from './problems.ts';
import {type AgentEntry} from './state.ts';

export type AbilityLists = {
	readonly abilities: ListIndex<Ability>;
	readonly createdNames: CreatedNames;
};

/** What a name of the state stands for, or why that cannot be told. */
export type Found<Value> = {readonly value: Value} | {readonly problems: readonly Problem[]};

/** The abilities that an agent is to have; `undefined` if the state leaves them alone. */
export const findTies = ({abilities: named}: AgentEntry, {abilities, createdNames}: AbilityLists): Found<readonly Tie[] | undefined> => {
	if (named === undefined) {
		return {value: undefined};
	}

	const ties = new Map<string, Tie>();
	const problems: Problem[] = [];
	for (const wanted of named) {
		const records = abilities.find(wanted.name);
		const [record] = records;
		if (records.length > 1) {
			problems.push(ambiguousName(wanted, records));
		} else if (record !== undefined) {
			ties.set(nameIdentity(wanted.name), {id: record.id, name: rawName(record)});
		} else if (createdNames.find(wanted.name).length > 0) {
			ties.set(nameIdentity(wanted.name), {id: undefined, name: wanted.name});
		} else {
			problems.push(missingName(wanted, 'ability', [abilities, createdNames]));
		}
	}

	return problems.length > 0 ? {problems} : {value: [...ties.values()]};
};

/** The change from the abilities that an agent has; `undefined` if there is none. */
export const tieChange = (name: string, {abilityIds}: Agent, ties: readonly Tie[], {records}: ListIndex<Ability>): Change | undefined => {
	const isSame = abilityIds !== undefined && ties.every(({id}) => id !== undefined)
		&& new Set<number | undefined>(abilityIds).symmetricDifference(new Set(ties.map(({id}) => id))).size === 0;
	if (isSame) {
		return undefined;
	}

	const names = new Map(records.map(record => [record.id, rawName(record)]));
	return {
		kind: 'agent',
		name,
		field: 'abilities',
		from: abilityIds === undefined ? null : abilityIds.map(id => names.get(id) ?? `#${id}`).toSorted(),
		to: ties.map(tie => tie.name).toSorted(),
	};
};
