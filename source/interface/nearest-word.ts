/** The Damerau-Levenshtein distance: letters added, missing, replaced or transposed. */
const editDistance = (first: string, second: string): number => {
	let beforeLast: number[] = [];
	let last = Array.from({length: second.length + 1}, (_, index) => index);
	for (let row = 1; row <= first.length; row++) {
		const current = [row];
		for (let column = 1; column <= second.length; column++) {
			const isSame = first[row - 1] === second[column - 1];
			const isExchanged = row > 1 && column > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
			current.push(Math.min(
				last[column]! + 1,
				current[column - 1]! + 1,
				last[column - 1]! + (isSame ? 0 : 1),
				isExchanged ? beforeLast[column - 2]! + 1 : Infinity,
			));
		}

		beforeLast = last;
		last = current;
	}

	return last.at(-1)!;
};

const maximumDistance = 3;

/** The word that was probably meant; `undefined` if more than half of its letters are wrong. */
export const nearestWord = (typed: string, words: readonly string[]): string | undefined => {
	const wanted = typed.toLowerCase();
	const [nearest] = words
		.map(word => ({word, distance: editDistance(wanted, word.toLowerCase())}))
		.filter(({word, distance}) => distance <= maximumDistance && distance * 2 <= Math.max(wanted.length, word.length))
		.toSorted((first, second) => first.distance - second.distance);
	return nearest?.word;
};
