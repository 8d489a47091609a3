import {type Agent} from '../../../interface/records.ts';
import {type PaneDetails} from '../../widgets/pane.tsx';
import {onCountText, tiedWord, type TiedAbility} from '../agent/tied-abilities.ts';

/** An agent beside the list: its id, its abilities by name and state if the service shows them, and its prompt. */
export const agentDetails = ({id, name, prompt}: Agent, tied: readonly TiedAbility[] | undefined): PaneDetails => ({
	title: name,
	fields: [
		{label: 'Id', text: String(id)},
		{label: 'Abilities', text: tied === undefined ? 'not shown by this service' : onCountText(tied)},
		...(tied ?? []).map(each => ({label: `  ${tiedWord(each)}`, text: each.name})),
	],
	text: prompt,
});
