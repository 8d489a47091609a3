import {Box, Text} from 'ink';
import {useMemo, type ReactElement} from 'react';
import {withValues} from '../../../changes/fields.ts';
import {newestChange} from '../../../interface/installed-lookup.ts';
import type {Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {originalText, useEditAgent} from '../../hooks/saves.ts';
import {useAgents, useChangers, useInstalled, useOutsideChanges, useToggle} from '../../hooks/use-resource.ts';
import type {ActionName} from '../../../words/key-table.ts';
import {hintOf, runAction, searchHints, type Hint, type Keymap} from '../../../words/keymap.ts';
import {highlightOf} from '../../../interface/filter.ts';
import {theme} from '../../theme.ts';
import {cursorRowOf, initialListState, afterMove, moveOf, paneMoveOf, type ListState} from '../../state/list-state.ts';
import {List} from '../../widgets/list.tsx';
import {ScrollText, textLines, type ScrollLine} from '../../widgets/scroll-text.tsx';
import {useLastKnown, useRememberedState, useTextScroll} from '../../widgets/text-scroll.ts';
import {useTextSearch} from '../../widgets/text-search.ts';
import {actOnSwitches, sayNotSwitched} from '../act-on-switches.ts';
import {DetailFrame, detailLayoutOf, useProfileNote} from '../detail-frame.tsx';
import {abilityRowColumns, abilityLine, categoryCell} from '../list/ability-row.ts';
import {useOpenedKeys} from '../opened-keys.ts';
import {useAgentActions} from './agent-actions.ts';
import {onCountText, overlayOfTied, useTiedAbilities, type TiedAbility} from '../tied-abilities.ts';

/** Lines longer than this are hard to read, however wide the terminal is. */
const maximumWidth = 100;

export function promptWidth(columns: number): number {
	return Math.max(10, Math.min(maximumWidth, columns - 2));
}

const roomyRows = 9;

const noHighlight = highlightOf([], false);

/** Draws one agent: its name, its abilities, switched in place, and its whole prompt. */
export function AgentScreen({id}: {readonly id: number}): ReactElement {
	const ui = useUiServices();
	const {keymap, isReadOnly} = ui;
	const profileNote = useProfileNote();
	const state = useAppState();
	const {columns} = state.size;
	const agents = useAgents();
	const changedBy = useChangers()('agents', id, state.now);
	const {pending} = useEditAgent();
	const actOnAgent = useAgentActions();
	const known = agents.records?.find(record => record.id === id);
	const changes = pending.get(id);
	const agent = useMemo(() => known && withValues('agents', known, changes ?? {}), [known, changes]);
	const last = useLastKnown('agent', known);
	const tiedAbilities = useTiedAbilities(agent === undefined ? [] : [agent]);
	const actOnTied = useTiedActions(tiedAbilities);
	const tied = agent && tiedAbilities.of(agent);
	const ids = useMemo(() => tied?.map(each => each.id) ?? [], [tied]);
	const hasList = agents.records !== undefined;
	const lines = useMemo(
		() => (agent === undefined ? [{text: hasList ? 'This agent no longer exists.' : 'Reading the agents…'}] : promptLines(agent, columns)),
		[agent, hasList, columns],
	);
	const texts = useMemo(() => lines.map(({text}) => text), [lines]);
	const {bodyRows} = detailLayoutOf(state);
	const rows = agentRowsOf(bodyRows, ids.length, lines.length);
	const [list, setList] = useRememberedState('list', initialListState);
	const scroll = useTextScroll(lines.length, rows.prompt);
	const search = useTextSearch(texts, scroll);
	const current = tied?.[cursorRowOf(list, ids)];

	const act = (action: ActionName): boolean => {
		const step = moveOf(action);
		if (step !== undefined && ids.length > 0) {
			setList(before => afterMove(before, ids, step, rows.list));
			return true;
		}

		const scrolled = step ?? paneMoveOf(action);
		if (scrolled !== undefined) {
			scroll.move(scrolled);
			return true;
		}

		return (
			runAction(
				{
					refresh() {
						void agents.refresh();
						void tiedAbilities.abilities.refresh();
						void tiedAbilities.installed.refresh();
					},
					'copy-id'() {
						void ui.copy(String(id), `the id of ${agent?.name ?? 'the agent'}`);
					},
				},
				action,
			) ||
			actOnTied(action, current, tied !== undefined) ||
			actOnAgent(action, known)
		);
	};

	useOpenedKeys({screen: 'agents', search, act});

	const shownCount =
		tied === undefined ? 'not shown by this service' : [onCountText(tied), tiedAbilities.trouble].filter(text => text !== '').join('  ');
	const shownName = (agent ?? last)?.name ?? '';
	const name = shownName === '' || shownName === `#${id}` ? '' : `${shownName}${changes?.name === undefined ? '' : '~'}  `;
	const hasAbilities = ids.length > 0;
	const isEditable = agent !== undefined && !isReadOnly;
	// The most useful first: on a narrow screen the last ones are dropped.
	const hints = search.isActive
		? searchHints(keymap, search)
		: [
				{key: 'esc', label: 'back'},
				hasAbilities && !isReadOnly && hintOf(keymap, 'toggle'),
				hasAbilities && hintOf(keymap, 'open'),
				isEditable && hintOf(keymap, 'edit-name'),
				isEditable && hintOf(keymap, 'edit-prompt'),
				isEditable && hintOf(keymap, 'edit-ties', columns < 50 ? 'ties' : undefined),
				hintOf(keymap, 'help'),
				agent !== undefined && hintOf(keymap, 'talk'),
				scroll.position !== '' && scrollHint(keymap),
				hasAbilities && hintOf(keymap, 'show-installed'),
				...searchHints(keymap, search),
			];
	return (
		<DetailFrame
			title={`${name}#${id}`}
			notes={[changes === undefined ? '' : 'saving…', changedBy === '' ? '' : `changed ${changedBy}`, profileNote]}
			hints={hints}
		>
			{agent === undefined ? null : (
				<>
					<Box flexShrink={0}>
						<Text {...theme.secondary} wrap="truncate-end">{` Abilities  ${shownCount}`}</Text>
					</Box>
					<TiedList tied={tied ?? []} list={list} height={rows.list} />
					<Box flexShrink={0} marginTop={rows.hasGap ? 1 : 0}>
						<Text wrap="truncate-end">
							<Text {...theme.secondary}>{' Prompt  '}</Text>
							{search.isActive ? (
								<Text aria-label={search.spokenStatus}>{search.statusWithin(columns - 10)}</Text>
							) : (
								<Text {...theme.faint} aria-hidden>
									{scroll.position}
								</Text>
							)}
						</Text>
					</Box>
				</>
			)}
			<ScrollText lines={lines} top={scroll.top} height={rows.prompt} partsIn={search.partsIn} />
		</DetailFrame>
	);
}

/** Carries out actions that switch or open the ability under the cursor of an opened agent; false for any other action. */
function useTiedActions({
	installed,
}: Pick<ReturnType<typeof useTiedAbilities>, 'installed'>): (
	action: ActionName,
	current: TiedAbility | undefined,
	areShown: boolean,
) => boolean {
	const ui = useUiServices();
	const toggle = useToggle();
	const {store, say} = ui;

	const sayNone = (areShown: boolean, what: string): void =>
		say('info', areShown ? `There is no ability to ${what}.` : "This service doesn't show which abilities an agent has.");

	const open = (current: TiedAbility | undefined, areShown: boolean): void => {
		const overlay = current && overlayOfTied(current);
		if (overlay !== undefined) {
			store.dispatch({type: 'open', overlay});
		} else if (current === undefined) {
			sayNone(areShown, 'open');
		} else {
			say('info', `This service doesn't list the ability ${current.name}.`);
		}
	};

	return (action, current, areShown) => {
		if (action === 'open') {
			open(current, areShown);
			return true;
		}

		return actOnSwitches(action, {
			ui,
			toggle,
			markedIds: undefined,
			record: current?.installed,
			sayNoRecord() {
				if (current === undefined) {
					sayNone(areShown, 'switch');
				} else {
					sayNotSwitched(ui, installed, {...current, isOpenedFirst: true});
				}
			},
		});
	};
}

const promptLines = (agent: Agent, columns: number): readonly ScrollLine[] =>
	agent.prompt.trim() === ''
		? [
				{
					text: originalText('agents', agent, 'prompt') === undefined ? "This service doesn't show the prompt." : 'The prompt is empty.',
					tone: 'secondary',
				},
			]
		: textLines(agent.prompt, promptWidth(columns)).map(text => ({text}));

type AgentRows = {readonly list: number; readonly hasGap: boolean; readonly prompt: number};

/** Divides the rows below the title between abilities and prompt, each with a heading. Both always stay on the screen. */
function agentRowsOf(bodyRows: number, abilityCount: number, promptCount: number): AgentRows {
	const hasGap = bodyRows >= roomyRows;
	const room = Math.max(2, bodyRows - 2 - (hasGap ? 1 : 0));
	const list = Math.min(abilityCount, Math.max(Math.ceil(room / 2), room - promptCount));
	return {list, hasGap, prompt: Math.max(0, room - list)};
}

/** Returns the keys that scroll the prompt below the list; `undefined` if one of the actions has no key. */
function scrollHint(keymap: Keymap): Hint | undefined {
	const [down, up] = [keymap.keysOf('pane-down')[0], keymap.keysOf('pane-up')[0]];
	return down === undefined || up === undefined ? undefined : {key: `${down}/${up}`, label: 'scroll'};
}

type TiedListProps = {readonly tied: readonly TiedAbility[]; readonly list: ListState; readonly height: number};

/** Draws the abilities of an agent, in rows like those of other lists. */
function TiedList({tied, list, height}: TiedListProps): ReactElement {
	const widths = abilityRowColumns(useAppState().size.columns);
	const {timeZone} = useUiServices();
	const {intents, timerOf} = useInstalled();
	const now = useAppState(state => state.now);
	const {failures} = useToggle();
	const {signs} = useOutsideChanges();
	const ids = useMemo(() => tied.map(({id}) => id), [tied]);
	return (
		<List
			state={list}
			ids={ids}
			visibleRows={height}
			lineOf={(row, isCursor) => {
				const {name, ability, installed, isInstalled, isEnabled} = tied[row]!;
				const changedAt = newestChange(ability, installed);
				const record = {category: '', triggerPhrases: [], ...ability, ...installed, name, changedAt};
				return abilityLine({
					isCursor,
					isMarked: false,
					isChanged: installed !== undefined && signs.installed.has(installed.id),
					filter: noHighlight,
					record,
					second: categoryCell(record.category, noHighlight),
					columns: widths,
					now,
					isEnabled,
					isInstalled,
					isPending: installed !== undefined && intents.has(installed.id),
					hasFailed: installed !== undefined && failures.has(installed.id),
					timer: installed && timerOf(installed),
					timeZone,
				});
			}}
		/>
	);
}
