/** A change of a text: at an offset, one part replaced another one. */
export type Edit = {
	readonly start: number;
	readonly removed: string;
	readonly inserted: string;
};

export type EditHistory = {
	/** The edits that can be undone, the newest last. */
	readonly past: readonly Edit[];
	/** The edits that were undone, the next one to redo last. */
	readonly future: readonly Edit[];
	/** False once the oldest edits were dropped: undoing all others does not bring the first text back. */
	readonly isWhole: boolean;
};

export const noEdits: EditHistory = {past: [], future: [], isWhole: true};

const maximumEdits = 1000;

/** UTF-16 units in all edits. */
const maximumLength = 32 * 1024 * 1024;

/** What is typed without a pause for a word is undone at once, up to this length. */
const maximumJoinedLength = 1000;

/** Both edits as one; `undefined` if they do not adjoin, or the second one starts a word. */
const joinEdits = (first: Edit, second: Edit): Edit | undefined => {
	if (first.inserted.length + first.removed.length > maximumJoinedLength) {
		return undefined;
	}

	if (second.removed === '' && second.start === first.start + first.inserted.length) {
		const isNewWord = /\s$/u.test(first.inserted) && /^\S/u.test(second.inserted);
		return isNewWord ? undefined : {...first, inserted: first.inserted + second.inserted};
	}

	if (first.inserted !== '' || second.inserted !== '') {
		return undefined;
	}

	if (second.start === first.start) {
		return {...first, removed: first.removed + second.removed};
	}

	return second.start + second.removed.length === first.start ? {...second, removed: second.removed + first.removed} : undefined;
};

const lengthOf = (edits: readonly Edit[]): number => edits.reduce((sum, {removed, inserted}) => sum + removed.length + inserted.length, 0);

const withoutExcess = (edits: readonly Edit[]): readonly Edit[] => edits.length > 1 && (edits.length > maximumEdits || lengthOf(edits) > maximumLength)
	? withoutExcess(edits.slice(1))
	: edits;

/** @param isContinued - true if the edit goes on with what the last one did: both are undone at once. */
export const withEdit = ({past, isWhole}: EditHistory, edit: Edit, isContinued: boolean): EditHistory => {
	const last = past.at(-1);
	const joined = isContinued && last !== undefined ? joinEdits(last, edit) : undefined;
	const all = joined === undefined ? [...past, edit] : [...past.slice(0, -1), joined];
	const kept = withoutExcess(all);
	return {past: kept, future: [], isWhole: isWhole && kept.length === all.length};
};

/** The history after its last edit is undone. */
export const withoutLast = ({past, future, isWhole}: EditHistory): EditHistory => ({past: past.slice(0, -1), future: [...future, past.at(-1)!], isWhole});

/** The history after the edit that was undone last is done again. */
export const withRedone = ({past, future, isWhole}: EditHistory): EditHistory => ({past: [...past, future.at(-1)!], future: future.slice(0, -1), isWhole});
