import {useMemo, type ReactElement} from 'react';
import {useAppState, useProgram} from '../app-context.ts';
import {keyRows} from '../keys/hints.ts';
import {
	listActions,
	openedPlacesOf,
	placesOf,
	screensOf,
	type Place,
} from '../keys/key-table.ts';
import {type Keymap} from '../keys/keymap.ts';
import {type ScreenName} from '../state/app-state.ts';
import {filterSyntax} from '../state/filter-syntax.ts';
import {
	Help,
	helpLines,
	helpText,
	type HelpRow,
} from '../widgets/help.tsx';
import {ScrollOverlay} from './scroll-overlay.tsx';

/**
What acts on what is shown comes first; the rest says where it acts, for one key may do another thing there.

@param isOpened - true where a record of the screen is opened.
*/
const helpRows = (keymap: Keymap, screen: ScreenName, isOpened: boolean): readonly HelpRow[] => {
	const places: readonly Place[] = (isOpened ? openedPlacesOf : placesOf)[screen];
	const rows = keyRows(keymap);
	const own = rows.filter(({place}) => places.includes(place));
	return [
		...(isOpened
			? [
				{keys: 'Esc', description: 'dismiss the message, then back to the list'},
				...own.filter(({name}) => !listActions.has(name)),
				...own.filter(({name}) => listActions.has(name)).map(({description, ...row}) => ({...row, description: `on the list: ${description}`})),
			]
			: own),
		...rows.filter(({place}) => !places.includes(place)).map(({place, description, ...row}) => ({...row, description: `on ${screensOf(place).join(' and ')}: ${description}`})),
		...filterSyntax.map(({term, description}) => ({keys: term, description: `in the filter: ${description}`})),
	];
};

/** All keys, from the table that the dispatcher uses. */
export const HelpScreen = (): ReactElement => {
	const {keymap} = useProgram();
	const {size, screen, overlays} = useAppState();
	const opened = overlays.findLast(({kind}) => kind === 'agent' || kind === 'ability');
	const isOpened = opened !== undefined;
	// An ability may have been opened from an agent.
	const shown = opened?.kind === 'ability' ? opened.resource : screen;
	const lines = useMemo(() => helpLines(helpRows(keymap, shown, isOpened), size.columns), [keymap, shown, isOpened, size.columns]);
	const texts = useMemo(() => lines.map(line => helpText(line)), [lines]);
	return <ScrollOverlay title='Keys' texts={texts} action='help' renderLines={(top, height, partsIn) => <Help lines={lines} height={height} top={top} partsIn={partsIn}/>}/>;
};
