import {useMemo, type ReactElement} from 'react';
import {useAppState, useProgram} from '../app-context.ts';
import {keyRows} from '../keys/hints.ts';
import {placesOf, screensOf, type Place} from '../keys/key-table.ts';
import {type Keymap} from '../keys/keymap.ts';
import {type ScreenName} from '../state/app-state.ts';
import {Help, helpLines, type HelpRow} from '../widgets/help.tsx';
import {ScrollOverlay} from './scroll-overlay.tsx';

/** What acts on the screen shown comes first; the rest says where it acts, for one key may do another thing there. */
const helpRows = (keymap: Keymap, screen: ScreenName): readonly HelpRow[] => {
	const places: readonly Place[] = placesOf[screen];
	const rows = keyRows(keymap);
	return [
		...rows.filter(({place}) => places.includes(place)),
		...rows.filter(({place}) => !places.includes(place)).map(({place, description, ...row}) => ({...row, description: `on ${screensOf(place).join(' and ')}: ${description}`})),
	];
};

/** All keys, from the table that the dispatcher uses. */
export const HelpScreen = (): ReactElement => {
	const {keymap} = useProgram();
	const {size, screen} = useAppState();
	const lines = useMemo(() => helpLines(helpRows(keymap, screen), size.columns), [keymap, screen, size.columns]);
	return <ScrollOverlay title='Keys' lineCount={lines.length} action='help' renderLines={(top, height) => <Help lines={lines} height={height} top={top}/>}/>;
};
