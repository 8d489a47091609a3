import {type UiServices} from '../../app-context.ts';
import {type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {keyName} from '../../keys/hints.ts';

const saying: MemoryKey<{isSaid: boolean}> = {create: () => ({isSaid: false})};

/** The key of the next match renamed agents before: where nothing is searched for, says once which key does now. Returns false if that was said already. */
export const sayRenameKey = ({keymap, say}: UiServices, {memory}: ServiceSession): boolean => {
	const state = memory.get(saying);
	if (state.isSaid) {
		return false;
	}

	state.isSaid = true;
	say('info', `${keyName(keymap, 'next-match')} goes to the next match of a search. ${keyName(keymap, 'edit-name')} renames the agent.`);
	return true;
};
