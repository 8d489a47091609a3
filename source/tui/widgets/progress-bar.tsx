import {type ReactElement} from 'react';
import {Text} from 'ink';
import cliTruncate from 'cli-truncate';
import {spoken} from '../terminal/spoken-lines.ts';
import {theme} from '../theme.ts';

export type ProgressBarProps = {
	readonly width: number;
	/** 0 to 1; `undefined` where it is not known how far it is. */
	readonly fraction: number | undefined;
	/** What is done, before the bar. */
	readonly label: string;
	/** What stands behind the percentage where there is room. */
	readonly note?: string;
};

const smallestBar = 5;
const largestBar = 40;

/** A bar with its percentage, so that it can be read without colour or line drawing; the bar gives way first where it is narrow. */
export const progressLine = ({width, fraction, label, note = ''}: ProgressBarProps): string => {
	if (fraction === undefined) {
		return cliTruncate(label, width);
	}

	const percent = `${String(Math.floor(Math.min(1, Math.max(0, fraction)) * 100)).padStart(3)} %`;
	const full = note === '' ? percent : `${percent}, ${note}`;
	const end = label.length + full.length + smallestBar + 4 <= width ? full : percent;
	const barWidth = Math.min(largestBar, width - label.length - end.length - 4);
	if (barWidth < smallestBar) {
		return cliTruncate(`${label} ${percent}`, width);
	}

	const filled = Math.floor(fraction * barWidth);
	return `${label} [${'█'.repeat(filled)}${'·'.repeat(barWidth - filled)}] ${end}`;
};

/** Read out at each tenth alone. */
const progressInWords = ({label, fraction}: ProgressBarProps): string => fraction === undefined ? label : spoken(label, `${Math.floor(fraction * 10) * 10} %`);

/** How far something is that takes a while, on one line. */
export const ProgressBar = (props: ProgressBarProps): ReactElement => (
	<Text {...theme.accent} wrap='truncate-end' aria-label={progressInWords(props)}>{progressLine(props)}</Text>
);
