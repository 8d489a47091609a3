import {type ReactElement} from 'react';
import {type Agent} from '../../../interface/records.ts';
import {useProgram} from '../../app-context.ts';
import {keyName} from '../../keys/hints.ts';
import {Pane} from '../../widgets/pane.tsx';

/** An agent beside the list: id, how many abilities are tied to it, and its prompt. */
export const AgentPane = ({agent, width, height}: {readonly agent: Agent; readonly width: number; readonly height: number}): ReactElement => {
	const {keymap} = useProgram();
	return (
		<Pane
			width={width}
			height={height}
			title={agent.name}
			fields={[
				{label: 'Id', text: String(agent.id)},
				{label: 'Abilities', text: agent.abilityIds === undefined ? 'not shown by this service' : `${agent.abilityIds.length} tied`},
			]}
			text={agent.prompt}
			scrollKeys={{down: keyName(keymap, 'pane-down'), up: keyName(keymap, 'pane-up')}}
		/>
	);
};
