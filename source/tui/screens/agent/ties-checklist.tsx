import {
	useEffect,
	useMemo,
	useState,
	useSyncExternalStore,
	type ReactElement,
} from 'react';
import {Text} from 'ink';
import {goneText} from '../../../interface/lists.ts';
import {type Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useAbilities} from '../../hooks/use-abilities.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {hintOf} from '../../keys/hints.ts';
import {filterHints} from '../../state/filter-syntax.ts';
import {withMark} from '../../state/severity.ts';
import {theme} from '../../theme.ts';
import {Checklist} from '../../widgets/checklist/index.ts';
import {wrapText} from '../../widgets/wrap.ts';
import {abilityColumns} from '../list/columns.ts';
import {ListNotice} from '../list/list-notice.tsx';
import {DetailFrame, detailLayoutOf, TitleLine} from '../detail-frame.tsx';
import {tieChangesLines, tieChangesOf} from './tie-changes.ts';
import {followTies, tieChoicesOf} from './tie-choices.ts';
import {chosenItems, tieItems, tieRows} from './tie-rows.ts';
import {useTiesKeys} from './use-ties-keys.ts';

const warning = 'This service doesn\'t show which abilities the agent has: saving replaces them all.';

type TiesChecklistProps = {
	/** The newest that is known of it. */
	readonly agent: Agent;
	/** True if it was deleted. */
	readonly isGone: boolean;
};

/** A checklist of all abilities, which follows the agent until something is chosen: Enter saves the chosen ones as the agent's, Escape cancels. */
export const TiesChecklist = ({agent, isGone}: TiesChecklistProps): ReactElement => {
	const ui = useUiServices();
	const session = useServiceSession();
	const appState = useAppState();
	const {columns} = appState.size;
	const abilities = useAbilities();
	const {pending} = useEditAgent();
	const [choices] = useState(() => tieChoicesOf(session, agent));
	const {store, chooseRows} = choices;
	const state = useSyncExternalStore(store.subscribe, store.getState);
	const items = useMemo(() => abilities.records === undefined ? [] : tieItems(abilities.records, agent), [abilities.records, agent]);
	const itemById = useMemo(() => new Map(items.map(item => [item.id, item])), [items]);
	const {ids, isFuzzy} = useMemo(() => tieRows(chooseRows, items, state), [chooseRows, items, state]);
	const trouble = isGone ? goneText('agents', agent.name) : (agent.abilityIds === undefined ? warning : '');
	const warningLines = trouble === '' ? [] : wrapText(withMark('warning', trouble), columns - 2);
	const {bodyRows, hasSpacer} = detailLayoutOf(appState);
	// If the service doesn't show the agent's abilities, the changes are unknown.
	const before = choices.seen.abilityIds;
	const changes = before === undefined || abilities.records === undefined ? [] : tieChangesLines(tieChangesOf(before, state.marks, items), columns - 2, hasSpacer ? 3 : 1);
	// If there is room, a line is reserved for them, so that the list does not jump.
	const changeRows = Math.max(changes.length, hasSpacer ? 1 : 0);
	const visibleRows = Math.max(1, bodyRows - warningLines.length - changeRows);
	const isSaving = pending.has(agent.id);
	useTiesKeys({
		agent, isGone, choices, abilities, items, visibleRows, isSaving,
	});

	useEffect(() => {
		followTies(choices, agent);
	}, [choices, agent]);

	useEffect(() => {
		// A key may have moved the cursor since this frame: then the next frame settles it.
		if (store.getState() === state) {
			store.dispatch({type: 'settle', ids, visibleRows});
		}
	}, [store, state, ids, visibleRows]);

	const isFiltered = state.isFilterOpen || state.filter !== '';
	const notes = [
		isSaving ? 'saving…' : '',
		isFiltered ? `/${state.filter}${state.isFilterOpen ? '_' : ''} ${ids.length} of ${items.length}` : '',
		`${chosenItems(items, state).length} chosen`,
	];
	const title = columns < 60 ? agent.name : `Abilities of ${agent.name}`;
	const hints = state.isFilterOpen
		? filterHints(state.filter)
		: [
			hintOf(ui.keymap, 'toggle', 'choose'),
			{key: 'enter', label: 'save'},
			{key: 'esc', label: 'cancel'},
			hintOf(ui.keymap, 'filter'),
			hintOf(ui.keymap, 'mark-all', 'all'),
		].filter(hint => hint !== undefined);
	return (
		<DetailFrame head={<TitleLine title={title} notes={notes}/>} hints={hints}>
			{warningLines.map(line => <Text key={line} {...theme.warning} wrap='truncate-end'>{` ${line}`}</Text>)}
			{ids.length === 0
				? <ListNotice width={columns} height={visibleRows} plural='abilities' emptyHint='Upload one first.' filter={state.filter} hasRecords={items.length > 0} resource={abilities}/>
				: <Checklist state={state} ids={ids} isFuzzy={isFuzzy} itemOf={id => itemById.get(id)!} visibleRows={visibleRows} columns={abilityColumns(columns)}/>}
			{changes.map(line => <Text key={line} {...theme.pending} wrap='truncate-end'>{` ${line}`}</Text>)}
		</DetailFrame>
	);
};
