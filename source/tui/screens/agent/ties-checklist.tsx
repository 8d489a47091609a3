import {
	useEffect,
	useMemo,
	useState,
	useSyncExternalStore,
	type ReactElement,
} from 'react';
import {Text} from 'ink';
import {type Ability, type Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useAbilities} from '../../hooks/use-abilities.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {hintOf, keyName} from '../../keys/hints.ts';
import {keyLabel} from '../../keys/key-labels.ts';
import {keyTable} from '../../keys/key-table.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {filterHints} from '../../state/filter-syntax.ts';
import {type ChosenRows, type RowChooser} from '../../state/rows.ts';
import {withMark} from '../../state/severity.ts';
import {theme} from '../../theme.ts';
import {
	actOnChecklist,
	Checklist,
	type ChecklistItem,
	type ChecklistState,
} from '../../widgets/checklist/index.ts';
import {wrapText} from '../../widgets/wrap.ts';
import {abilityColumns} from '../list/columns.ts';
import {ListNotice} from '../list/list-notice.tsx';
import {DetailFrame, detailLayoutOf, TitleLine} from '../detail-frame.tsx';
import {tieChangesLines, tieChangesOf} from './tie-changes.ts';
import {tieChoicesOf} from './tie-choices.ts';
import {useSaveTies} from './use-save-ties.ts';

const warning = 'This service does not show what is tied to it now: what you save replaces all of it.';

/** All abilities, and those that are tied although the list does not have them: unseen, they would be lost with the next save. */
const itemsOf = (abilities: readonly Ability[], {abilityIds = []}: Agent): readonly ChecklistItem[] => {
	const known = new Set(abilities.map(({id}) => id));
	const unknown = abilityIds.filter(id => !known.has(id)).map(id => ({
		id, name: `#${id}`, category: '', triggerPhrases: [],
	}));
	return [...abilities, ...unknown];
};

const rowsOf = (chooseRows: RowChooser, items: readonly ChecklistItem[], {filter, marks}: ChecklistState): ChosenRows => chooseRows(items, {
	filter,
	sort: {column: 'none', isReversed: false},
	toListable: item => ({...item, isMarked: marks.has(item.id)}),
});

/** What is chosen of what there is: an ability that was chosen may be deleted by now. */
const chosenOf = (items: readonly ChecklistItem[], {marks}: ChecklistState): readonly ChecklistItem[] => items.filter(({id}) => marks.has(id));

