import {
	categories,
	categoryLabel,
	categoryOf,
	categoryWords,
} from '../interface/categories.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {foldName} from '../interface/fold-name.ts';
import type {InstalledAbility} from '../interface/records.ts';
import type {Context} from './context.ts';
import {findInstalled} from './find-installed.ts';
import {readAndFind} from './find-records.ts';
import {splitList} from './input/split-list.ts';
import {lookUpAbilityIds} from './installed-ability-ids.ts';
import type {Service} from './with-service.ts';
import {wrongChoice} from './wrong-value.ts';

export type ChoiceOptions = {
	readonly all?: boolean;
	/** A list from each time that it is given. */
	readonly except?: readonly string[];
	readonly category?: string;
	readonly agent?: string;
};

/** True if only some of the installed abilities are meant by `--all`. */
export const isNarrowed = ({except, category, agent}: ChoiceOptions): boolean =>
	[except, category, agent].some(value => value !== undefined);

/**
Checks that either abilities are named or `--all` is given, with what narrows it down.

@throws SwitchboardError `usage`
*/
export const checkChoice = (words: readonly string[], options: ChoiceOptions): void => {
	const {all: isAll = false} = options;
	if (!isAll && isNarrowed(options)) {
		throw new SwitchboardError('usage', '--except, --category and --agent need --all.', {nextStep: 'Add --all.'});
	}

	if (isAll === (words.length > 0)) {
		throw new SwitchboardError(
			'usage',
			isAll ? 'Name installed abilities or use --all, not both.' : 'Name the installed abilities, or use --all.',
			{nextStep: 'List them with: switchboard installed'},
		);
	}
};

type Choose = (record: InstalledAbility) => boolean;

const chooseOthers = async (context: Context, service: Service, records: readonly InstalledAbility[], lists: readonly string[]): Promise<Choose> => {
	const words = lists.flatMap(list => splitList('--except', list, 'Name the installed abilities to leave alone, or leave --except out.'));
	const kept = new Set(await findInstalled(context, service, records, words));
	return record => !kept.has(record);
};

/** The same for all words that mean a category. */
const categoryKey = (word: string): string => categoryOf(word) ?? foldName(word.trim());

const chooseCategory = (records: readonly InstalledAbility[], word: string): Choose => {
	const wanted = categoryKey(word);
	const ownCategories = new Set(records.map(({category}) => category).filter(category => category !== '' && categoryOf(category) === undefined));
	if (categoryOf(word) === undefined && [...ownCategories].every(category => categoryKey(category) !== wanted)) {
		throw wrongChoice('--category', word, [...categories.map(known => categoryLabel(known)), ...ownCategories], [...categoryWords, ...ownCategories]);
	}

	return ({category}) => categoryKey(category) === wanted;
};

const chooseTied = async (context: Context, service: Service, records: readonly InstalledAbility[], word: string): Promise<Choose> => {
	const {name, abilityIds} = await readAndFind(context, service, word, {resource: 'agents'});
	if (abilityIds === undefined) {
		throw new SwitchboardError('refused', `The service does not show which abilities ${name} has. Nothing was done.`, {nextStep: 'Name the installed abilities instead of using --agent.'});
	}

	const tied = new Set<number | undefined>(abilityIds);
	const abilityIdOf = await lookUpAbilityIds(context, service, records);
	return record => tied.has(abilityIdOf(record));
};

/**
The installed abilities that are meant: those with the names or ids, or with `--all` those that fit all other options.

@throws SwitchboardError if a name, an agent or a category is not there, or the service does not show what an agent has.
*/
export const chooseInstalled = async (
	context: Context,
	service: Service,
	records: readonly InstalledAbility[],
	{words, all: isAll = false, except, category, agent}: ChoiceOptions & {readonly words: readonly string[]},
): Promise<readonly InstalledAbility[]> => {
	if (!isAll) {
		return findInstalled(context, service, records, words);
	}

	const choices = [
		...(except === undefined ? [] : [await chooseOthers(context, service, records, except)]),
		...(category === undefined ? [] : [chooseCategory(records, category)]),
		...(agent === undefined ? [] : [await chooseTied(context, service, records, agent)]),
	];
	return records.filter(record => choices.every(isChosen => isChosen(record)));
};
