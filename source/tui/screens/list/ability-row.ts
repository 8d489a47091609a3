import {categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import type {Ability} from '../../../interface/records.ts';
import {stateWord} from '../../../interface/installed-lookup.ts';
import {quotedList} from '../../state/edit-words.ts';
import type {Highlight} from '../../../interface/filter.ts';
import {signs, withMark} from '../../../words/signs.ts';
import {stateTone} from '../../theme.ts';
import {age as ageText} from '../../../words/age.ts';
import type {Line} from '../../widgets/list.tsx';
import type {PaneDetails} from '../../widgets/pane.tsx';
import {type RowCell, hearingCell, markerWidth, rowLine, stateWidth} from '../../widgets/row.ts';
import type {ListHead} from './list-screen.tsx';
import type {RowLook} from './list-rows.ts';
import type {Timer} from '../../../interface/timers.ts';
import {ownTimeZone, type TimeZone} from '../../../words/time-zone.ts';
import {atClock, untilText, type Moment} from '../../../words/timer-times.ts';
import {timerText} from '../../../words/timer-words.ts';

const ageWidth = 10;

const categoryWidth = 10;

/** From this width of the list on, the category has a column, and the phrases all that is left. */
const wideList = 110;

/** In a narrower list, wider phrases would separate the last column from the name. */
const widestPhrases = 44;

/**
Returns the widths for abilities, installed or not. State and name are always shown, the other columns if there is room, side by side.

@param hasCategory - true if the category has no other column.
*/
export function abilityRowColumns(width: number, hasCategory = false) {
	const room = Math.max(1, width - markerWidth - stateWidth - 1);
	const agents = room < 28 ? 0 : Math.min(20, Math.max(11, Math.floor(room * 0.14)));
	const age = room < 45 ? 0 : ageWidth;
	const name = room < 60 ? room - agents - age : Math.min(32, Math.max(18, Math.floor(room * 0.28)));
	const category = hasCategory && width >= wideList ? categoryWidth : 0;
	const phrases = Math.min(category === 0 ? widestPhrases : room, room - name - agents - age - category);
	return {width, name, agents, phrases, age, category};
}

/** The words for a state are shorter than the name of their column, which begins further left. */
const stateIndent = 1;

type AbilityColumns = ReturnType<typeof abilityRowColumns>;

/** @param hasAgents - false once it is certain that the service shows none: the category is then shown instead. */
export function abilityHead({name, agents, phrases, age, category}: AbilityColumns, hasAgents: boolean): ListHead {
	return [
		{column: 'state' as const, indent: stateIndent, width: markerWidth + stateWidth},
		{column: 'name' as const, width: name + 1},
		{column: hasAgents ? ('agents' as const) : ('category' as const), width: agents},
		{column: 'phrases' as const, width: phrases},
		{column: 'changed' as const, width: age},
		{column: 'category' as const, width: category},
	].filter(({width}) => width > 0);
}

/** The way in which an ability without phrases starts, by its category. */
const startsByCategory: Readonly<Record<string, string>> = {background_daemon: 'always listening', brain_skill: 'the agent decides'};

/** Returns the category of an ability. */
export function categoryCell(category: string, filter: Highlight): Omit<RowCell, 'width'> {
	const text = categoryLabel(category);
	return {text: text || signs.none, tone: 'secondary', positions: filter.matchPositionsInText(text)};
}

/**
Returns the agents that use an ability; empty until they are read, so that no other text appears there first. A screen reader gets the
category instead: it reads a row more often than people look at it, and no list is requested for that.

@param agents - `undefined` if they are not known.
*/
export function agentsCell(agents: readonly string[] | undefined, areRead: boolean, category: string): Omit<RowCell, 'width'> {
	const names = agents?.join(', ') ?? '';
	return {
		text: names || (areRead ? (agents === undefined ? signs.hidden : signs.none) : ''),
		tone: names === '' ? 'faint' : 'secondary',
		spoken: categoryLabel(category),
	};
}

type AbilityRow = RowLook & {
	readonly record: {
		readonly name: string;
		readonly category: string;
		readonly triggerPhrases: readonly string[];
		readonly changedAt: number | undefined;
	};
	/** After the name: its agents, or its category. */
	readonly second: Omit<RowCell, 'width'>;
	readonly columns: AbilityColumns;
	readonly now: number;
	/** `undefined` if it is not installed, or the service does not show its state. */
	readonly isEnabled: boolean | undefined;
	readonly isInstalled: boolean | undefined;
	readonly isPending: boolean;
	readonly hasFailed: boolean;
	readonly timer?: Timer | undefined;
	readonly timeZone?: TimeZone | undefined;
};

/** The columns of the time of a timer, with a blank before it. */
const timerWidth = 12;

/**
Returns the cells with the timer in place of the last change or, where that has no column, of the agents. Neither is as wide, so what is
before it gives up a few columns.
*/
function withTimer(cells: readonly RowCell[], cell: RowCell, nameWidth: number) {
	const index = cells.findLastIndex(({width}) => width > 0);
	const missing = index === -1 ? 0 : timerWidth - cells[index]!.width;
	const giver = cells.findLastIndex(({width}, at) => at < index && width > missing + 1);
	return {
		nameWidth: index === -1 || giver !== -1 ? nameWidth : nameWidth - missing,
		cells: cells.map((each, at) => (at === index ? cell : at === giver ? {...each, width: each.width - missing} : each)),
	};
}

/** Returns a row of the Abilities and the Installed screen: state, name, agents, trigger phrases, last change. */
export function abilityLine({
	record,
	second,
	heard,
	columns,
	now,
	isEnabled,
	isInstalled,
	isPending,
	hasFailed,
	timer,
	timeZone = ownTimeZone,
	filter,
	...look
}: AbilityRow): Line {
	const word = isInstalled === false ? signs.none : stateWord(isEnabled);
	const {agents, phrases, age, category} = columns;
	const ageCell: RowCell = {text: ageText(record.changedAt, now), width: age, tone: 'secondary'};
	const categoryColumn: RowCell = {...categoryCell(record.category, filter), width: category, spoken: ''};
	const cells: readonly RowCell[] =
		heard === undefined
			? [{...second, width: agents}, phrasesCell(record, phrases, filter), ageCell, categoryColumn]
			: phrases > 0
				? [hearingCell(heard, agents + phrases), ageCell, categoryColumn]
				: [hearingCell(heard, agents + age)];
	const timed =
		timer === undefined || heard !== undefined
			? {cells, nameWidth: columns.name}
			: withTimer(
					cells.filter(({width}) => width > 0),
					timerCell(timer, {now, ...timeZone}),
					columns.name,
				);
	return rowLine({
		...look,
		heard,
		width: columns.width,
		isStateHidden: isInstalled === true && isEnabled === undefined,
		state: isPending ? word + signs.pending : word,
		hasFailed,
		stateTone: hasFailed && !isPending ? 'error' : stateTone(isEnabled, isPending),
		name: record.name,
		positions: filter.matchPositions(record.name),
		nameWidth: timed.nameWidth,
		cells: timed.cells.filter(({width}) => width > 0),
	});
}

/** A screen reader gets a sentence: “on again at 07:00, by anna”. */
function timerCell(timer: Timer, moment: Moment): RowCell {
	const {at, by, enabled, overdue} = timer;
	return {
		text: overdue === undefined ? untilText(at, moment) : 'overdue',
		width: timerWidth,
		tone: overdue === undefined ? 'secondary' : 'warning',
		spoken: `${overdue === undefined ? '' : 'overdue: '}${stateWord(enabled)} again ${atClock(at, moment)}${by === '' ? '' : `, by ${by}`}`,
	};
}

/** Returns the trigger phrases or, without any, the category. */
function phrasesCell(
	{category, triggerPhrases}: Pick<AbilityRow['record'], 'category' | 'triggerPhrases'>,
	width: number,
	filter: Highlight,
): RowCell {
	if (triggerPhrases.length > 0) {
		return {text: triggerPhrases.join(', '), width, positions: filter.matchPositionsInPhrases(triggerPhrases)};
	}

	const start = startsByCategory[category] ?? categoryLabel(category);
	return {text: start === '' ? signs.none : `${signs.none} ${start}`, spoken: '', width, tone: 'faint'};
}

type ShownAbility = AbilityRow['record'] & {
	readonly id: number;
	readonly description?: string;
	readonly versions?: ReadonlyArray<{readonly version: string; readonly isEnabled: boolean | undefined}>;
};

type AbilityDetailsOptions = {
	readonly state: string;
	readonly timer: Timer | undefined;
	readonly timeZone?: TimeZone | undefined;
	readonly now: number;
	readonly failure: string | undefined;
	/** The ability of an installed record, if the list of abilities was read. */
	readonly ability: Ability | undefined;
	readonly agents: readonly string[] | undefined;
};

/** Returns the details of an ability beside the list, with all facts that need no further request. */
export function abilityDetails(
	{id, name, category, description = '', versions = [], triggerPhrases, changedAt}: ShownAbility,
	{state, timer, timeZone = ownTimeZone, now, failure = '', ability, agents = []}: AbilityDetailsOptions,
): PaneDetails {
	const known = ability?.versions ?? versions;
	const version = (known.find(({isEnabled}) => isEnabled) ?? known.at(-1))?.version ?? '';
	return {
		title: name,
		fields: [
			{label: 'State', text: state, tone: stateTone(state === stateWord(true))},
			{label: 'Timer', text: timer === undefined ? '' : timerText(timer, timeZone, 'all')},
			{label: 'Id', text: String(id)},
			{label: 'Version', text: version},
			{label: 'Category', text: isCategory(category) ? `${categoryLabel(category)}: ${categoryMeanings[category]}` : category},
			{label: 'Agents', text: agents.join(', ')},
			{label: 'Phrases', text: triggerPhrases.join(', ')},
			{label: 'Changed', text: ageText(changedAt, now)},
			{label: 'Failed', text: failure},
		],
		text: ability?.description ?? description,
		facts: [
			timer === undefined ? '' : timerText(timer, timeZone, 'all'),
			categoryLabel(category),
			version === '' ? '' : `version ${version}`,
			`id ${id}`,
		].filter(fact => fact !== ''),
		notes: [
			...(failure === '' ? [] : [withMark('error', failure)]),
			...(agents.length === 0 ? [] : [`for ${agents.join(', ')}`]),
			...phrasesInWords(triggerPhrases),
		],
	};
}

const phrasesInWords = (phrases: readonly string[]): readonly string[] =>
	phrases.length === 0 ? [] : [`listens for ${quotedList(phrases)}`];