/** A checklist of all abilities: Enter ties the chosen ones to the agent, Escape leaves what is tied. */
export const TiesChecklist = ({agent}: {readonly agent: Agent}): ReactElement => {
	const ui = useUiServices();
	const session = useServiceSession();
	const appState = useAppState();
	const {columns} = appState.size;
	const abilities = useAbilities();
	const {pending} = useEditAgent();
	const [choices] = useState(() => tieChoicesOf(session, agent));
	const {store, chooseRows} = choices;
	const {save, abandon} = useSaveTies(agent, choices);
	const state = useSyncExternalStore(store.subscribe, store.getState);
	const items = useMemo(() => abilities.records === undefined ? [] : itemsOf(abilities.records, agent), [abilities.records, agent]);
	const itemById = useMemo(() => new Map(items.map(item => [item.id, item])), [items]);
	const {ids, areLettersEnough} = useMemo(() => rowsOf(chooseRows, items, state), [chooseRows, items, state]);
	const warningLines = agent.abilityIds === undefined ? wrapText(withMark('warning', warning), columns - 2) : [];
	const {bodyRows, hasSpacer} = detailLayoutOf(appState);
	// Without knowing what is tied nobody can say what changes.
	const before = (choices.seen ?? agent).abilityIds;
	const changes = before === undefined || abilities.records === undefined ? [] : tieChangesLines(tieChangesOf(before, state.marks, items), columns - 2, hasSpacer ? 3 : 1);
	// Where there is room a line stays free for them, so that the list does not jump.
	const changeRows = Math.max(changes.length, hasSpacer ? 1 : 0);
	const visibleRows = Math.max(1, bodyRows - warningLines.length - changeRows);
	const isSaving = pending.has(agent.id);

	useEffect(() => {
		// A key may have moved on since this was drawn: then the next drawing settles it.
		if (store.getState() === state) {
			store.dispatch({type: 'settle', ids, visibleRows});
		}
	}, [store, state, ids, visibleRows]);

	const sayUnread = (): void => {
		if (abilities.isReading) {
			ui.say('info', 'The abilities are still being read.');
		} else {
			ui.say('error', `What is tied to ${agent.name} stays as it is: the abilities could not be read. ${keyName(ui.keymap, 'refresh')} tries again.`, abilities.error);
		}
	};

	const enter = (): void => {
		if (abilities.records === undefined) {
			sayUnread();
			return;
		}

		const chosen = chosenOf(items, store.getState());
		save(chosen.map(({id}) => id), chosen.map(({name, id}) => `${name} (#${id})`));
	};

	const escape = (): void => {
		if (ui.store.getState().messages.shown === undefined) {
			abandon();
		} else {
			ui.store.dispatch({type: 'dismiss'});
		}
	};

	useKeys(layers.overlay, {
		onKey(key) {
			const isActed = !isSaving && abilities.records !== undefined && actOnChecklist(key, {
				keymap: ui.keymap,
				store,
				visibleRows,
				idsOf: now => rowsOf(chooseRows, items, now).ids,
			});
			if (isActed) {
				return true;
			}

			const action = ui.keymap.actionOf(key.name, ['list', 'everywhere']);
			if (key.name === 'escape') {
				escape();
			} else if (key.name === 'enter') {
				enter();
			} else if (action === 'refresh') {
				void abilities.refresh();
			} else if (action === 'help' || action === 'messages') {
				return false;
			} else if (action !== undefined && abilities.records === undefined) {
				sayUnread();
			} else if (action !== undefined && !isSaving) {
				ui.say('info', `${keyLabel(key.name)} (${keyTable[action].hint}) does not act on these boxes. Enter saves them.`);
			}

			return true;
		},
		onPaste(text) {
			const {isFilterOpen, filter} = store.getState();
			if (isFilterOpen) {
				store.dispatch({type: 'edit-filter', filter: filter + text.replaceAll('\n', ' ')});
			}

			return isFilterOpen;
		},
	});

	const isFiltered = state.isFilterOpen || state.filter !== '';
	const notes = [
		isSaving ? 'saving…' : '',
		isFiltered ? `/${state.filter}${state.isFilterOpen ? '_' : ''} ${ids.length} of ${items.length}` : '',
		`${chosenOf(items, state).length} chosen`,
	];
	const title = columns < 60 ? agent.name : `Abilities of ${agent.name}`;
	const hints = state.isFilterOpen
		? filterHints(state.filter)
		: [
			hintOf(ui.keymap, 'toggle', 'choose'),
			{key: 'enter', label: 'save'},
			{key: 'esc', label: 'leave'},
			hintOf(ui.keymap, 'filter'),
			hintOf(ui.keymap, 'mark-all', 'all'),
		].filter(hint => hint !== undefined);
	return (
		<DetailFrame head={<TitleLine title={title} notes={notes}/>} hints={hints}>
			{warningLines.map(line => <Text key={line} {...theme.warning} wrap='truncate-end'>{` ${line}`}</Text>)}
			{ids.length === 0
				? <ListNotice width={columns} height={visibleRows} plural='abilities' emptyHint='Upload one first.' filter={state.filter} hasRecords={items.length > 0} resource={abilities}/>
				: <Checklist state={state} ids={ids} areLettersEnough={areLettersEnough} itemOf={id => itemById.get(id)!} visibleRows={visibleRows} columns={abilityColumns(columns)}/>}
			{changes.map(line => <Text key={line} {...theme.pending} wrap='truncate-end'>{` ${line}`}</Text>)}
		</DetailFrame>
	);
};
