/** What may stand at the cursor. */
export type Candidate = {
	readonly word: string;
	/** What it means, in a few words, for the shells that show that. */
	readonly meaning?: string | undefined;
	/** True for what a command takes in any case, such as the name of a record. */
	readonly isAnyCase?: boolean;
	/** True for a name that would be taken for an option: it stands after `--`. */
	readonly isAfterDashes?: boolean;
};

/**
The candidates that go on from what is typed, in any case. Shells put in as much as all candidates begin with, and replace
what is typed by it: so where there are several, each begins exactly as it was typed, and nothing typed is lost.
*/
export const chooseCandidates = (candidates: readonly Candidate[], typed: string): readonly Candidate[] => {
	const wanted = typed.normalize('NFC');
	const fitting = candidates
		.map(candidate => ({...candidate, word: candidate.word.normalize('NFC')}))
		.filter(({word}) => word.slice(0, wanted.length).toLowerCase() === wanted.toLowerCase());
	return fitting.length < 2
		? fitting
		: fitting
			.filter(({word, isAnyCase}) => isAnyCase === true || word.startsWith(wanted))
			.map(candidate => ({...candidate, word: wanted + candidate.word.slice(wanted.length)}));
};
