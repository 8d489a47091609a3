/** Values repeated up to the next power of two: a few sizes only, so that the database knows each query already. */
export const padded = <Value>(values: readonly Value[]): readonly Value[] => {
	const size = 2 ** Math.ceil(Math.log2(values.length));
	return Array.from({length: size}, (_, index) => values[index] ?? values[0]!);
};
