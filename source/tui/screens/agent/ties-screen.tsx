import {Text} from 'ink';
import {useEffect, useMemo, useSyncExternalStore, type ReactElement} from 'react';
import stringWidth from 'string-width';
import {goneText} from '../../../interface/lists.ts';
import type {Ability, Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {hasValues} from '../../../changes/fields.ts';
import {useEditAgent} from '../../hooks/saves.ts';
import {abilityCountText} from '../../state/edit-words.ts';
import {isGone as isGoneFrom, useAbilities, useAgents, type ResourceState} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {keyTable} from '../../../words/key-table.ts';
import {hintOf, isBackKey, keyLabel, keyName, runAction} from '../../../words/keymap.ts';
import {createStore, withChanges, type StateStore} from '../../observable.ts';
import type {FilterLineAction} from '../../state/app-state.ts';
import {parseFilter, type Highlight} from '../../../interface/filter.ts';
import {createRowFilter, type FilteredRows} from '../../state/rows.ts';
import {signs, typingEnd, withMark} from '../../../words/signs.ts';
import {withAllToggled, withFilter, withMarkToggled, withoutFilter, withSettled, type FilteredList} from '../../state/view.ts';
import {stateTone, theme} from '../../theme.ts';
import {cursorRowOf, initialListState, afterMove, moveOf, settled, type Move} from '../../state/list-state.ts';
import {List, type Line} from '../../widgets/list.tsx';
import {rowLine, type RowCell} from '../../widgets/row.ts';
import {useLastKnown, useRemembered} from '../../widgets/text-scroll.ts';
import {wrapText} from '../../../terminal/wrap.ts';
import {askQuestion} from '../confirm.tsx';
import {DetailFrame, detailLayoutOf, TitleLine} from '../detail-frame.tsx';
import {filterHints, useFilterLine} from '../filter-line.ts';
import {abilityRowColumns, categoryCell} from '../list/ability-row.ts';
import {ListNotice} from '../list/list-notice.tsx';
import {dismissError} from '../refuse-change.ts';
import {closeOverlay, failureText, useSaveOverlay} from '../save-overlay.ts';

type Choice = FilteredList & {
	readonly isFilterOpen: boolean;
	/**
	The chosen abilities, and the agent at the beginning of the choice; until then both follow the agent. After a conflict, the agent is the
	reported one.
	*/
	readonly begun: {readonly marks: ReadonlySet<number>; readonly seen: Agent} | undefined;
};

const noChoice: Choice = {list: initialListState, filter: '', idBefore: undefined, isFilterOpen: false, begun: undefined};

type Item = Pick<Ability, 'id' | 'name' | 'category' | 'triggerPhrases'>;

type TieLineOptions = {
	readonly isCursor: boolean;
	readonly isChosen: boolean;
	readonly widths: ReturnType<typeof abilityRowColumns>;
	readonly highlight: Highlight;
};

/** Returns a row with a box: `[x]` for a chosen ability. */
export function tieLine({name, category, triggerPhrases}: Item, {isCursor, isChosen, widths, highlight}: TieLineOptions): Line {
	const cells: readonly RowCell[] = [
		{...categoryCell(category, highlight), width: widths.agents},
		{text: triggerPhrases.join(', ') || signs.none, width: widths.phrases, positions: highlight.matchPositionsInPhrases(triggerPhrases)},
	];
	return rowLine({
		width: widths.width,
		isCursor,
		isMarked: false,
		state: isChosen ? signs.chosen : signs.notChosen,
		stateTone: stateTone(isChosen),
		name,
		positions: highlight.matchPositions(name),
		nameWidth: widths.name,
		cells: cells.filter(({width}) => width > 0),
	});
}

const warning = "This service doesn't show which abilities the agent has: saving replaces them all.";

/** Draws the abilities of an agent. It closes if the agent is not known. */
export function AgentTiesScreen({id}: {readonly id: number}): ReactElement | null {
	const ui = useUiServices();
	const list = useAgents();
	const agent = useLastKnown(
		'agent',
		list.records?.find(record => record.id === id),
	);
	const isKnown = agent !== undefined;
	useEffect(() => {
		if (!isKnown) {
			closeOverlay(ui, 'agent-ties', id);
		}
	}, [ui, isKnown, id]);
	return isKnown ? <TiesChecklist agent={agent} isGone={isGoneFrom(list, id)} /> : null;
}

type TiesOptions = {readonly agent: Agent; readonly isGone: boolean; readonly choice: ReturnType<typeof useChoice>};

/**
Draws a checklist of all abilities, which follows the agent until an ability is chosen: Enter saves the chosen abilities as the agent's,
Escape cancels.
*/
function TiesChecklist({agent, isGone}: Omit<TiesOptions, 'choice'>): ReactElement {
	const {keymap} = useUiServices();
	const appState = useAppState();
	const {columns} = appState.size;
	const abilities = useAbilities();
	const {pending} = useEditAgent();
	const items = useMemo(() => (abilities.records === undefined ? [] : itemsOf(abilities.records, agent)), [abilities.records, agent]);
	const itemById = useMemo(() => new Map(items.map(item => [item.id, item])), [items]);
	const choice = useChoice(agent, items);
	const state = choice.read();
	const {seen, marks, filter, isFilterOpen} = state;
	const {ids, isFuzzy} = choice.rowsOf(state);
	const trouble = isGone ? goneText('agents', agent.name) : agent.abilityIds === undefined ? warning : '';
	const warningLines = trouble === '' ? [] : wrapText(withMark('warning', trouble), columns - 2);
	const {bodyRows, hasSpacer} = detailLayoutOf(appState);
	// If the service does not show the agent's abilities, the changes are not known.
	const changes =
		seen.abilityIds === undefined || abilities.records === undefined
			? []
			: changesLines(seen.abilityIds, marks, items, columns - 2, hasSpacer ? 3 : 1);
	// If there is room, a line is reserved for the changes, so that the list does not jump.
	const visibleRows = Math.max(1, bodyRows - warningLines.length - Math.max(changes.length, hasSpacer ? 1 : 0));
	const isSaving = pending.has(agent.id);
	useTiesKeys({agent, isGone, choice, abilities, visibleRows, isSaving});
	useEffect(() => choice.settle(visibleRows));

	const notes = [
		isSaving ? 'saving…' : '',
		isFilterOpen || filter !== '' ? `/${filter}${isFilterOpen ? typingEnd : ''} ${ids.length} of ${items.length}` : '',
		`${choice.chosen().length} chosen`,
	];
	const hints = isFilterOpen
		? filterHints(filter)
		: [
				hintOf(keymap, 'toggle', 'choose'),
				{key: 'enter', label: 'save'},
				{key: 'esc', label: 'cancel'},
				hintOf(keymap, 'filter'),
				hintOf(keymap, 'mark-all', 'all'),
			].filter(hint => hint !== undefined);
	const widths = abilityRowColumns(columns);
	const highlight = parseFilter(filter).highlight(isFuzzy);
	return (
		<DetailFrame head={<TitleLine title={columns < 60 ? agent.name : `Abilities of ${agent.name}`} notes={notes} />} hints={hints}>
			{warningLines.map(line => (
				<Text key={line} {...theme.warning} wrap="truncate-end">{` ${line}`}</Text>
			))}
			{ids.length === 0 ? (
				<ListNotice
					width={columns}
					height={visibleRows}
					plural="abilities"
					emptyHint="Upload one first."
					filter={filter}
					hasRecords={items.length > 0}
					resource={abilities}
				/>
			) : (
				<List
					state={state.list}
					ids={ids}
					visibleRows={visibleRows}
					lineOf={(row, isCursor) => tieLine(itemById.get(ids[row]!)!, {isCursor, isChosen: marks.has(ids[row]!), widths, highlight})}
				/>
			)}
			{changes.map(line => (
				<Text key={line} {...theme.pending} wrap="truncate-end">{` ${line}`}</Text>
			))}
		</DetailFrame>
	);
}

/** Returns all abilities, with the agent's abilities that the list lacks: a save without them would remove them unseen. */
function itemsOf(abilities: readonly Ability[], {abilityIds = []}: Agent): readonly Item[] {
	const known = new Set(abilities.map(({id}) => id));
	const unknown = abilityIds.filter(id => !known.has(id)).map(id => ({id, name: `#${id}`, category: '', triggerPhrases: []}));
	return [...abilities, ...unknown];
}

/**
Returns the choice of abilities for an agent: its newest state, because several keys may come between two frames, and the verbs of its keys.
*/
function useChoice(agent: Agent, items: readonly Item[]) {
	const {store, chooseRows} = useRemembered('choice', createChoice);
	useSyncExternalStore(store.subscribe, store.getState);

	const read = () => {
		const choice = store.getState();
		const {seen, marks} = choice.begun ?? {seen: agent, marks: new Set(agent.abilityIds)};
		return {...choice, seen, marks};
	};

	const change = (changed: Partial<Choice>): void => store.dispatch({type: 'change', change: changed});

	const rowsOf = ({filter, marks}: ReturnType<typeof read>): FilteredRows =>
		chooseRows(items, {filter, sort: {column: 'none', isReversed: false}, toRowData: item => ({...item, isMarked: marks.has(item.id)})});

	/** A choice that is back at its beginning counts as none. */
	const mark = (marks: ReadonlySet<number>): void => {
		const {seen} = read();
		change({begun: marks.symmetricDifference(new Set(seen.abilityIds)).size === 0 ? undefined : {marks, seen}});
	};

	return {
		store,
		read,
		rowsOf,
		change,
		move(move: Move, visibleRows: number): void {
			const choice = read();
			change({list: afterMove(choice.list, rowsOf(choice).ids, move, visibleRows), idBefore: undefined});
		},
		/** Puts the cursor on a visible row, where it stays when the list is read again. */
		settle(visibleRows: number): void {
			const choice = read();
			const {ids} = rowsOf(choice);
			const list = settled(choice.list, ids, visibleRows);
			if (list !== choice.list) {
				change(withSettled(choice, list, !ids.includes(choice.list.cursorId ?? list.cursorId!)));
			}
		},
		toggle(): void {
			const choice = read();
			const {ids} = rowsOf(choice);
			const id = ids[cursorRowOf(choice.list, ids)];
			if (id !== undefined) {
				mark(withMarkToggled({marks: choice.marks, range: undefined}, id).marks);
			}
		},
		toggleAll(): void {
			const choice = read();
			mark(withAllToggled({marks: choice.marks, range: undefined}, rowsOf(choice).ids).marks);
		},
		/** The chosen items that still exist, because a chosen ability may have been deleted. */
		chosen(): readonly Item[] {
			const {marks} = read();
			return items.filter(({id}) => marks.has(id));
		},
	};
}

type ChoiceAction = FilterLineAction | {readonly type: 'change'; readonly change: Partial<Choice>};

const createChoice = () => ({
	store: createStore(reduceChoice, noChoice) satisfies StateStore<Choice, ChoiceAction>,
	chooseRows: createRowFilter(),
});

function reduceChoice(choice: Choice, action: ChoiceAction): Choice {
	switch (action.type) {
		case 'change': {
			return withChanges(choice, action.change);
		}

		case 'edit-filter': {
			return {...choice, ...withFilter(choice, action.filter)};
		}

		case 'keep-filter': {
			return {...choice, isFilterOpen: false};
		}

		case 'clear-filter': {
			return {...choice, ...withoutFilter(choice), isFilterOpen: false};
		}
	}
}

/** Returns the unsaved changes, such as `+ pantry  - nightwatch`, with as many names as there is room for. */
function changesLines(
	before: readonly number[],
	marks: ReadonlySet<number>,
	items: readonly Item[],
	width: number,
	height: number,
): readonly string[] {
	const tied = new Set(before);
	const names = new Map(items.map(({id, name}) => [id, name]));
	const changes = {
		'+': items.filter(({id}) => marks.has(id) && !tied.has(id)).map(({name}) => name),
		'-': [...tied].filter(id => !marks.has(id)).map(id => names.get(id) ?? `#${id}`),
	};

	const linesWith = (count: number): readonly string[] => {
		const parts = Object.entries(changes)
			.filter(([, all]) => all.length > 0)
			.map(([sign, all]) => {
				const rest = all.length - count;
				return `${sign} ${[...all.slice(0, count), ...(rest > 0 ? [`${rest} ${count === 0 ? 'abilities' : 'more'}`] : [])].join(', ')}`;
			});
		const line = parts.join('  ');
		return line === '' ? [] : stringWidth(line) <= width ? [line] : parts.flatMap(text => wrapText(text, width));
	};

	let count = Math.max(changes['+'].length, changes['-'].length);
	while (count > 0 && linesWith(count).length > height) {
		count--;
	}

	return linesWith(count).slice(0, height);
}

type TiesKeysOptions = TiesOptions & {readonly abilities: ResourceState<Ability>; readonly visibleRows: number; readonly isSaving: boolean};

/** The keys of the checklist of an agent's abilities: Enter saves, Escape cancels. */
function useTiesKeys({abilities, visibleRows, isSaving, ...options}: TiesKeysOptions): void {
	const ui = useUiServices();
	const {choice} = options;
	const {store} = choice;
	const {save, cancel} = useSaveTies(options);
	const isRead = abilities.records !== undefined;

	const sayUnread = (): void => {
		if (abilities.isReading) {
			ui.say('info', 'Still reading the abilities.', 'abilities');
		} else {
			ui.say('error', `Could not read the abilities. ${keyName(ui.keymap, 'refresh')} tries again.`, abilities.error, 'abilities');
		}
	};

	/** Returns false for a key that does not change the choice. */
	const choose = (pressed: string): boolean => {
		const action = ui.keymap.actionOf(pressed, ['switches', 'states', 'list']);
		// Each row of a filtered list is a match.
		const move = action === 'next-match' ? 'down' : action === 'previous-match' ? 'up' : moveOf(action);
		if (move !== undefined) {
			choice.move(move, visibleRows);
			return true;
		}

		if (action === 'clear' && store.getState().filter === '') {
			return false;
		}

		return runAction(
			{
				toggle: choice.toggle,
				mark() {
					choice.toggle();
					choice.move('down', visibleRows);
				},
				'mark-all': choice.toggleAll,
				filter() {
					choice.change({isFilterOpen: true});
				},
				clear() {
					store.dispatch({type: 'clear-filter'});
				},
			},
			action,
		);
	};

	useKeys(layers.overlay, {
		onKey({name}) {
			if (!isSaving && isRead && choose(name)) {
				return true;
			}

			const action = ui.keymap.actionOf(name, ['list', 'everywhere']);
			// With h or Left a choice would be lost too easily.
			if (isBackKey(ui.keymap, name) && action !== 'previous-screen') {
				if (name !== 'escape' || !dismissError(ui.store)) {
					cancel();
				}
			} else if (action === 'refresh') {
				void abilities.refresh();
			} else if (action === 'help' || action === 'messages') {
				return false;
			} else if (!isRead && (name === 'enter' || action !== undefined)) {
				sayUnread();
			} else if (name === 'enter') {
				save();
			} else if (action !== undefined && !isSaving) {
				ui.say('info', `${keyLabel(name)} (${keyTable[action].hint}) works on the list, not here. Enter saves.`);
			}

			return true;
		},
	});
	useFilterLine({
		store,
		read: store.getState,
		move(move) {
			choice.move(move, visibleRows);
		},
	});
}

function useSaveTies({agent, isGone, choice}: TiesOptions) {
	const ui = useUiServices();
	const {edit, isPending} = useEditAgent();
	const saveOverlay = useSaveOverlay();

	const leave = (): void => closeOverlay(ui, 'agent-ties', agent.id);

	const send = (abilityIds: readonly number[]): void => {
		const {seen} = choice.read();
		const subject = `the abilities of ${agent.name}`;
		void saveOverlay({
			kind: 'agent-ties',
			resource: 'agents',
			id: agent.id,
			subject,
			pronoun: 'them',
			editKey: 'edit-ties',
			async send() {
				await edit(seen, {abilities: abilityIds});
				const undoHint = seen.abilityIds === undefined ? '' : ` ${keyName(ui.keymap, 'undo')} undoes this.`;
				return `Saved: ${agent.name} has ${abilityCountText(abilityIds.length)}.${undoHint}`;
			},
			onConflict(newest = agent) {
				choice.change({begun: {marks: choice.read().marks, seen: newest}});
			},
			refuse(error, hint = 'Enter tries again.') {
				ui.say('error', failureText(subject, error, hint), error);
			},
		});
	};

	return {
		/** Drops the choice, with a message if there was one. */
		cancel(): void {
			// A save that is under way reports its own outcome.
			const isDropped = choice.read().begun !== undefined && !isGone && !isPending(agent.id);
			leave();
			if (isDropped) {
				ui.say('info', `Cancelled: ${agent.name} keeps its abilities.`);
			}
		},
		/** Saves the chosen abilities as the agent's; asks first if the service does not show the present ones. */
		save(): void {
			const {seen} = choice.read();
			const chosen = choice.chosen();
			const abilityIds = chosen.map(({id}) => id);
			if (isPending(agent.id)) {
				ui.say('info', `Still saving ${agent.name}.`);
			} else if (seen.abilityIds === undefined) {
				askQuestion(ui, {
					question: `Replace all abilities of ${agent.name}? This service doesn't show which it has.`,
					details:
						chosen.length === 0 ? ['It would have none.'] : ['It would have only:', ...chosen.map(({name, id}) => `${name} (#${id})`)],
					yes: 'replace',
					onYes() {
						send(abilityIds);
					},
				});
			} else if (hasValues('agents', seen, {abilities: abilityIds})) {
				leave();
				ui.say('info', `No changes: ${agent.name} keeps its abilities.`);
			} else {
				send(abilityIds);
			}
		},
	};
}
