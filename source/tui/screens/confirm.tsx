import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useProgram} from '../app-context.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {wrapText} from '../widgets/wrap.ts';

export type ConfirmProps = {
	readonly question: string;
	/** What goes with it, a line each. */
	readonly details: readonly string[];
	/** What the answer Yes does, in a word or two. */
	readonly yes: string;
	onYes(): void;
};

/** The details whole where there is room for that, else one line each and how many are missing. */
const detailLines = (details: readonly string[], width: number, room: number): readonly string[] => {
	const wrapped = details.flatMap(line => wrapText(line, width));
	if (wrapped.length <= room || details.length === 1) {
		return wrapped.slice(0, room);
	}

	return details.length <= room ? details : [...details.slice(0, Math.max(0, room - 1)), `… and ${details.length - room + 1} more`];
};

/** Asks before something that cannot be taken back. Only `y` means Yes; Enter, as every other key, means No. */
export const ConfirmScreen = ({question, details, yes, onYes}: ConfirmProps): ReactElement => {
	const {store} = useProgram();
	const {size} = useAppState();
	useKeys(layers.overlay, {
		onKey(key) {
			store.dispatch({type: 'close'});
			if (key.name === 'y' || key.name === 'Y') {
				onYes();
			}

			return true;
		},
	});
	const asked = wrapText(`! ${question}`, size.columns - 2);
	const shown = detailLines(details, size.columns - 4, Math.max(0, size.rows - asked.length - 2));
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			<Box flexShrink={0} paddingLeft={1}><Text {...theme.warning} bold>{asked.join('\n')}</Text></Box>
			<Text> </Text>
			<Box flexDirection='column' flexGrow={1} paddingLeft={3} overflow='hidden'>
				{shown.map((line, index) => (
					// Lines have no identity but their place: what goes with it may become known while it is asked.
					<Text key={index} wrap='truncate-end'>{line}</Text>
				))}
			</Box>
			<HintLine width={size.columns} hints={[{key: 'y', label: yes}, {key: 'n', label: 'no'}]}/>
		</Box>
	);
};
