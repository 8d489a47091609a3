import {
	ansiCodesToString,
	reduceAnsiCodes,
	styledCharsToString,
	tokenize,
	type StyledChar,
} from '@alcalzone/ansi-tokenize';

/*
Ink makes every row of a frame anew from the texts written on it, whatever has changed: two thirds of what a key costs on a
screen of 24 rows. Most rows of a frame stood on the last one as well, though perhaps on another line.
*/

export type Clip = {
	readonly x1?: number | undefined;
	readonly x2?: number | undefined;
	readonly y1?: number | undefined;
	readonly y2?: number | undefined;
};

type Transformer = (line: string, index: number) => string;

type WriteOperation = {
	readonly type: 'write';
	readonly x: number;
	readonly y: number;
	readonly text: string;
	readonly transformers: readonly Transformer[];
};

type Operation = WriteOperation | {readonly type: 'clip'; readonly clip: Clip} | {readonly type: 'unclip'};

/** What is used of Ink's `Output` (`ink/build/output.js`): the texts written on a frame, and how they become lines. */
export type InkOutput = {
	width: number;
	height: number;
	operations: Operation[];
	caches: {readonly widths: Map<string, unknown>; readonly blockWidths: Map<string, unknown>; readonly styledChars: Map<string, unknown>};
	applyWriteOperation(rows: StyledChar[][], operation: WriteOperation, clip: Clip | undefined): void;
	get(): {output: string; height: number};
};

type InkOutputClass = new (options: {readonly width: number; readonly height: number}) => InkOutput;

export type RowMemory = {
	width?: number;
	/** Lines by what was written on them. */
	lines?: ReadonlyMap<string, string>;
};

const blank: StyledChar = {
	type: 'char', value: ' ', fullWidth: false, styles: [],
};

/** Many more texts than are ever on a screen; past that all are forgotten at once. */
const maximumCachedTexts = 5000;

const tighter = (one: number | undefined, other: number | undefined, choose: (one: number, other: number) => number): number | undefined =>
	one === undefined ? other : (other === undefined ? one : choose(one, other));

/** The clip inside another, as Ink nests them. */
const intersection = (outer: Clip | undefined, inner: Clip): Clip => outer === undefined
	? inner
	: {
		x1: tighter(outer.x1, inner.x1, Math.max),
		x2: tighter(outer.x2, inner.x2, Math.min),
		y1: tighter(outer.y1, inner.y1, Math.max),
		y2: tighter(outer.y2, inner.y2, Math.min),
	};

const isInside = (y: number, {y1, y2}: Clip): boolean => (y1 === undefined || y >= y1) && (y2 === undefined || y < y2);

/** A name for each function, the same as long as it lives. */
const createNames = () => {
	const names = new WeakMap<Transformer, string>();
	let count = 0;
	return (transformer: Transformer): string => {
		const name = names.get(transformer) ?? String(++count);
		names.set(transformer, name);
		return name;
	};
};

const nameOf = createNames();

type Write = {
	/** Of one line. */
	readonly operation: WriteOperation;
	readonly clip: Clip | undefined;
};

type DrawnRow = {
	/** Everything that the line depends on, wherever on the screen it stands. */
	key: string;
	readonly writes: Write[];
};

