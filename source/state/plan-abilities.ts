import {categoryLabel} from '../interface/categories.ts';
import {indexNames} from '../interface/name-index.ts';
import {cleanName, rawName, type Ability} from '../interface/records.ts';
import {
	ambiguousName,
	showsAllNames,
	type CreatedNames,
	type ListIndex,
} from './list-index.ts';
import {
	joinParts,
	problem,
	unchanged,
	stepsOrUnchanged,
	type PlanPart,
} from './plan.ts';
import {type AbilityEntry} from './state.ts';

/** The ability that an entry names: there is one, there is none yet, or it cannot be told. */
export type AbilityMatch = {readonly entry: AbilityEntry} & ({readonly ability: Ability | undefined} | {readonly part: PlanPart});

const matchAbility = (entry: AbilityEntry, abilities: ListIndex<Ability>): AbilityMatch => {
	const records = abilities.find(entry.name);
	const [ability] = records;
	if (records.length > 1) {
		return {entry, part: problem(ambiguousName(entry, records))};
	}

	if (ability === undefined) {
		return showsAllNames(abilities)
			? {entry, ability}
			: {
				entry,
				part: problem({
					place: entry.place,
					kind: 'unintelligible',
					message: `The service does not show the names of all its abilities, so it is not known whether it has ${cleanName(entry.name)}.`,
				}),
			};
	}

	const {category} = ability;
	return entry.category === undefined || category === '' || category === entry.category
		? {entry, ability}
		: {
			entry,
			part: problem({
				place: entry.place,
				kind: 'conflict',
				message: `${ability.name} has the category ${categoryLabel(category)}, which cannot be changed to ${categoryLabel(entry.category)}.`,
			}),
		};
};

/** Finds the abilities of `abilities:` on the service. */
export const matchAbilities = (entries: readonly AbilityEntry[], abilities: ListIndex<Ability>): readonly AbilityMatch[] =>
	entries.map(entry => matchAbility(entry, abilities));

/** The names of the abilities that would be created. */
export const createdNamesOf = (matches: readonly AbilityMatch[]): CreatedNames => ({
	...indexNames(matches.filter(match => 'ability' in match && match.ability === undefined).map(({entry: {name}}) => ({name: cleanName(name)}))),
	isComplete: true,
});

/** How the source of an ability compares with that on the service. */
export type SourceComparison = {
	readonly isSame: boolean;
	/** The version on the service; empty if it shows none. */
	readonly version: string;
};

/**
What `abilities:` would change.

@param comparisons - of the abilities that exist.
*/
export const planAbilities = (matches: readonly AbilityMatch[], comparisons: ReadonlyMap<AbilityEntry, SourceComparison>): PlanPart => joinParts(matches.map(match => {
	const {entry} = match;
	if ('part' in match) {
		return match.part;
	}

	const {ability} = match;
	if (ability === undefined) {
		const {name, source} = entry;
		return stepsOrUnchanged([{
			kind: 'create', name, entry, changes: [{
				kind: 'ability', name, field: 'source', from: null, to: source,
			}],
		}]);
	}

	const comparison = comparisons.get(entry);
	if (comparison === undefined || comparison.isSame) {
		return unchanged;
	}

	const name = rawName(ability);
	return stepsOrUnchanged([{
		kind: 'release', name, entry, ability, changes: [{
			kind: 'ability', name, field: 'source', from: comparison.version, to: entry.source,
		}],
	}]);
}));
