import {ansiCodesToString, reduceAnsiCodes, tokenize} from '@alcalzone/ansi-tokenize';
import {isNarrow} from './narrow-text.ts';

/*
Ink makes an object of every cell of every frame, even if nothing changed: half of the processor time of a key, and most of its garbage.
Rows of narrow characters, which is nearly all of them, are joined as strings here.
*/

type Clip = {readonly x1?: number; readonly x2?: number; readonly y1?: number; readonly y2?: number};

type Operation =
	| {readonly type: 'clip'; readonly clip: Clip}
	| {readonly type: 'unclip'}
	| {
			readonly type: 'write';
			readonly x: number;
			readonly y: number;
			readonly text: string;
			readonly transformers: ReadonlyArray<(line: string, index: number) => string>;
	  };

/** The part of Ink's `Output` (`ink/build/output.js`) that is used: the texts written on a frame, and how they become lines. */
export type InkOutput = {
	readonly width: number;
	readonly height: number;
	readonly operations: readonly Operation[];
	get(): {output: string; height: number};
};

const sequences = /\u{1B}\[[\d;]*m/gu;

/** Far more styles than a UI uses. */
const mostKnownLooks = 1000;

const knownStyles = new Map<string, string>();

/** Returns Ink's `Output` with frames that look the same in every cell. */
export function withPlainFrames(Output: new (options: {readonly width: number; readonly height: number}) => InkOutput) {
	return class extends Output {
		override get(): {output: string; height: number} {
			const output = plainFrame(this);
			return output === undefined ? super.get() : {output, height: this.height};
		}
	};
}

type Piece = {readonly y: number; readonly start: number; readonly end: number; readonly text: string};

/**
Returns the lines of a frame; `undefined` if Ink has to look at each cell: for wide characters, and for texts that are cut or overwritten.
*/
function plainFrame({operations, width, height}: InkOutput): string | undefined {
	const rows = Array.from({length: height}, (): Piece[] => []);
	const clips: Clip[] = [];
	for (const operation of operations) {
		if (operation.type === 'clip') {
			clips.push(operation.clip);
		} else if (operation.type === 'unclip') {
			clips.pop();
		} else if (isNarrow(operation.text)) {
			const shown = piecesOf(operation).filter(
				({y, start, end}) => end > start && rows[y] !== undefined && clips.every(({y1 = 0, y2 = height}) => y >= y1 && y < y2),
			);
			if (shown.some(({start, end}) => start < 0 || end > width || clips.some(({x1 = 0, x2 = width}) => start < x1 || end > x2))) {
				return undefined;
			}

			for (const piece of shown) {
				rows[piece.y]!.push(piece);
			}
		} else {
			return undefined;
		}
	}

	const lines = rows.map(row => joinPieces(row));
	return lines.includes(undefined) ? undefined : lines.join('\n');
}

/** Returns the lines of a text, each with the styles that the lines above it left on. */
function piecesOf({x: start, y, text, transformers}: Extract<Operation, {readonly type: 'write'}>): readonly Piece[] {
	let styles = '';
	const lines = text.split('\n');
	return lines.map((line, index) => {
		let drawn = styles + line;
		styles = index === lines.length - 1 ? '' : openStyles(drawn);
		for (const transformer of transformers) {
			drawn = transformer(drawn, index);
		}

		const columns = line.includes('\u{1B}') ? line.replaceAll(sequences, '').length : line.length;
		return {y: y + index, start, end: start + columns, text: drawn};
	});
}

/** Returns the styles that a line leaves on at its end, as the sequences that switch them on. The rows of a list share these sequences. */
function openStyles(line: string): string {
	const all = line.match(sequences)?.join('') ?? '';
	const styles = knownStyles.get(all) ?? ansiCodesToString(reduceAnsiCodes(tokenize(all).filter(token => token.type === 'ansi')));
	if (knownStyles.size < mostKnownLooks) {
		knownStyles.set(all, styles);
	}

	return styles;
}

/** Returns the line that texts side by side form; `undefined` if one overwrites another. */
function joinPieces(pieces: readonly Piece[]): string | undefined {
	let line = '';
	let column = 0;
	for (const {start, end, text} of pieces.toSorted((one, other) => one.start - other.start)) {
		if (start < column) {
			return undefined;
		}

		line += ' '.repeat(start - column) + text + (text.includes('\u{1B}') ? '\u{1B}[0m' : '');
		column = end;
	}

	return line.trimEnd();
}
