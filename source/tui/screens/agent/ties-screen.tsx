import {type ReactElement} from 'react';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useAgents} from '../../hooks/use-agents.ts';
import {isGone} from '../../hooks/use-resource.ts';
import {isBackKey} from '../../keys/keymap.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {Notice} from '../../widgets/notice.tsx';
import {useLastKnown} from '../../widgets/use-remembered-state.ts';
import {DetailFrame, TitleLine} from '../detail-frame.tsx';
import {TiesChecklist} from './ties-checklist.tsx';

/** Shown instead of the checklist if the agent is not in the list. */
const NoAgent = ({text}: {readonly text: string}): ReactElement => {
	const {store, keymap} = useUiServices();
	const {size} = useAppState();
	useKeys(layers.overlay, {
		onKey(key) {
			if (isBackKey(keymap, key.name)) {
				store.dispatch({type: 'close'});
			}

			return true;
		},
	});
	return (
		<DetailFrame head={<TitleLine title='Abilities of an agent' notes={[]}/>} hints={[{key: 'esc', label: 'back'}]}>
			<Notice width={size.columns} height={2} tone='secondary' title={text}/>
		</DetailFrame>
	);
};

/** Chooses the abilities of an agent. */
export const AgentTiesScreen = ({id}: {readonly id: number}): ReactElement => {
	const list = useAgents();
	const {records} = list;
	const agent = useLastKnown('agent', records?.find(record => record.id === id));
	return agent === undefined
		? <NoAgent text={records === undefined ? 'Reading the agents…' : 'This agent no longer exists.'}/>
		: <TiesChecklist agent={agent} isGone={isGone(list, id)}/>;
};