/** Characters that take one column each, in every font, and SGR, which takes none. */
export const plainText = /^(?:[ -~\u{A1}-\u{AC}\u{AE}-\u{2FF}\u{2010}-\u{2027}]|\u{1B}\[[\d;]*m)*$/u;

/** True for a text that Ink's cleaning leaves as it is. */
export const isPlain = (text: string): boolean => text.split('\n').every(line => plainText.test(line));

const styles = /\u{1B}\[[\d;]*m/gu;

/**
The line that texts side by side make, where they hold nothing that has to be looked at cell by cell: no character of
another width, none that is cut or written over; `undefined` otherwise.
*/
const plainLine = (writes: readonly Write[], width: number): string | undefined => {
	let line = '';
	let column = 0;
	for (const {operation: {x, text, transformers}, clip} of writes.toSorted((first, second) => first.operation.x - second.operation.x)) {
		if (x < column || !plainText.test(text)) {
			return undefined;
		}

		const textWidth = text.includes('\u{1B}') ? text.replaceAll(styles, '').length : text.length;
		if (x + textWidth > Math.min(width, clip?.x2 ?? width) || x < (clip?.x1 ?? 0)) {
			return undefined;
		}

		let written = text;
		for (const transformer of transformers) {
			written = transformer(written, 0);
		}

		line += ' '.repeat(x - column) + written + (written.includes('\u{1B}') ? '\u{1B}[0m' : '');
		column = x + textWidth;
	}

	return line.trimEnd();
};

/** The looks that a text leaves on at its end, as the sequences that turn them on. */
const createOpenLooks = () => {
	// The rows of a list have the same sequences.
	const known = new Map<string, string>();
	return (text: string): string => {
		if (!text.includes('\u{1B}')) {
			return '';
		}

		const sequences = plainText.test(text) ? text.match(styles)!.join('') : text;
		const looks = known.get(sequences) ?? ansiCodesToString(reduceAnsiCodes(tokenize(sequences).filter(token => token.type === 'ansi')));
		if (known.size >= maximumCachedTexts) {
			known.clear();
		}

		known.set(sequences, looks);
		return looks;
	};
};

const openLooks = createOpenLooks();

/** A text by lines, each with the looks that those above it left on. */
const linesOf = (operation: WriteOperation): readonly WriteOperation[] => {
	if (!operation.text.includes('\n')) {
		return [operation];
	}

	let looks = '';
	return operation.text.split('\n').map((line, index) => {
		const text = looks + line;
		looks = openLooks(text);
		return {
			...operation, y: operation.y + index, text, transformers: operation.transformers.map(transformer => (each: string) => transformer(each, index)),
		};
	});
};

/** Notes a text on each row that it touches. */
const addWrite = (rows: readonly DrawnRow[], whole: WriteOperation, clip: Clip | undefined): void => {
	const names = whole.transformers.map(transformer => nameOf(transformer)).join(' ');
	for (const [index, operation] of linesOf(whole).entries()) {
		const {x, y, text} = operation;
		const row = rows[y];
		if (row === undefined || (clip !== undefined && !isInside(y, clip))) {
			continue;
		}

		row.writes.push({operation, clip});
		row.key += `${names === '' ? '' : index} ${x} ${clip?.x1 ?? ''} ${clip?.x2 ?? ''} ${names} ${text.length} ${text}`;
	}
};

/** The rows of a frame with what is written on each. */
const rowsOf = (operations: readonly Operation[], height: number): readonly DrawnRow[] => {
	const rows = Array.from({length: height}, (): DrawnRow => ({key: '', writes: []}));
	const clips: Clip[] = [];
	for (const operation of operations) {
		if (operation.type === 'clip') {
			clips.push(intersection(clips.at(-1), operation.clip));
		} else if (operation.type === 'unclip') {
			clips.pop();
		} else {
			addWrite(rows, operation, clips.at(-1));
		}
	}

	return rows;
};

/**
Ink's `Output` that draws only rows which did not stand on the last frame, on whatever line. What it gives is the same,
character by character.
*/
export const rememberRows = (Output: InkOutputClass) => {
	let caches: InkOutput['caches'] | undefined;
	return class extends Output {
		readonly #memory: RowMemory;

		/** @param options.memory - what the frame before left there. */
		constructor({memory, ...options}: {readonly width: number; readonly height: number; readonly memory: RowMemory}) {
			super(options);
			this.#memory = memory;
			// Those of Ink live as long as a frame.
			caches ??= this.caches;
			this.caches = caches;
			for (const cache of [caches.widths, caches.blockWidths, caches.styledChars]) {
				if (cache.size > maximumCachedTexts) {
					cache.clear();
				}
			}
		}

		#draw(y: number, writes: readonly Write[]): string {
			const line = plainLine(writes, this.width);
			if (line !== undefined) {
				return line;
			}

			const cells: StyledChar[] = Array.from({length: this.width}, () => blank);
			const rows: StyledChar[][] = [];
			rows[y] = cells;
			for (const {operation, clip} of writes) {
				this.applyWriteOperation(rows, operation, clip);
			}

			return styledCharsToString(cells.filter(cell => (cell as StyledChar | undefined) !== undefined)).trimEnd();
		}

		override get(): {output: string; height: number} {
			const memory = this.#memory;
			const rows = rowsOf(this.operations, this.height);
			const before = memory.width === this.width ? memory.lines : undefined;
			const lines = new Map<string, string>();
			for (const [y, {key, writes}] of rows.entries()) {
				lines.set(key, lines.get(key) ?? before?.get(key) ?? this.#draw(y, writes));
			}

			memory.width = this.width;
			memory.lines = lines;
			return {output: rows.map(({key}) => lines.get(key)!).join('\n'), height: rows.length};
		}
	};
};
