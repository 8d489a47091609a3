import {useMemo, type ReactElement} from 'react';
import cliTruncate from 'cli-truncate';
import {type Agent} from '../../interface/records.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {withChanges} from '../hooks/agent-changes.ts';
import {useAgents} from '../hooks/use-agents.ts';
import {useEditAgent} from '../hooks/use-edit-agent.ts';
import {useToggle} from '../hooks/use-toggle.ts';
import {keyName} from '../keys/hints.ts';
import {layoutOf} from '../state/layout.ts';
import {type RowData} from '../state/rows.ts';
import {signs} from '../state/signs.ts';
import {rowLine} from '../widgets/row.ts';
import {actOnHistory} from './act-on-switches.ts';
import {onCountText, type TiedAbility} from './agent/tied-abilities.ts';
import {useAgentActions} from './agent/use-agent-actions.ts';
import {useTiedAbilities} from './agent/use-tied-abilities.ts';
import {agentDetails} from './list/agent-details.ts';
import {agentColumns, agentHead} from './list/columns.ts';
import {agentCounts} from './list/counts.ts';
import {ListScreen} from './list/list-screen.tsx';

const toRowData = ({name, id, prompt}: Agent, tied: readonly TiedAbility[] | undefined): RowData =>
	({
		name, id, prompt, onCount: tied?.filter(({isEnabled}) => isEnabled).length, text: `#${id}\n${prompt}`, agents: [name],
	});

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]!;

/** The agents: name, how many of its abilities are on, id and the first line of the prompt. */
export const AgentsScreen = (): ReactElement => {
	const ui = useUiServices();
	const {keymap} = ui;
	const toggle = useToggle();
	const listColumns = useAppState(state => layoutOf(state).listColumns);
	const agents = useAgents();
	const tied = useTiedAbilities(agents.records ?? []);
	const {pending} = useEditAgent();
	const act = useAgentActions();
	const columns = useMemo(() => agentColumns(listColumns), [listColumns]);
	return (
		<ListScreen
			screen='agents'
			plural='agents'
			emptyHint={`Create one in the service's dashboard; ${keyName(keymap, 'refresh')} refreshes the list.`}
			head={agentHead(columns)}
			resource={agents}
			detailsOf={agent => agentDetails(agent, tied.of(agent))}
			counts={agentCounts(agents.records)}
			toRowData={agent => toRowData(agent, tied.of(agent))}
			areStatesRead={tied.trouble === ''}
			lineOf={(agent, {filter, ...look}) => {
				const changes = pending.get(agent.id);
				const shown = changes === undefined ? agent : withChanges(agent, changes);
				const {name, prompt} = shown;
				const id = signs.id + String(agent.id);
				const start = firstLine(prompt);
				return rowLine({
					...look,
					name: changes === undefined ? name : cliTruncate(name, columns.name - 1) + signs.pending,
					positions: filter.matchPositions(name),
					nameWidth: columns.name,
					cells: [
						{text: onCountText(tied.of(shown)), width: columns.abilities, tone: 'secondary' as const},
						{
							text: id, width: columns.id, tone: 'secondary' as const, positions: filter.matchPositionsInText(id),
						},
						{text: start || signs.none, width: columns.prompt, positions: filter.matchPositionsInText(start)},
					].filter(({width}) => width > 0),
				});
			}}
			onAction={(action, agent) => act(action, agent) || actOnHistory(action, ui, toggle)}
		/>
	);
};
