import {useContext} from 'react';
import {type UiServices, useUiServices} from '../app-context.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import {useToggle} from '../hooks/use-resource.ts';
import {DispatcherContext} from '../keys/dispatcher.ts';
import {runPaletteLine} from './palette-finder.ts';

/**
Returns a function that carries out the line that has a key: it runs a line of the palette, or sets a filter. Returns false for any other
key.
*/
export function useKeyLines(): (keyName: string) => boolean {
	const ui = useUiServices();
	const session = useServiceSession();
	const toggle = useToggle();
	const dispatcher = useContext(DispatcherContext)!;

	const runPalette = async (text: string): Promise<void> => {
		// The next keys are for what it opens.
		const release = dispatcher.hold();
		try {
			await runPaletteLine(text, {ui, session, toggle});
		} finally {
			release();
		}
	};

	return keyName => {
		const line = ui.keymap.lineOf(keyName);
		const text = line?.slice(1).trim() ?? '';
		if (line?.startsWith('/')) {
			toggleFilter(ui, text);
		} else if (line !== undefined) {
			void runPalette(text);
		}

		return line !== undefined;
	};
}

/** Terms that fit no agent. */
const abilityTerm = /(?:^|\s)!?(?:is:(?:on|off|failed)|category:)/iu;

/** Sets a filter on the list, or clears it where it is shown already. On Agents, a filter for abilities is set on Installed. */
function toggleFilter({store}: UiServices, filter: string): void {
	const {screen: current, overlays, views} = store.getState();
	const screen = current === 'agents' && abilityTerm.test(filter) ? 'installed' : current;
	const isShown = screen === current && overlays.length === 0 && views[screen].filter === filter;
	store.dispatch({type: 'show-screen', screen});
	store.dispatch(isShown ? {type: 'clear-filter'} : {type: 'edit-filter', filter});
}
