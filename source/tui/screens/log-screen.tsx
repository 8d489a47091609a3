import {useMemo, type ReactElement} from 'react';
import {useAppState} from '../app-context.ts';
import {type ActionName} from '../keys/key-table.ts';
import {Notice} from '../widgets/notice.tsx';
import {ScrollText, searchedText, type ScrollLine} from '../widgets/scroll-text.tsx';
import {ScrollOverlay} from './scroll-overlay.tsx';

type LogScreenProps = {
	readonly title: string;
	/** Shown if there are no lines. */
	readonly empty: string;
	/** The newest first. */
	readonly lines: readonly ScrollLine[];
	/** Columns for the labels of the lines, if they have any. */
	readonly labelColumns?: number;
	readonly action: ActionName;
};

/** A log, newest first. */
export const LogScreen = ({title, empty, lines, labelColumns = 0, action}: LogScreenProps): ReactElement => {
	const {columns} = useAppState().size;
	const texts = useMemo(() => lines.map(line => searchedText(line)), [lines]);
	return (
		<ScrollOverlay
			title={title}
			texts={texts}
			action={action}
			renderLines={(top, height, partsIn) => lines.length === 0
				? <Notice width={columns} height={height} tone='secondary' title={empty}/>
				: <ScrollText lines={lines} labelColumns={labelColumns} top={top} height={height} partsIn={partsIn}/>}
		/>
	);
};
