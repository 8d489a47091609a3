import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import type {RowHearing} from '../state/hearing.ts';
import {signs} from '../../words/signs.ts';
import {spokenText, spokenRow} from '../../terminal/spoken-text.ts';
import {theme, type Style, type Tone} from '../theme.ts';
import {type Part, listRowOf, type Line} from './list.tsx';
import {fit} from '../../terminal/wrap.ts';

/** Returns the text in highlighted and other parts. No character is split. */
export function highlightedParts(text: string, positions: ReadonlySet<number>, style: Style = {}): readonly Part[] {
	// In a list of rows most texts have nothing to highlight.
	if (positions.size === 0) {
		return [[text, style]];
	}

	const highlighted = {...theme.match, ...style};
	const parts: Array<[text: string, style: Style]> = [];
	let start = 0;
	for (const character of text) {
		const look = positions.has(start) ? highlighted : style;
		const last = parts.at(-1);
		if (last?.[1] === look) {
			last[0] += character;
		} else {
			parts.push([character, look]);
		}

		start += character.length;
	}

	return parts;
}

export type RowCell = {
	readonly text: string;
	readonly width: number;
	readonly tone?: Tone;
	readonly positions?: ReadonlySet<number>;
	/** For a screen reader, if the text relies on columns, or has signs in place of words. */
	readonly spoken?: string;
	/** The text in several styles, instead of a tone; it must fit. */
	readonly parts?: readonly Part[];
};

const noPositions: ReadonlySet<number> = new Set();

/**
Returns the width of the row under the cursor. Reverse video is sent blank by blank, so on a very wide screen it ends after the last column.
*/
export function barWidth(width: number, isColorless: boolean): number {
	return isColorless ? Math.min(width, 130) : width;
}

/** Columns before the name: the mark and the marker, and the state if the list has one. */
export const markerWidth = 3;

export const stateWidth = 5;

const spokenStates: Readonly<Record<string, string>> = {
	[signs.chosen]: 'chosen',
	[signs.notChosen]: 'not chosen',
	[signs.none]: '',
	[signs.hidden]: '',
};

const hearingLooks = {
	starts: {sign: signs.starts, tone: 'on'},
	collides: {sign: signs.collides, tone: 'warning'},
	'has it': {sign: signs.hasPhrase, tone: 'secondary'},
} as const;

/** Returns the relation of a sentence to a row, in place of less important cells. */
export function hearingCell({kind, text}: RowHearing, width: number): RowCell {
	return {text, width, tone: hearingLooks[kind].tone, spoken: ''};
}

const spokenAfterName: Readonly<Record<string, string>> = {[signs.none]: 'not installed', [signs.hidden]: 'not known whether installed'};

type Row = {
	/** The width of the whole list: under the cursor the row goes to its right edge. */
	readonly width: number;
	readonly isCursor: boolean;
	readonly isMarked: boolean;
	readonly hasFailed?: boolean;
	readonly isChanged?: boolean;
	/** Such as “by anna, 12:03”. */
	readonly changedBy?: string;
	readonly heard?: RowHearing | undefined;
	/** The state in a word, with its mark; empty if the record has no state. */
	readonly state?: string | undefined;
	readonly stateTone?: Tone | undefined;
	/** True if the service does not show the state of the record. */
	readonly isStateHidden?: boolean;
	readonly name: string;
	readonly positions: ReadonlySet<number>;
	readonly nameWidth: number;
	readonly cells: readonly RowCell[];
};

/**
Returns one record on one line at any width: mark and marker, the state in a word, the name, then other cells if there is room. The sign of
a change that failed (`!`) or was made elsewhere (`^`) is before the row or, on a marked row, after the state; the sign of a sentence is
before the state.
*/
export function rowLine(props: Row): Line {
	const {
		width: rowWidth,
		isCursor,
		isMarked,
		hasFailed = false,
		isChanged = false,
		heard,
		state,
		stateTone = 'plain',
		name,
		positions,
		nameWidth,
		cells,
	} = props;
	const sign = hasFailed ? signs.problem : isChanged ? signs.changed : '';
	const shownName = cliTruncate(name, nameWidth);
	// The ellipsis is drawn plainly: terminals disagree about its width, and the cells after it would be sent again.
	const ellipsis = shownName === name ? '' : shownName.slice(-1);
	return listRowOf(
		isCursor,
		[
			[isMarked ? signs.marked : sign || ' ', isMarked ? theme.marked : hasFailed ? theme.error : theme.warning],
			[isCursor ? signs.cursor : ' ', {...theme.accent, bold: true}],
			heard === undefined ? [' '] : [hearingLooks[heard.kind].sign, theme[hearingLooks[heard.kind].tone]],
			[state === undefined ? '' : fit(isMarked ? state + sign : state, stateWidth), theme[stateTone]],
			...highlightedParts(shownName.slice(0, shownName.length - ellipsis.length), positions),
			[ellipsis + ' '.repeat(Math.max(0, nameWidth - stringWidth(shownName)))],
			...cells.flatMap(({text, width, tone = 'plain', positions: cellPositions = noPositions, parts}): readonly Part[] =>
				parts === undefined
					? [[' '], ...highlightedParts(fit(text, width - 1), cellPositions, theme[tone])]
					: [[' '], ...parts, [' '.repeat(width - 1 - stringWidth(text))]],
			),
		],
		rowInWords(props),
		rowWidth,
	);
}

/** Returns the row for a screen reader, without cut texts and with words for marks. */
function rowInWords({
	isCursor,
	isMarked,
	hasFailed = false,
	isChanged = false,
	changedBy = '',
	heard,
	state = '',
	isStateHidden = false,
	name,
	cells,
}: Row): string {
	const word = state.replace(signs.pending, '');
	return spokenRow(
		isCursor,
		spokenText(
			`${spokenStates[word] ?? word} ${name}`,
			isStateHidden ? 'state not shown' : (spokenAfterName[word] ?? ''),
			state.endsWith(signs.pending) ? 'not confirmed yet' : '',
			hasFailed ? 'the last change failed' : '',
			isChanged ? `changed ${changedBy || 'elsewhere'}` : '',
			isMarked ? 'marked' : '',
			heard?.text ?? '',
			...cells.map(({text, spoken = text}) => (spoken === signs.none ? '' : spoken)),
		),
	);
}
