import {createHash} from 'node:crypto';
import {isLongText, type HistoryEntry} from '../interface/history.ts';

/** A difference that fits compares each line once or twice; a difference that does not fit is tried at every line of the text. */
const maximumComparisons = 2_000_000;

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
