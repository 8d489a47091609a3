import {type ReactElement} from 'react';
import {type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {keyName} from '../../keys/hints.ts';
import {Pane} from '../../widgets/pane.tsx';
import {onCountText, tiedWord, type TiedAbility} from '../agent/tied-abilities.ts';

export type AgentPaneProps = {
	readonly agent: Agent;
	/** `undefined` where the service doesn't show them. */
	readonly tied: readonly TiedAbility[] | undefined;
	readonly width: number;
	readonly height: number;
};

/** An agent beside the list: its id, its abilities by name and state, and its prompt. */
export const AgentPane = ({agent, tied, width, height}: AgentPaneProps): ReactElement => {
	const {keymap} = useUiServices();
	return (
		<Pane
			width={width}
			height={height}
			title={agent.name}
			fields={[
				{label: 'Id', text: String(agent.id)},
				{label: 'Abilities', text: tied === undefined ? 'not shown by this service' : onCountText(tied)},
				...(tied ?? []).map(each => ({label: `  ${tiedWord(each)}`, text: each.name})),
			]}
			text={agent.prompt}
			scrollKeys={{down: keyName(keymap, 'pane-down'), up: keyName(keymap, 'pane-up')}}
		/>
	);
};
