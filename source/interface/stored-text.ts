/**
What is wrong with a text that is to be stored as it is, as a clause that follows its label; `undefined` if nothing is.
Neither of the two survives every step on the way to a database and back: text ends at U+0000 for some, and half of a
surrogate pair has no UTF-8 (RFC 3629, section 3).
*/
export const storedTextProblem = (text: string): string | undefined => {
	if (text.includes('\0')) {
		return 'contains the character U+0000';
	}

	return text.isWellFormed() ? undefined : 'contains half of a surrogate pair, which is not a character';
};
