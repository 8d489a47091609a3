import {useMemo, type ReactElement} from 'react';
import {useAppState} from '../../app-context.ts';
import {useInstalled} from '../../hooks/use-installed.ts';
import {useOutsideChanges} from '../../hooks/use-outside-changes.ts';
import {useToggle} from '../../hooks/use-toggle.ts';
import {highlightOf} from '../../state/highlight.ts';
import {List, visibleIds, type ListState} from '../../widgets/list/index.ts';
import {useShownAges} from '../use-shown-ages.ts';
import {abilityLine} from '../list/ability-row.ts';
import {abilityColumns} from '../list/columns.ts';
import {type TiedAbility} from './tied-abilities.ts';

/** There is no filter here. */
const noHighlight = highlightOf([], false);

type TiedListProps = {
	readonly tied: readonly TiedAbility[];
	readonly list: ListState;
	readonly height: number;
};

/** The abilities of an agent, in the same rows as in other lists. */
export const TiedList = ({tied, list, height}: TiedListProps): ReactElement => {
	const widths = abilityColumns(useAppState().size.columns);
	const {intents} = useInstalled();
	const now = useAppState(state => state.now);
	const {failures} = useToggle();
	const {signs} = useOutsideChanges();
	const ids = useMemo(() => tied.map(({id}) => id), [tied]);
	const shownIds = new Set(widths.age === 0 ? [] : visibleIds(list, ids, height));
	useShownAges(tied.filter(({id}) => shownIds.has(id)).map(({ability, installed}) => (installed ?? ability)?.changedAt));
	return (
		<List
			state={list}
			ids={ids}
			visibleRows={height}
			lineOf={(row, isCursor) => {
				const {name, ability, installed, isInstalled, isEnabled} = tied[row]!;
				return abilityLine({
					isCursor,
					isMarked: false,
					isChanged: installed !== undefined && signs.installed.has(installed.id),
					filter: noHighlight,
					record: {
						category: '', triggerPhrases: [], changedAt: undefined, ...ability, ...installed, name,
					},
					columns: widths,
					now,
					isEnabled,
					isInstalled,
					isPending: installed !== undefined && intents.has(installed.id),
					hasFailed: installed !== undefined && failures.has(installed.id),
				});
			}}
		/>
	);
};
