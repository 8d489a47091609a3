import {type ReactElement} from 'react';
import {Text} from 'ink';
import cliTruncate from 'cli-truncate';
import {spokenText} from '../terminal/spoken-text.ts';
import {theme} from '../theme.ts';

type ProgressBarProps = {
	readonly width: number;
	/** From 0 to 1; `undefined` if progress is not known. */
	readonly fraction: number | undefined;
	/** What is being done; stands before the bar. */
	readonly label: string;
	/** Follows the percentage if there is room. */
	readonly note?: string;
};

const smallestBar = 5;
const largestBar = 40;

/** A bar and its percentage, which is legible without colour or line drawing. If there is little room the bar goes first. */
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

/** Changes only at every tenth, and so is read out only then. */
const progressInWords = ({label, fraction}: ProgressBarProps): string => fraction === undefined ? label : spokenText(label, `${Math.floor(fraction * 10) * 10} %`);

/** The progress of something that takes a while, on one line. */
export const ProgressBar = (props: ProgressBarProps): ReactElement => (
	<Text {...theme.accent} wrap='truncate-end' aria-label={progressInWords(props)}>{progressLine(props)}</Text>
);
