/*
These stand for the classes of `Intl` in the bundle: loading the rules of Unicode and of languages takes a tenth of the processor time of
`installed --json`, packages ask for them as they load, and a plain screen needs none of them.
*/

import {isNarrow} from '../terminal/narrow-text.ts';

// Taken apart, for the bundler replaces the names where they stand together.
const {Segmenter, ListFormat} = Intl;

type Segments = Pick<Intl.Segments, 'containing'> & Iterable<Intl.SegmentData>;

/** An `Intl.Segmenter` that is made for the first text that needs it: most have only characters that are segments themselves. */
export class LazySegmenter {
	readonly #options: ConstructorParameters<typeof Segmenter>;
	#segmenter: Intl.Segmenter | undefined;

	constructor(...options: ConstructorParameters<typeof Segmenter>) {
		this.#options = options;
	}

	segment(text: string): Segments {
		const {granularity = 'grapheme'} = this.#options[1] ?? {};
		if (granularity === 'grapheme' && isNarrow(text)) {
			return charactersOf(text);
		}

		// Not `??=`: the entry point loads this too, and Node.js 14 must be able to parse it.
		const segmenter = this.#segmenter === undefined ? new Segmenter(...this.#options) : this.#segmenter;
		this.#segmenter = segmenter;
		return segmenter.segment(text);
	}
}

/** Returns the segments of a text whose characters are segments themselves. */
function charactersOf(text: string): Segments {
	const segmentAt = (index: number): Intl.SegmentData => ({segment: text[index]!, index, input: text});
	return {
		containing: (index = 0) => (index < text.length ? segmentAt(index) : undefined),
		*[Symbol.iterator]() {
			for (let index = 0; index < text.length; index++) {
				yield segmentAt(index);
			}
		},
	};
}

/** An `Intl.ListFormat` that is made when it is used. */
export class LazyListFormat {
	readonly #options: ConstructorParameters<typeof ListFormat>;

	constructor(...options: ConstructorParameters<typeof ListFormat>) {
		this.#options = options;
	}

	format(list: Iterable<string>): string {
		return new ListFormat(...this.#options).format(list);
	}
}
