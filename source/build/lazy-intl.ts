/*
These stand for the classes of `Intl` in the bundle: loading the rules of Unicode and of languages takes a tenth of the processor time of
`installed --json`, packages ask for them as they load, and a plain screen needs none of them.
*/

// Taken apart, for the bundler replaces the names where they stand together.
const {Segmenter, ListFormat} = Intl;

/** An `Intl.Segmenter` that is made when it is used. */
export class LazySegmenter {
	readonly #options: ConstructorParameters<typeof Segmenter>;
	#segmenter: Intl.Segmenter | undefined;

	constructor(...options: ConstructorParameters<typeof Segmenter>) {
		this.#options = options;
	}

	segment(text: string): Intl.Segments {
		// Not `??=`: the entry point loads this too, and Node.js 14 must be able to parse it.
		const segmenter = this.#segmenter === undefined ? new Segmenter(...this.#options) : this.#segmenter;
		this.#segmenter = segmenter;
		return segmenter.segment(text);
	}
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
