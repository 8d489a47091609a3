import cliTruncate from 'cli-truncate';
import {useMemo, type ReactElement} from 'react';
import {withValues} from '../../changes/fields.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {Agent} from '../../interface/records.ts';
import type {ActionName} from '../../words/key-table.ts';
import {useAppState, useUiServices, type UiServices} from '../app-context.ts';
import {useEditAgent} from '../hooks/saves.ts';
import {useAgents, useToggle, type Toggle} from '../hooks/use-resource.ts';
import {keyName} from '../../words/keymap.ts';
import {layoutOf} from '../state/layout.ts';
import {signs} from '../../words/signs.ts';
import type {PaneDetails} from '../widgets/pane.tsx';
import {barWidth, hearingCell, markerWidth, rowLine} from '../widgets/row.ts';
import {actOnHistory} from './act-on-switches.ts';
import {useAgentActions} from './agent/agent-actions.ts';
import {onCountText, stripCell, tiedWord, useTiedAbilities, type TiedAbility} from './tied-abilities.ts';
import {ListScreen} from './list/list-screen.tsx';
import {nothingSelected} from './refuse-change.ts';

/** Nobody reads a longer line. */
const widestPrompt = 80;

/** Draws the agents: name, how many of its abilities are on, id and the first line of the prompt. */
export function AgentsScreen(): ReactElement {
	const ui = useUiServices();
	const {keymap} = ui;
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
			onAction={(action, agent, marked) =>
				act(action, agent, marked) ||
				actOnAgents(action, {
					ui,
					toggle,
					tied,
					agents: records ?? [],
					chosen: marked.length > 0 ? marked : agent === undefined ? [] : [agent],
				}) ||
				actOnHistory(action, ui, toggle)
			}
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

type AgentSwitches = {
	readonly ui: UiServices;
	readonly toggle: Toggle;
	readonly tied: Pick<ReturnType<typeof useTiedAbilities>, 'of' | 'trouble'>;
	readonly agents: readonly Agent[];
	readonly chosen: readonly Agent[];
};

/**
Switches the installed abilities of these agents on or off, and names an agent that has one of them too; returns false for another action.
*/
function actOnAgents(action: ActionName, {ui: {say}, toggle, tied, agents, chosen}: AgentSwitches): boolean {
	if (action !== 'enable-marked' && action !== 'disable-marked') {
		return false;
	}

	const isEnabled = action === 'enable-marked';
	const hidden = chosen.find(agent => tied.of(agent) === undefined);
	if (chosen.length === 0) {
		say('info', nothingSelected);
	} else if (hidden !== undefined) {
		say('info', `This service doesn't show which abilities ${hidden.name} has.`);
	} else if (tied.trouble !== '') {
		say('info', 'The abilities of the agents are not known yet.');
	} else {
		const installedOf = (agent: Agent) => tied.of(agent)?.filter(({installed}) => installed !== undefined) ?? [];
		const all = chosen.flatMap(agent => installedOf(agent));
		const ids = new Set(all.map(({installed}) => installed!.id));
		const changed = new Set(all.filter(each => each.isEnabled !== isEnabled).map(({id}) => id));
		const shared = agents
			.filter(agent => !chosen.includes(agent))
			.flatMap(agent =>
				installedOf(agent)
					.filter(({id}) => changed.has(id))
					.map(({name}) => `${name} is ${agent.name}'s as well`),
			);
		const note =
			shared.length === 0 ? '' : ` ${shared.slice(0, 2).join('; ')}${shared.length > 2 ? `; and ${shared.length - 2} more` : ''}.`;
		const count = toggle.setMany([...ids], isEnabled, note);
		const whose = chosen.length === 1 ? chosen[0]!.name : 'The marked agents';
		if (ids.size === 0) {
			say('info', `${whose} ${chosen.length === 1 ? 'has' : 'have'} no installed abilities.`);
		} else if (count === 0) {
			say('info', `All abilities of ${chosen.length === 1 ? whose : 'the marked agents'} are ${stateWord(isEnabled)} already.`);
		}
	}

	return true;
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]!;
