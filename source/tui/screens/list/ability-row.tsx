import {type ReactElement} from 'react';
import {categoryLabel} from '../../../interface/categories.ts';
import {age} from '../../widgets/age.ts';
import {Row, type Cell} from '../../widgets/row.tsx';
import {type AbilityColumns} from './columns.ts';
import {type RowLook} from './list-screen.tsx';

export type AbilityRowProps = RowLook & {
	readonly record: {
		readonly name: string;
		readonly category: string;
		readonly triggerPhrases: readonly string[];
		readonly changedAt: number | undefined;
	};
	readonly columns: AbilityColumns;
	readonly now: number;
	/** `undefined` where it is not installed. */
	readonly isEnabled: boolean | undefined;
	/** False while it is not known whether it is installed at all. */
	readonly isKnown?: boolean;
	readonly isPending: boolean;
	/** True where the last change asked for failed. */
	readonly hasFailed: boolean;
};

/** A row of the Abilities and the Installed screen: state, name, category, trigger phrases, last change. */
export const AbilityRow = ({record, columns, now, isEnabled, isKnown = true, isPending, hasFailed, filter, ...look}: AbilityRowProps): ReactElement => {
	const word = isKnown ? (isEnabled === undefined ? '–' : (isEnabled ? 'on' : 'off')) : '?';
	const category = categoryLabel(record.category);
	const cells: readonly Cell[] = [
		{
			column: 'category', text: category || '–', width: columns.category, tone: 'secondary', places: filter.placesInText(category),
		},
		{
			column: 'phrases', text: record.triggerPhrases.join(', ') || '–', width: columns.phrases, places: filter.placesInPhrases(record.triggerPhrases),
		},
		{
			column: 'age', text: age(record.changedAt, now), width: columns.age, tone: 'secondary',
		},
	];
	return (
		<Row
			{...look}
			state={isPending ? `${word}~` : word}
			hasFailed={hasFailed}
			stateTone={isPending ? 'pending' : hasFailed ? 'error' : (isEnabled ? 'on' : 'off')}
			name={record.name}
			places={filter.placesIn(record.name)}
			nameWidth={columns.name}
			cells={cells.filter(({width}) => width > 0)}
		/>
	);
};
