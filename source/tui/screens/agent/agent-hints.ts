import {type UiServices} from '../../app-context.ts';
import {hintOf, searchHints} from '../../keys/hints.ts';
import {type Hint} from '../../state/hint.ts';
import {type TextSearch} from '../../widgets/use-text-search.ts';

type AgentHintsOptions = {
	readonly columns: number;
	/** False if the agent was deleted, or is not read yet. */
	readonly isThere: boolean;
	readonly hasAbilities: boolean;
	/** True if the prompt is longer than its part of the screen. */
	readonly isPromptCut: boolean;
	readonly search: TextSearch;
};

/** The key hints of an opened agent, the most useful first: on a narrow screen the last ones are dropped. */
export const agentHints = ({keymap, isReadOnly}: UiServices, {columns, isThere, hasAbilities, isPromptCut, search}: AgentHintsOptions): readonly Hint[] => {
	if (search.isActive) {
		return searchHints(keymap, search);
	}

	const down = keymap.keysOf('pane-down')[0];
	const up = keymap.keysOf('pane-up')[0];
	return [
		{key: 'esc', label: 'back'},
		...(hasAbilities && !isReadOnly ? [hintOf(keymap, 'toggle')] : []),
		...(hasAbilities ? [hintOf(keymap, 'open')] : []),
		...(isReadOnly || !isThere ? [] : [hintOf(keymap, 'edit-name'), hintOf(keymap, 'edit-prompt'), hintOf(keymap, 'edit-ties', columns < 50 ? 'ties' : undefined)]),
		hintOf(keymap, 'help'),
		...(isPromptCut && down !== undefined && up !== undefined ? [{key: `${down}/${up}`, label: 'scroll'}] : []),
		...(hasAbilities ? [hintOf(keymap, 'show-installed')] : []),
		...searchHints(keymap, search),
	].filter(hint => hint !== undefined);
};
