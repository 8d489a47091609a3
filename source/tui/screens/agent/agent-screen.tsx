import {useMemo, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useUiServices} from '../../app-context.ts';
import {withChanges} from '../../hooks/agent-changes.ts';
import {useAgents} from '../../hooks/use-agents.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {isGone} from '../../hooks/use-resource.ts';
import {runAction} from '../../keys/action-handlers.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {theme} from '../../theme.ts';
import {type Hint} from '../../state/hint.ts';
import {
	cursorRowOf,
	initialListState,
	moved,
	moveOf,
	paneMoveOf,
} from '../../widgets/list/index.ts';
import {ScrollText} from '../../widgets/scroll-text.tsx';
import {useLastKnown, useRememberedState} from '../../widgets/use-remembered-state.ts';
import {useTextScroll} from '../../widgets/use-text-scroll.ts';
import {useTextSearch} from '../../widgets/use-text-search.ts';
import {useOpenedKeys} from '../use-opened-keys.ts';
import {
	DetailFrame,
	detailLayoutOf,
	TitleLine,
	useProfileNote,
} from '../detail-frame.tsx';
import {agentHints} from './agent-hints.ts';
import {agentRowsOf, promptLines} from './agent-lines.ts';
import {NameField} from './name-field.tsx';
import {onCountText} from './tied-abilities.ts';
import {TiedList} from './tied-list.tsx';
import {useAgentActions} from './use-agent-actions.ts';
import {useTiedAbilities} from './use-tied-abilities.ts';
import {useTiedActions} from './use-tied-actions.ts';

type AgentScreenProps = {
	readonly id: number;
	/** True while the name is a field. */
	readonly isNaming: boolean;
};

const nameHints: readonly Hint[] = [{key: 'enter', label: 'save'}, {key: 'esc', label: 'cancel'}, {key: 'ctrl+u', label: 'clear'}];

/** One agent: its name, edited in place, its abilities, switched in place, and its whole prompt. */
export const AgentScreen = ({id, isNaming}: AgentScreenProps): ReactElement => {
	const ui = useUiServices();
	const profileNote = useProfileNote();
	const state = useAppState();
	const {columns} = state.size;
	const agents = useAgents();
	const {pending} = useEditAgent();
	const actOnAgent = useAgentActions();
	const known = agents.records?.find(record => record.id === id);
	const changes = pending.get(id);
	const agent = useMemo(() => known && withChanges(known, changes ?? {}), [known, changes]);
	// A name that is being typed stays, whatever becomes of the agent.
	const last = useLastKnown('agent', known);
	const tiedAbilities = useTiedAbilities(agent === undefined ? [] : [agent]);
	const actOnTied = useTiedActions(tiedAbilities);
	const tied = agent && tiedAbilities.of(agent);
	const ids = useMemo(() => tied?.map(each => each.id) ?? [], [tied]);
	const hasList = agents.records !== undefined;
	const lines = useMemo(
		() => agent === undefined ? [{text: hasList ? 'This agent no longer exists.' : 'Reading the agents…'}] : promptLines(agent, columns),
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
			setList(before => moved(before, ids, step, rows.list));
			return true;
		}

		const scrolled = step ?? paneMoveOf(action);
		if (scrolled !== undefined) {
			scroll.move(scrolled);
			return true;
		}

		return runAction({
			refresh() {
				void agents.refresh();
				void tiedAbilities.abilities.refresh();
				void tiedAbilities.installed.refresh();
			},
			'copy-id'() {
				void ui.copy(String(id), `The id of ${agent?.name ?? 'the agent'}`);
			},
		}, action) || actOnTied(action, current, tied !== undefined) || actOnAgent(action, known);
	};

	useOpenedKeys({
		screen: 'agents', search, act,
	});

	const shownCount = tied === undefined ? 'not shown by this service' : [onCountText(tied), tiedAbilities.trouble].filter(text => text !== '').join('  ');
	const shownName = (agent ?? last)?.name ?? '';
	const name = shownName === '' || shownName === `#${id}` ? '' : `${shownName}${changes?.name === undefined ? '' : '~'}  `;
	const title = <TitleLine title={`${name}#${id}`} notes={[changes === undefined ? '' : 'saving…', profileNote]}/>;
	const hints = agentHints(ui, {
		columns, isThere: agent !== undefined, hasAbilities: ids.length > 0, isPromptCut: scroll.position !== '', search,
	});
	return (
		<DetailFrame
			head={isNaming && last !== undefined ? <NameField agent={last} isGone={isGone(agents, id)}>{title}</NameField> : title}
			hints={isNaming ? (changes === undefined ? nameHints : [{key: 'esc', label: 'back'}]) : hints}
		>
			{agent === undefined
				? null
				: (
					<>
						<Box flexShrink={0}><Text {...theme.secondary} wrap='truncate-end'>{` Abilities  ${shownCount}`}</Text></Box>
						<TiedList tied={tied ?? []} list={list} height={rows.list}/>
						<Box flexShrink={0} marginTop={rows.hasGap ? 1 : 0}>
							<Text wrap='truncate-end'>
								<Text {...theme.secondary}>{' Prompt  '}</Text>
								{search.isActive ? <Text aria-label={search.spokenStatus}>{search.statusWithin(columns - 10)}</Text> : <Text {...theme.secondary} aria-hidden>{scroll.position}</Text>}
							</Text>
						</Box>
					</>
				)}
			<ScrollText lines={lines} top={scroll.top} height={rows.prompt} partsIn={search.partsIn}/>
		</DetailFrame>
	);
};
