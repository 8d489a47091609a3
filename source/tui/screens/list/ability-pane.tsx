import {type ReactElement} from 'react';
import {categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {useUiServices} from '../../app-context.ts';
import {keyName} from '../../keys/hints.ts';
import {age} from '../../widgets/age.ts';
import {Pane, type PaneField} from '../../widgets/pane.tsx';

export type AbilityPaneProps = {
	readonly width: number;
	readonly height: number;
	readonly record: {
		readonly id: number;
		readonly name: string;
		readonly category: string;
		readonly description?: string;
		readonly triggerPhrases: readonly string[];
		readonly changedAt: number | undefined;
	};
	readonly state: string;
	readonly now: number;
	/** Why the last requested change failed. */
	readonly failure: string | undefined;
};

/** An ability beside the list, with what is known of it without asking the service. */
export const AbilityPane = ({width, height, record, state, now, failure}: AbilityPaneProps): ReactElement => {
	const {keymap} = useUiServices();
	const {category} = record;
	const fields: readonly PaneField[] = [
		{label: 'State', text: state},
		{label: 'Id', text: String(record.id)},
		{label: 'Category', text: isCategory(category) ? `${categoryLabel(category)}: ${categoryMeanings[category]}` : category},
		{label: 'Phrases', text: record.triggerPhrases.join(', ')},
		{label: 'Changed', text: age(record.changedAt, now)},
		{label: 'Failed', text: failure ?? ''},
	];
	return (
		<Pane
			width={width}
			height={height}
			title={record.name}
			fields={fields}
			text={record.description ?? ''}
			scrollKeys={{down: keyName(keymap, 'pane-down'), up: keyName(keymap, 'pane-up')}}
		/>
	);
};
