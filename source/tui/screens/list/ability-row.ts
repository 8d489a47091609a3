import {categoryLabel} from '../../../interface/categories.ts';
import {stateWord} from '../../../interface/state-word.ts';
import {signs} from '../../state/signs.ts';
import {age} from '../../widgets/age.ts';
import {rowLine, type Cell} from '../../widgets/row.ts';
import {type Line} from '../../widgets/styled-text.ts';
import {type AbilityColumns} from './columns.ts';
import {type RowLook} from './list-screen.tsx';

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
	/** `undefined` while unknown. */
	readonly isInstalled: boolean | undefined;
	readonly isPending: boolean;
	/** True if its last change failed. */
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
			text: age(record.changedAt, now), width: columns.age, tone: 'secondary',
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
