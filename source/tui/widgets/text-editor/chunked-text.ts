/*
A text in pieces. Strings cannot be changed: replacing a character in one of megabytes copies all of it. Here an edit copies
the piece that it is in, and a list of the others.
*/

type Piece = {
	readonly text: string;
	readonly lineFeeds: number;
	/** What is before it: UTF-16 units, and line feeds. */
	readonly start: number;
	readonly lineFeedsBefore: number;
};

/** A text that is cheap to edit, however long it is. Offsets are in UTF-16 units. */
export type ChunkedText = {
	readonly pieces: readonly Piece[];
	readonly length: number;
	readonly lineCount: number;
};

const pieceLength = 8192;

const countLineFeeds = (text: string): number => {
	let count = 0;
	for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) {
		count++;
	}

	return count;
};

/** Equal pieces: a short one at the end would get shorter with every edit. */
const split = (text: string): ReadonlyArray<Pick<Piece, 'text' | 'lineFeeds'>> => {
	const count = Math.ceil(text.length / pieceLength);
	const length = Math.ceil(text.length / count);
	return Array.from({length: count}, (_, index) => {
		const piece = text.slice(index * length, (index + 1) * length);
		return {text: piece, lineFeeds: countLineFeeds(piece)};
	});
};

const join = (parts: ReadonlyArray<Pick<Piece, 'text' | 'lineFeeds'>>): ChunkedText => {
	const pieces: Piece[] = [];
	let start = 0;
	let lineFeedsBefore = 0;
	for (const {text, lineFeeds} of parts) {
		pieces.push({
			text, lineFeeds, start, lineFeedsBefore,
		});
		start += text.length;
		lineFeedsBefore += lineFeeds;
	}

	return {pieces, length: start, lineCount: lineFeedsBefore + 1};
};

export const toChunkedText = (text: string): ChunkedText => join(split(text));

export const toPlainText = ({pieces}: ChunkedText): string => pieces.map(({text}) => text).join('');

/** The index of the piece that the character at an offset is in; that of the last one at the end of the text, -1 in an empty text. */
const pieceIndexAt = ({pieces}: ChunkedText, offset: number): number => {
	let first = Math.min(0, pieces.length - 1);
	let last = pieces.length - 1;
	while (first < last) {
		const middle = Math.ceil((first + last) / 2);
		if (pieces[middle]!.start <= offset) {
			first = middle;
		} else {
			last = middle - 1;
		}
	}

	return last;
};

/** The part of the text between two offsets, which may lie beyond its ends. */
export const sliceText = (text: ChunkedText, from: number, to: number): string => {
	let slice = '';
	for (let index = Math.max(0, pieceIndexAt(text, from)); index < text.pieces.length && text.pieces[index]!.start < to; index++) {
		const {text: part, start} = text.pieces[index]!;
		slice += part.slice(Math.max(0, from - start), to - start);
	}

	return slice;
};

/** The text with another one in place of the part between two offsets. */
export const replaceText = (text: ChunkedText, from: number, to: number, inserted: string): ChunkedText => {
	const {pieces} = text;
	const firstIndex = Math.max(0, pieceIndexAt(text, from));
	const lastIndex = Math.max(0, pieceIndexAt(text, to));
	const first = pieces[firstIndex];
	const last = pieces[lastIndex];
	const changed = first === undefined || last === undefined
		? inserted
		: first.text.slice(0, from - first.start) + inserted + last.text.slice(to - last.start);
	// Otherwise deletions would leave ever shorter pieces.
	const neighbour = changed.length < pieceLength / 4 ? pieces[lastIndex + 1]?.text : undefined;
	return join([
		...pieces.slice(0, firstIndex),
		...split(changed + (neighbour ?? '')),
		...pieces.slice(lastIndex + (neighbour === undefined ? 1 : 2)),
	]);
};

/** Where the line starts that an offset is in. */
export const lineStartOf = (text: ChunkedText, offset: number): number => {
	for (let index = pieceIndexAt(text, offset); index >= 0; index--) {
		const {text: part, start, lineFeeds} = text.pieces[index]!;
		const found = lineFeeds === 0 || offset === start ? -1 : part.lastIndexOf('\n', offset - start - 1);
		if (found !== -1) {
			return start + found + 1;
		}
	}

	return 0;
};

/** Where the line after that of an offset starts; `undefined` if it is the last one. */
export const nextLineStartOf = (text: ChunkedText, offset: number): number | undefined => {
	for (let index = Math.max(0, pieceIndexAt(text, offset)); index < text.pieces.length; index++) {
		const {text: part, start, lineFeeds} = text.pieces[index]!;
		const found = lineFeeds === 0 ? -1 : part.indexOf('\n', Math.max(0, offset - start));
		if (found !== -1) {
			return start + found + 1;
		}
	}

	return undefined;
};

/** Where the line ends that an offset is in, before its line break: a line feed, or a carriage return and a line feed. */
export const lineEndOf = (text: ChunkedText, offset: number): number => {
	const next = nextLineStartOf(text, offset);
	return next === undefined ? text.length : next - (sliceText(text, next - 2, next) === '\r\n' ? 2 : 1);
};

/** The number of the line that an offset is in, from 1. */
export const lineNumberOf = (text: ChunkedText, offset: number): number => {
	const piece = text.pieces[pieceIndexAt(text, offset)];
	return piece === undefined ? 1 : 1 + piece.lineFeedsBefore + countLineFeeds(piece.text.slice(0, offset - piece.start));
};
