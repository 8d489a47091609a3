import {useMemo, type ReactElement} from 'react';
import {type Agent} from '../../interface/records.ts';
import {useAppState, useProgram} from '../app-context.ts';
import {withChanges} from '../hooks/agent-changes.ts';
import {useAgents} from '../hooks/use-agents.ts';
import {useEditAgent} from '../hooks/use-edit-agent.ts';
import {useToggle} from '../hooks/use-toggle.ts';
import {keyName} from '../keys/hints.ts';
import {layoutOf} from '../state/layout.ts';
import {type Listable} from '../state/rows.ts';
import {truncate} from '../widgets/fit.ts';
import {Row} from '../widgets/row.tsx';
import {actOnHistory} from './act-on-switches.ts';
import {useAgentActions} from './agent/use-agent-actions.ts';
import {AgentPane} from './list/agent-pane.tsx';
import {agentColumns, agentHead} from './list/columns.ts';
import {agentCounts} from './list/counts.ts';
import {ListScreen} from './list/list-screen.tsx';

const toListable = ({name, id, prompt}: Agent): Listable =>
	({
		name, id, prompt, text: `#${id}\n${prompt}`, agents: [name],
	});

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]!;

/** The agents: name, id and the first line of the prompt. */
export const AgentsScreen = (): ReactElement => {
	const program = useProgram();
	const {keymap} = program;
	const toggle = useToggle();
	const {listColumns} = layoutOf(useAppState());
	const agents = useAgents();
	const {pending} = useEditAgent();
	const act = useAgentActions();
	const columns = useMemo(() => agentColumns(listColumns), [listColumns]);
	return (
		<ListScreen
			screen='agents'
			plural='agents'
			emptyHint={`Make one in the dashboard of the service; ${keyName(keymap, 'refresh')} reads the list again.`}
			head={agentHead(columns)}
			resource={agents}
			renderPane={(agent, width, height) => <AgentPane width={width} height={height} agent={agent}/>}
			counts={agentCounts(agents.records)}
			toListable={toListable}
			renderRow={(agent, {filter, ...look}) => {
				const changes = pending.get(agent.id);
				const {name, prompt} = changes === undefined ? agent : withChanges(agent, changes);
				const id = `#${agent.id}`;
				const start = firstLine(prompt);
				return (
					<Row
						key={agent.id}
						{...look}
						name={changes === undefined ? name : `${truncate(name, columns.name - 1)}~`}
						places={filter.placesIn(name)}
						nameWidth={columns.name}
						cells={[
							{
								column: 'id', text: id, width: columns.id, tone: 'secondary' as const, places: filter.placesInText(id),
							},
							{
								column: 'prompt', text: start || '–', width: columns.prompt, places: filter.placesInText(start),
							},
						].filter(({width}) => width > 0)}
					/>
				);
			}}
			onAction={(action, agent) => act(action, agent) || actOnHistory(action, program, toggle)}
		/>
	);
};
