import {type Capabilities} from './capabilities.ts';
import {type Row} from './cells.ts';
import {createScreenEncoder} from './screen-encoder.ts';
import {findScroll, scrollRows, type Scroll} from './scroll.ts';

/**
Returns the bytes that make the screen show these rows, as many as it has; empty if it shows them already. The first call
draws everything, whatever the screen shows. Equal rows of two calls are the same object as a rule.
*/
export type FrameEncoder = (rows: readonly Row[]) => string;

/** An encoder that sends only what has changed, on a screen of this width. */
export const createFrameEncoder = (columns: number, {hasScrollRegions}: Pick<Capabilities, 'hasScrollRegions'>): FrameEncoder => {
	let shown: readonly Row[] | undefined;

	const encode = (next: readonly Row[], scroll?: Scroll): string => {
		const encoder = createScreenEncoder(columns);
		let before = shown;
		if (before === undefined) {
			encoder.clear();
		} else if (scroll !== undefined) {
			encoder.scroll(scroll);
			before = scrollRows(before, scroll);
		}

		for (const [row, cells] of next.entries()) {
			const previous = before?.[row] ?? [];
			if (previous !== cells) {
				encoder.changeRow(row, previous, cells);
			}
		}

		return encoder.finish();
	};

	return next => {
		const scroll = shown === undefined || !hasScrollRegions ? undefined : findScroll(shown, next);
		let encoded = encode(next);
		if (scroll !== undefined) {
			const scrolled = encode(next, scroll);
			encoded = scrolled.length < encoded.length ? scrolled : encoded;
		}

		shown = next;
		return encoded;
	};
};
