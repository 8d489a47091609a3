// Taken apart, for the bundler puts `LazySegmenter` wherever both names stand together.
const {Segmenter} = Intl;

/**
Stands for `Intl.Segmenter` in the bundle: loading the rules of Unicode takes longer than any other module, and a screen
of plain characters needs none of them.
*/
export class LazySegmenter {
	readonly #options: ConstructorParameters<typeof Segmenter>;
	#segmenter: Intl.Segmenter | undefined;

	constructor(...options: ConstructorParameters<typeof Segmenter>) {
		this.#options = options;
	}

	segment(text: string): Intl.Segments {
		this.#segmenter ??= new Segmenter(...this.#options);
		return this.#segmenter.segment(text);
	}
}
