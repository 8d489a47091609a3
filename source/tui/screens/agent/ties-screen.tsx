import {useEffect, useMemo, useSyncExternalStore, type ReactElement} from 'react';
import stringWidth from 'string-width';
import {goneText} from '../../../interface/lists.ts';
import type {Ability, Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {hasValues} from '../../../changes/fields.ts';
import {useEditAgent} from '../../hooks/saves.ts';
import {abilityCountText} from '../../state/edit-words.ts';
import {isGone as isGoneFrom, useAbilities, useAgents} from '../../hooks/use-resource.ts';
import {keyTable} from '../../../words/key-table.ts';
import {hintOf, keyLabel, keyName, runAction} from '../../../words/keymap.ts';
import {createObservable} from '../../observable.ts';
import {parseFilter, type Highlight} from '../../../interface/filter.ts';
import {createRowFilter} from '../../state/rows.ts';
import {signs, withMark} from '../../../words/signs.ts';
import {withAllToggled, withMarkToggled} from '../../state/view.ts';
import {stateTone} from '../../theme.ts';
import {moveOf, type Move} from '../../state/list-state.ts';
import type {Line} from '../../widgets/list.tsx';
import {rowLine, type RowCell} from '../../widgets/row.ts';
import {useLastKnown, useRemembered} from '../../widgets/text-scroll.ts';
import {wrapText} from '../../../terminal/wrap.ts';
import {askQuestion} from '../confirm.tsx';
import {detailLayoutOf} from '../detail-frame.tsx';
import {filterHints} from '../filter-line.ts';
import {createOverlayFilter, filterNote, ListOverlay} from '../list-overlay.tsx';
import {abilityRowColumns, categoryCell} from '../list/ability-row.ts';
import {listNotice} from '../list/list-notice.tsx';
import {dismissError} from '../refuse-change.ts';
import {closeOverlay, failureText, useSaveOverlay} from '../save-overlay.ts';

/** The chosen abilities, and the agent at the beginning of the choice; after a conflict, the reported one. */
type Choice = {readonly marks: ReadonlySet<number>; readonly seen: Agent};

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
			closeOverlay(ui, 'edit-ties', id);
		}
	}, [ui, isKnown, id]);
	return isKnown ? <TiesChecklist agent={agent} isGone={isGoneFrom(list, id)} /> : null;
}

/**
Draws a checklist of all abilities, which follows the agent until an ability is chosen: Ctrl+S or Enter saves the chosen abilities as the
agent's, Escape leaves and asks first if that loses a choice.
*/
function TiesChecklist({agent, isGone}: {readonly agent: Agent; readonly isGone: boolean}): ReactElement {
	const ui = useUiServices();
	const {keymap, store} = ui;
	const appState = useAppState();
	const {columns} = appState.size;
	const abilities = useAbilities();
	const {pending} = useEditAgent();
	const items = useMemo(() => (abilities.records === undefined ? [] : itemsOf(abilities.records, agent)), [abilities.records, agent]);
	const itemById = useMemo(() => new Map(items.map(item => [item.id, item])), [items]);
	const {choice, chooseRows, filter} = useRemembered('choice', createChoice);
	const begun = useSyncExternalStore(choice.subscribe, choice.get);
	const filtered = useSyncExternalStore(filter.subscribe, filter.getState);
	const {filter: line} = filtered;
	const read = (): Choice => choice.get() ?? {seen: agent, marks: new Set(agent.abilityIds)};
	const {seen, marks} = read();
	const {ids, isFuzzy} = chooseRows(items, {
		filter: line,
		sort: {column: 'none', isReversed: false},
		toRowData: item => ({...item, isMarked: marks.has(item.id)}),
	});
	// An ability that was chosen may have been deleted.
	const chosen = items.filter(({id}) => marks.has(id));
	const trouble = isGone ? goneText('agents', agent.name) : agent.abilityIds === undefined ? warning : '';
	const isSaving = pending.has(agent.id);
	const {save, leave} = useSaveTies({agent, choice, read, chosen, isSaving});

	/** A choice that is back at its beginning counts as none. */
	const mark = (newMarks: ReadonlySet<number>): void =>
		choice.set(newMarks.symmetricDifference(new Set(read().seen.abilityIds)).size === 0 ? undefined : {marks: newMarks, seen: read().seen});

	const toggle = (row: number): void => {
		const id = ids[row];
		if (id !== undefined) {
			mark(withMarkToggled({marks: read().marks, range: undefined}, id).marks);
		}
	};

	const sayUnread = (): void => {
		if (abilities.isReading) {
			ui.say('info', 'Still reading the abilities.', 'abilities');
		} else {
			ui.say('error', `Could not read the abilities. ${keyName(keymap, 'refresh')} tries again.`, abilities.error, 'abilities');
		}
	};

	const act = (name: string, row: number, move: (by: Move) => void): boolean => {
		const action = keymap.actionOf(name, ['switches', 'states', 'list', 'everywhere']);
		const isSaveKey = name === 'enter' || name === 'ctrl+s';
		if (action === 'help' || action === 'messages') {
			store.dispatch({type: 'open', overlay: {kind: action}});
		} else if (action === 'refresh') {
			void abilities.refresh();
		} else if (abilities.records === undefined && (isSaveKey || action !== undefined)) {
			sayUnread();
		} else if (isSaveKey) {
			save();
		} else if (action === 'filter' || action === 'clear' || isMove(action)) {
			return false;
		} else if (!isSaving) {
			const isUsed = runAction(
				{
					toggle: () => toggle(row),
					mark() {
						toggle(row);
						move('down');
					},
					'mark-all': () => mark(withAllToggled({marks: read().marks, range: undefined}, ids).marks),
				},
				action,
			);
			if (!isUsed && action !== undefined) {
				ui.say('info', `${keyLabel(name)} (${keyTable[action].hint}) works on the list, not here. Ctrl+S saves.`);
			}
		}

		return true;
	};

	const widths = abilityRowColumns(columns);
	const highlight = parseFilter(line).highlight(isFuzzy);
	return (
		<ListOverlay
			title={columns < 60 ? agent.name : `Abilities of ${agent.name}`}
			notes={[isSaving ? 'saving…' : '', filterNote(filtered, `${ids.length} of ${items.length}`), `${chosen.length} chosen`]}
			lead={trouble === '' ? [] : wrapText(withMark('warning', trouble), columns - 2)}
			// If the service does not show the agent's abilities, the changes are not known.
			foot={
				seen.abilityIds === undefined || abilities.records === undefined || begun === undefined
					? []
					: changesLines(seen.abilityIds, marks, items, columns - 2, detailLayoutOf(appState).hasSpacer ? 3 : 1)
			}
			filter={filter}
			filterHints={filterHints(line)}
			action="edit-ties"
			ids={ids}
			notice={listNotice(keymap, {
				plural: 'abilities',
				emptyHint: 'Upload one first.',
				filter: line,
				hasRecords: items.length > 0,
				resource: abilities,
			})}
			hints={[hintOf(keymap, 'toggle', 'choose'), {key: 'ctrl+s', label: 'save'}, hintOf(keymap, 'mark-all', 'all')]}
			lineOf={(row, isCursor) => tieLine(itemById.get(ids[row]!)!, {isCursor, isChosen: marks.has(ids[row]!), widths, highlight})}
			onKey={({name}, row, move) => act(name, row, move)}
			onLeave={keyName => {
				if (keyName === 'escape' && dismissError(store)) {
					return;
				}

				// A save that is under way reports its outcome.
				if (begun === undefined || isGone || isSaving) {
					leave();
				} else {
					askQuestion(ui, {question: 'Leave without saving?', details: ['The choice is lost.'], yes: 'leave', onYes: leave});
				}
			}}
		/>
	);
}

