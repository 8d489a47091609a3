import cliTruncate from 'cli-truncate';
import {useMemo, type ReactElement} from 'react';
import {withValues} from '../../changes/fields.ts';
import type {Agent} from '../../interface/records.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {useEditAgent} from '../hooks/saves.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import {useAgents, useToggle} from '../hooks/use-resource.ts';
import {keyName, runAction} from '../../words/keymap.ts';
import {layoutOf} from '../state/layout.ts';
import {signs} from '../../words/signs.ts';
import type {PaneDetails} from '../widgets/pane.tsx';
import {barWidth, hearingCell, markerWidth, rowLine} from '../widgets/row.ts';
import {actOnHistory} from './act-on-switches.ts';
import {useAgentActions} from './agent/agent-actions.ts';
import {onCountText, stripCell, tiedWord, useTiedAbilities, type TiedAbility} from './tied-abilities.ts';
import {ListScreen} from './list/list-screen.tsx';
import {nothingSelected} from './refuse-change.ts';
import {switchAgents} from './switch-agents.ts';

/** Nobody reads a longer line. */
const widestPrompt = 80;

/** Draws the agents: name, how many of its abilities are on, id and the first line of the prompt. */
export function AgentsScreen(): ReactElement {
	const ui = useUiServices();
	const {keymap} = ui;
	const session = useServiceSession();
	const toggle = useToggle();
	const listColumns = useAppState(state => layoutOf(state).listColumns);
	const agents = useAgents();
	const {records} = agents;
	const tied = useTiedAbilities(records ?? []);
	const {pending} = useEditAgent();
	const act = useAgentActions();
	const columns = useMemo(() => agentColumns(listColumns), [listColumns]);
	return (
		<ListScreen
			screen="agents"
			plural="agents"
			emptyHint={`Create one in the service's dashboard; ${keyName(keymap, 'refresh')} refreshes the list.`}
			head={[
				{column: 'name' as const, indent: markerWidth, width: markerWidth + columns.name + 1},
				{column: 'abilities' as const, width: columns.abilities},
				{column: 'id' as const, width: columns.id},
				{column: 'prompt' as const, width: columns.prompt},
			].filter(({width}) => width > 0)}
			resource={agents}
			detailsOf={agent => agentDetails(agent, tied.of(agent))}
			counts={records === undefined ? '' : `${records.length} agent${records.length === 1 ? '' : 's'}`}
			toRowData={agent => ({
				...agent,
				onCount: tied.of(agent)?.filter(({isEnabled}) => isEnabled).length,
				text: `#${agent.id}\n${agent.prompt}`,
				agents: [agent.name],
			})}
			areStatesRead={tied.trouble === ''}
			lineOf={(agent, {filter, ...look}) => {
				const changes = pending.get(agent.id);
				const shown = changes === undefined ? agent : withValues('agents', agent, changes);
				const {name, prompt} = shown;
				const id = signs.id + String(agent.id);
				const start = firstLine(prompt);
				return rowLine({
					width: barWidth(columns.width, ui.isColorless),
					...look,
					name: changes === undefined ? name : cliTruncate(name, columns.name - 1) + signs.pending,
					positions: filter.matchPositions(name),
					nameWidth: columns.name,
					cells: [
						...(look.heard === undefined || columns.prompt > 0 ? [stripCell(tied.of(shown), columns.abilities, ui.isAscii)] : []),
						...(look.heard === undefined
							? [
									{text: id, width: columns.id, tone: 'secondary' as const, positions: filter.matchPositionsInText(id)},
									{text: start || signs.none, width: columns.prompt, positions: filter.matchPositionsInText(start)},
								]
							: [hearingCell(look.heard, columns.id + (columns.prompt > 0 ? columns.prompt : columns.abilities))]),
					].filter(({width}) => width > 0),
				});
			}}
			onAction={(action, agent, marked) => {
				const chosen = marked.length > 0 ? marked : agent === undefined ? [] : [agent];
				const switchTo = (isEnabled: boolean) => (): void => {
					if (chosen.length === 0) {
						ui.say('info', nothingSelected);
					} else {
						switchAgents(isEnabled, {ui, session, toggle, chosen});
					}
				};
				return (
					act(action, agent, marked) ||
					runAction({'enable-marked': switchTo(true), 'disable-marked': switchTo(false)}, action) ||
					actOnHistory(action, ui, toggle)
				);
			}}
		/>
	);
}

function agentColumns(width: number) {
	const room = Math.max(1, width - markerWidth - 1);
	const [abilities, id] = room < 28 ? ([0, 0] as const) : ([12, 9] as const);
	const name = room < 56 ? room - abilities - id : Math.min(32, Math.max(16, Math.floor(room * 0.25)));
	return {width, name, abilities, id, prompt: Math.min(widestPrompt, room - name - abilities - id)};
}

const agentDetails = ({id, name, prompt}: Agent, tied: readonly TiedAbility[] | undefined): PaneDetails => ({
	title: name,
	fields: [
		{label: 'Id', text: String(id)},
		{label: 'Abilities', text: tied === undefined ? 'not shown by this service' : onCountText(tied)},
		...(tied ?? []).map(each => ({label: `  ${tiedWord(each)}`, text: each.name})),
	],
	text: prompt,
	facts: [...(tied === undefined ? [] : [onCountText(tied)]), `id ${id}`],
	notes: [],
});

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]!;
