import {useMemo, type ReactElement} from 'react';
import {useAppState, useProgram} from '../../app-context.ts';
import {useAbilities} from '../../hooks/use-abilities.ts';
import {withChanges} from '../../hooks/agent-changes.ts';
import {useAgents} from '../../hooks/use-agents.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {hintOf, scrollHints} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {type Hint} from '../../widgets/hint-line.tsx';
import {moveOf} from '../../widgets/list/index.ts';
import {ScrollText} from '../../widgets/scroll-text.tsx';
import {useTextScroll} from '../../widgets/use-text-scroll.ts';
import {useOpenedKeys} from '../use-opened-keys.ts';
import {AgentFrame, agentLayoutOf, TitleLine} from './agent-frame.tsx';
import {agentLines} from './agent-lines.ts';
import {NameField} from './name-field.tsx';
import {useAgentActions} from './use-agent-actions.ts';

export type AgentScreenProps = {
	readonly id: number;
	/** True while the name is a field. */
	readonly isNaming: boolean;
};

const nameHints: readonly Hint[] = [{key: 'enter', label: 'save'}, {key: 'esc', label: 'keep the old name'}, {key: 'ctrl+u', label: 'begin anew'}];

/** One agent: its name, which can be edited in place, the abilities tied to it, and its whole prompt. */
export const AgentScreen = ({id, isNaming}: AgentScreenProps): ReactElement => {
	const program = useProgram();
	const {keymap} = program;
	const session = useServiceSession();
	const state = useAppState();
	const {columns} = state.size;
	const agents = useAgents();
	const abilities = useAbilities();
	const {pending} = useEditAgent();
	const actOnAgent = useAgentActions();
	const known = agents.records?.find(record => record.id === id);
	const changes = pending.get(id);
	const agent = useMemo(() => known && withChanges(known, changes ?? {}), [known, changes]);
	const isUnreadable = abilities.error !== undefined && !abilities.isReading;
	const hasList = agents.records !== undefined;
	const lines = useMemo(
		() => agent === undefined ? [{text: hasList ? 'This agent is not there any more.' : 'Reading the agents…'}] : agentLines(agent, {records: abilities.records, isUnreadable}, columns),
		[agent, hasList, abilities.records, isUnreadable, columns],
	);
	const {bodyRows} = agentLayoutOf(state);
	const {top, move, position} = useTextScroll(lines.length, bodyRows);

	const act = (action: ActionName): boolean => {
		const step = moveOf(action);
		if (step !== undefined) {
			move(step);
			return true;
		}

		switch (action) {
			case 'refresh': {
				void agents.refresh();
				return true;
			}

			case 'copy-id': {
				void program.copy(String(id), `The id of ${agent?.name ?? 'the agent'}`);
				return true;
			}

			case 'open': {
				return true;
			}

			default: {
				return actOnAgent(action, known);
			}
		}
	};

	useOpenedKeys({screen: 'agents', isTyping: isNaming, act});

	const badge = program.isReadOnly ? ' [read-only]' : '';
	const note = [changes === undefined ? '' : 'saving…', `${session.profileName}${badge}`, position].filter(text => text !== '').join(' · ');
	const name = agent === undefined || agent.name === `#${id}` ? '' : `${agent.name}${changes?.name === undefined ? '' : '~'}  `;
	const title = <TitleLine title={`${name}#${id}`} note={note}/>;
	const hints = [
		{key: 'esc', label: 'back'},
		...(program.isReadOnly ? [] : [hintOf(keymap, 'edit-name'), hintOf(keymap, 'edit-prompt'), hintOf(keymap, 'edit-ties', columns < 50 ? 'ties' : undefined)]),
		...scrollHints(keymap, position),
		hintOf(keymap, 'help'),
	].filter(hint => hint !== undefined);
	return (
		<AgentFrame
			head={isNaming && known !== undefined ? <NameField agent={known}>{title}</NameField> : title}
			hints={isNaming ? (changes === undefined ? nameHints : [{key: 'esc', label: 'back'}]) : hints}
		>
			<ScrollText lines={lines} top={top} height={bodyRows}/>
		</AgentFrame>
	);
};
