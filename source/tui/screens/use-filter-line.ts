import {useState} from 'react';
import {seenRecords} from '../hooks/seen-records.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {createFilterCompletion} from '../state/complete-filter.ts';
import {withPasted} from '../state/edit-line.ts';
import {editFilter, type FilterLineAction} from '../state/filter-line.ts';
import {type Store} from '../state/store.ts';
import {lineMoveOf, type Move} from '../widgets/list/index.ts';

type FilterLine = {
	readonly store: Pick<Store<unknown, FilterLineAction>, 'dispatch'>;
	/** The newest state: several keys may come between two frames. */
	read(): {readonly filter: string; readonly isFilterOpen: boolean};
	/** Moves the cursor of the list below. */
	move(move: Move): void;
};

const completions: Readonly<Record<string, 1 | -1>> = {tab: 1, 'shift+tab': -1};

/** The keys of a filter line while it is open: text, Tab, which completes terms and values, and those that move the cursor of its list. */
export const useFilterLine = ({store, read, move}: FilterLine): void => {
	const session = useServiceSession();
	const [complete] = useState(createFilterCompletion);
	useKeys(layers.line, {
		isOpen: () => read().isFilterOpen,
		onKey(key) {
			const {filter} = read();
			const step = lineMoveOf(key.name);
			const by = completions[key.name];
			if (step !== undefined) {
				move(step);
			} else if (by === undefined) {
				return editFilter(store, filter, key) && 'settled';
			} else {
				const agentNames = seenRecords(session, 'agents')?.map(({name}) => name) ?? [];
				const completed = complete(filter, by, agentNames) ?? filter;
				if (completed !== filter) {
					store.dispatch({type: 'edit-filter', filter: completed});
				}
			}

			return 'settled';
		},
		onPaste(text) {
			store.dispatch({type: 'edit-filter', filter: withPasted(read().filter, text)});
			return true;
		},
	});
};
