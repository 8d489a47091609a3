/** A word that may stand at the cursor. */
export type Candidate = {
	readonly word: string;
	/** A short description, for the shells that show it. */
	readonly meaning?: string | undefined;
	/** True if upper and lower case mean the same, as in the name of a record. */
	readonly isAnyCase?: boolean;
	/** True for a name that looks like an option and so must stand after `--`. */
	readonly isAfterDashes?: boolean;
};

/**
Returns the candidates that start with the typed text, in any case. Shells replace what is typed with the common start of all
candidates: so if there are several, each starts exactly as it was typed, and nothing typed is lost.
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
