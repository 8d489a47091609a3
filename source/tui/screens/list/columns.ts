import {type ListColumn} from '../../state/sort.ts';
import {markerWidth, stateWidth} from '../../widgets/row.ts';

/** The columns that there is room for, from the left. */
export type ListHead = ReadonlyArray<{
	readonly column: ListColumn;
	/** Spaces before its name. */
	readonly indent: number;
	/** With those spaces, and the one after it. */
	readonly width: number;
}>;

export type AbilityColumns = {
	readonly name: number;
	/** 0 if there is no room for the column. */
	readonly category: number;
	readonly phrases: number;
	readonly age: number;
};

const ageWidth = 10;
const categoryWidth = 11;

/** Widths for abilities, installed or not. State and name are always shown; the others if there is room. */
export const abilityColumns = (width: number): AbilityColumns => {
	const room = Math.max(1, width - markerWidth - stateWidth - 1);
	const category = room < 28 ? 0 : categoryWidth;
	const age = room < 45 ? 0 : ageWidth;
	const name = room < 60 ? room - category - age : Math.min(40, Math.max(18, Math.floor(room * 0.28)));
	return {
		name, category, phrases: room - name - category - age, age,
	};
};

/** The words for a state are shorter than the name of their column, which starts further left. */
const stateIndent = 1;

/** The column names of abilities, installed or not. */
export const abilityHead = ({name, category, phrases, age}: AbilityColumns): ListHead => [
	{column: 'state' as const, indent: stateIndent, width: markerWidth + stateWidth},
	{column: 'name' as const, indent: 0, width: name + 1},
	{column: 'category' as const, indent: 0, width: category},
	{column: 'phrases' as const, indent: 0, width: phrases},
	{column: 'changed' as const, indent: 0, width: age},
].filter(({width}) => width > 0);

type AgentColumns = {
	readonly name: number;
	/** How many of its abilities are on. */
	readonly abilities: number;
	readonly id: number;
	readonly prompt: number;
};

export const agentColumns = (width: number): AgentColumns => {
	const room = Math.max(1, width - markerWidth - 1);
	const [abilities, id] = room < 28 ? [0, 0] as const : [12, 9] as const;
	const name = room < 56 ? room - abilities - id : Math.min(40, Math.max(16, Math.floor(room * 0.25)));
	return {
		name, abilities, id, prompt: room - name - abilities - id,
	};
};

/** The column names of agents. */
export const agentHead = ({name, abilities, id, prompt}: AgentColumns): ListHead => [
	{column: 'name' as const, indent: markerWidth, width: markerWidth + name + 1},
	{column: 'abilities' as const, indent: 0, width: abilities},
	{column: 'id' as const, indent: 0, width: id},
	{column: 'prompt' as const, indent: 0, width: prompt},
].filter(({width}) => width > 0);
