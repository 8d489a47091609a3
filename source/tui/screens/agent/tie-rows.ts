import {type Ability, type Agent} from '../../../interface/records.ts';
import {type FilteredRows, type RowFilter} from '../../state/rows.ts';
import {type ChecklistItem, type ChecklistState} from '../../widgets/checklist/index.ts';

/** All abilities, and the agent's own that the list lacks: a save without them would remove them unseen. */
export const tieItems = (abilities: readonly Ability[], {abilityIds = []}: Agent): readonly ChecklistItem[] => {
	const known = new Set(abilities.map(({id}) => id));
	const unknown = abilityIds.filter(id => !known.has(id)).map(id => ({
		id, name: `#${id}`, category: '', triggerPhrases: [],
	}));
	return [...abilities, ...unknown];
};

/** The rows that match the filter. */
export const tieRows = (chooseRows: RowFilter, items: readonly ChecklistItem[], {filter, marks}: ChecklistState): FilteredRows => chooseRows(items, {
	filter,
	sort: {column: 'none', isReversed: false},
	toRowData: item => ({...item, isMarked: marks.has(item.id)}),
});

/** The chosen items that still exist: a chosen ability may have been deleted. */
export const chosenItems = (items: readonly ChecklistItem[], {marks}: ChecklistState): readonly ChecklistItem[] => items.filter(({id}) => marks.has(id));
