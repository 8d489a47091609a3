import {categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import type {Ability} from '../../../interface/records.ts';
import {stateWord} from '../../../interface/installed-lookup.ts';
import {quotedList} from '../../hooks/edits.ts';
import {signs, withMark} from '../../state/signs.ts';
import {age as ageText} from '../../widgets/age.ts';
import type {Line} from '../../widgets/list.tsx';
import type {PaneDetails} from '../../widgets/pane.tsx';
import {
	type Cell,
	markerWidth,
	rowLine,
	stateWidth,
} from '../../widgets/row.ts';
import type {ListHead} from './list-screen.tsx';
import type {RowLook} from './list-rows.ts';

const ageWidth = 10;
const categoryWidth = 11;

/** Widths for abilities, installed or not. State and name are always shown; the others if there is room. */
export const abilityColumns = (width: number) => {
	const room = Math.max(1, width - markerWidth - stateWidth - 1);
	const category = room < 28 ? 0 : categoryWidth;
	const age = room < 45 ? 0 : ageWidth;
	const name = room < 60 ? room - category - age : Math.min(40, Math.max(18, Math.floor(room * 0.28)));
	return {
		name, category, phrases: room - name - category - age, age,
	};
};

type AbilityColumns = ReturnType<typeof abilityColumns>;

/** The words for a state are shorter than the name of their column, which starts further left. */
const stateIndent = 1;

export const abilityHead = ({name, category, phrases, age}: AbilityColumns): ListHead => [
	{column: 'state' as const, indent: stateIndent, width: markerWidth + stateWidth},
	{column: 'name' as const, width: name + 1},
	{column: 'category' as const, width: category},
	{column: 'phrases' as const, width: phrases},
	{column: 'changed' as const, width: age},
].filter(({width}) => width > 0);

type AbilityRow = RowLook & {
	readonly record: {
		readonly name: string;
		readonly category: string;
		readonly triggerPhrases: readonly string[];
		readonly changedAt: number | undefined;
	};
	readonly columns: AbilityColumns;
	readonly now: number;
	/** `undefined` if it is not installed, or the service doesn't show its state. */
	readonly isEnabled: boolean | undefined;
	readonly isInstalled: boolean | undefined;
	readonly isPending: boolean;
	readonly hasFailed: boolean;
};

/** A row of the Abilities and the Installed screen: state, name, category, trigger phrases, last change. */
export const abilityLine = ({record, columns, now, isEnabled, isInstalled, isPending, hasFailed, filter, ...look}: AbilityRow): Line => {
	const word = isInstalled === false ? signs.none : stateWord(isEnabled);
	const category = categoryLabel(record.category);
	const cells: readonly Cell[] = [
		{
			text: category || signs.none, width: columns.category, tone: 'secondary', positions: filter.matchPositionsInText(category),
		},
		{
			text: record.triggerPhrases.join(', ') || signs.none, width: columns.phrases, positions: filter.matchPositionsInPhrases(record.triggerPhrases),
		},
		{
			text: ageText(record.changedAt, now), width: columns.age, tone: 'secondary',
		},
	];
	return rowLine({
		...look,
		isStateHidden: isInstalled === true && isEnabled === undefined,
		state: isPending ? word + signs.pending : word,
		hasFailed,
		stateTone: isPending ? 'pending' : hasFailed ? 'error' : (isEnabled ? 'on' : 'off'),
		name: record.name,
		positions: filter.matchPositions(record.name),
		nameWidth: columns.name,
		cells: cells.filter(({width}) => width > 0),
	});
};

const phrasesInWords = (phrases: readonly string[]): readonly string[] => phrases.length === 0 ? [] : [`listens for ${quotedList(phrases)}`];

type ShownAbility = AbilityRow['record'] & {readonly id: number; readonly description?: string; readonly versions?: ReadonlyArray<{readonly version: string; readonly isEnabled: boolean | undefined}>};

type AbilityDetailsOptions = {
	readonly state: string;
	readonly now: number;
	readonly failure: string | undefined;
	/** The ability that is installed, where the record is an installed one and the list of abilities was read. */
	readonly ability: Ability | undefined;
	/** `undefined` if it is not known. */
	readonly agents: readonly string[] | undefined;
};

/** An ability beside the list, with all that is known without another request. */
export const abilityDetails = (
	{id, name, category, description = '', versions = [], triggerPhrases, changedAt}: ShownAbility,
	{state, now, failure = '', ability, agents = []}: AbilityDetailsOptions,
): PaneDetails => {
	const known = ability?.versions ?? versions;
	const version = (known.find(({isEnabled}) => isEnabled) ?? known.at(-1))?.version ?? '';
	return {
		title: name,
		fields: [
			{label: 'State', text: state},
			{label: 'Id', text: String(id)},
			{label: 'Version', text: version},
			{label: 'Category', text: isCategory(category) ? `${categoryLabel(category)}: ${categoryMeanings[category]}` : category},
			{label: 'Agents', text: agents.join(', ')},
			{label: 'Phrases', text: triggerPhrases.join(', ')},
			{label: 'Changed', text: ageText(changedAt, now)},
			{label: 'Failed', text: failure},
		],
		text: ability?.description ?? description,
		facts: [categoryLabel(category), version === '' ? '' : `version ${version}`, `id ${id}`].filter(fact => fact !== ''),
		notes: [
			...(failure === '' ? [] : [withMark('error', failure)]),
			...(agents.length === 0 ? [] : [`for ${agents.join(', ')}`]),
			...phrasesInWords(triggerPhrases),
		],
	};
};