const isMove = (action: string | undefined): boolean =>
	action === 'next-match' || action === 'previous-match' || moveOf(action) !== undefined;

const createChoice = () => ({
	/** `undefined` until an ability is chosen. */
	choice: createObservable<Choice | undefined>(undefined),
	chooseRows: createRowFilter(),
	filter: createOverlayFilter(),
});

type TiesOptions = {
	readonly agent: Agent;
	readonly choice: ReturnType<typeof createChoice>['choice'];
	readonly read: () => Choice;
	readonly chosen: readonly Item[];
	readonly isSaving: boolean;
};

function useSaveTies({agent, choice, read, chosen, isSaving}: TiesOptions) {
	const ui = useUiServices();
	const {edit} = useEditAgent();
	const saveOverlay = useSaveOverlay();
	const abilityIds = chosen.map(({id}) => id);

	const leave = (): void => closeOverlay(ui, 'edit-ties', agent.id);

	const send = (): void => {
		const {seen} = read();
		const subject = `the abilities of ${agent.name}`;
		void saveOverlay({
			kind: 'edit-ties',
			resource: 'agents',
			id: agent.id,
			subject,
			pronoun: 'them',
			async send() {
				await edit(seen, {abilities: abilityIds});
				const undoHint = seen.abilityIds === undefined ? '' : ` ${keyName(ui.keymap, 'undo')} undoes this.`;
				return `Saved: ${agent.name} has ${abilityCountText(abilityIds.length)}.${undoHint}`;
			},
			onConflict(newest = agent) {
				choice.set({marks: read().marks, seen: newest});
			},
			refuse(error, hint = 'Ctrl+S tries again.') {
				ui.say('error', failureText(subject, error, hint), error);
			},
		});
	};

	return {
		leave,
		/** Saves the chosen abilities as the agent's; asks first if the service does not show the present ones. */
		save(): void {
			const {seen} = read();
			if (isSaving) {
				ui.say('info', `Still saving ${agent.name}.`);
			} else if (seen.abilityIds === undefined) {
				askQuestion(ui, {
					question: `Replace all abilities of ${agent.name}? This service doesn't show which it has.`,
					details:
						chosen.length === 0 ? ['It would have none.'] : ['It would have only:', ...chosen.map(({name, id}) => `${name} (#${id})`)],
					yes: 'replace',
					onYes: send,
				});
			} else if (hasValues('agents', seen, {abilities: abilityIds})) {
				leave();
				ui.say('info', `No changes: ${agent.name} keeps its abilities.`);
			} else {
				send();
			}
		},
	};
}

/** Returns all abilities, with the agent's abilities that the list lacks: a save without them would remove them unseen. */
function itemsOf(abilities: readonly Ability[], {abilityIds = []}: Agent): readonly Item[] {
	const known = new Set(abilities.map(({id}) => id));
	const unknown = abilityIds.filter(id => !known.has(id)).map(id => ({id, name: `#${id}`, category: '', triggerPhrases: []}));
	return [...abilities, ...unknown];
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
