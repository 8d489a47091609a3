import {createHash} from 'node:crypto';
import {SwitchboardError} from '../interface/errors.ts';
import {isLongText, type HistoryEntry, type HistoryQuery} from '../interface/history.ts';

/** A difference that fits compares each line once or twice; a difference that does not fit is tried at every line of the text. */
const maximumComparisons = 2_000_000;

/** Tells whether a page has only the start of its texts. */
export function isShortened({from, to}: Pick<HistoryEntry, 'from' | 'to'>): boolean {
	return isLongText(from) || isLongText(to);
}

/**
Returns an entry of a page with its whole texts; if the new text cannot be rebuilt from the former one, with the difference.

@throws SwitchboardError `not-found` if the history no longer has it.
*/
export async function readWhole<Entry extends Pick<HistoryEntry, 'id' | 'from' | 'to'>>(
	{read}: {readonly read: (query: HistoryQuery, signal?: AbortSignal) => Promise<{readonly entries: readonly HistoryEntry[]}>},
	entry: Entry,
	signal?: AbortSignal,
): Promise<Entry | HistoryEntry> {
	if (!isShortened(entry)) {
		return entry;
	}

	const {entries} = await read({entry: entry.id}, signal);
	const [whole] = entries;
	if (whole?.id !== entry.id) {
		throw new SwitchboardError('not-found', 'The history no longer has this change.');
	}

	return withWholeTexts(whole);
}

/**
Returns an entry that was read alone, with a long new text rebuilt from the former text and the difference. If the result does not match the
hash, the entry is returned as it is, with the difference in `to`.
*/
export async function withWholeTexts(entry: HistoryEntry): Promise<HistoryEntry> {
	const {from, to} = entry;
	if (!isLongText(to) || to.difference === undefined || !(from === null || typeof from === 'string')) {
		return entry;
	}

	const text = await applyDifference(from ?? '', to.difference);
	return text !== undefined && createHash('sha256').update(text).digest('hex') === to.sha256 ? {...entry, to: text} : entry;
}

/** Returns the text after a difference; `undefined` if that does not fit. */
async function applyDifference(before: string, difference: string): Promise<string | undefined> {
	// Most entries have no long text.
	const {applyPatch} = await import('diff');
	let comparisons = 0;
	try {
		const after = applyPatch(before, difference, {
			autoConvertLineEndings: false,
			compareLine(_lineNumber, line, _operation, patchLine) {
				if (++comparisons > maximumComparisons) {
					throw new RangeError('The difference fits nowhere.');
				}

				return line === patchLine;
			},
		});
		return after === false ? undefined : after;
	} catch {
		return undefined;
	}
}
