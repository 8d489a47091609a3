const maximumCandidates = 8;

/** Records of which one may be meant, with their ids, for a sentence. */
export const listCandidates = (candidates: ReadonlyArray<{readonly id: number; readonly name: string}>): string => {
	const shown = candidates.slice(0, maximumCandidates).map(({id, name}) => `${id} (${name})`);
	const left = candidates.length - shown.length;
	return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
};
