import {cleanLines} from '../../interface/clean-text.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {JsonValue} from '../../interface/json.ts';
import {listNouns} from '../../interface/lists.ts';
import {cleanName} from '../../interface/records.ts';
import type {RecordChange} from '../../changes/compare-lists.ts';
import {findField, plainValue, resourceOf} from '../../changes/fields.ts';
import type {Message} from './messages.ts';

/* Notes on changes made elsewhere. */

/** More changes than this are summarized in one line. */
const maximumLines = 5;

/** For longer values the differing part is shown, from a little before the difference. */
const maximumValueLength = 30;

const lengthBefore = 6;

/**
Notes on changes made elsewhere: one note for each change, or one for many.

@param records - of the list that shows them.
@param by - the person who made them, if that is known.
*/
export function outsideNotes(
	changes: readonly RecordChange[],
	records: ReadonlyArray<{readonly id: number; readonly isEnabled?: boolean | undefined}>,
	by = 'Elsewhere',
): ReadonlyArray<Pick<Message, 'text' | 'isQuoting'>> {
	if (changes.length <= maximumLines) {
		return changes.map(change => {
			const text = plainTextOf(change, records.find(({id}) => id === change.record)?.isEnabled);
			return {text: `${by}: ${text ?? quotingTextOf(change)}`, isQuoting: text === undefined};
		});
	}

	const counts = Map.groupBy(changes, change => verbOf(change));
	const list = [...counts].map(([verb, {length}]) => `${length} ${verb}`).join(', ');
	const noun = listNouns[resourceOf[changes[0]!.kind]];
	return [{text: `${by}, ${changes.length} changes to the ${noun}: ${list}. The filter is:changed shows them.`}];
}

/**
Returns the sentence of a change that quotes no text, such as “lamps was switched off (it was on).”

@param isEnabled - the state of an installed ability that appeared.
*/
function plainTextOf(change: RecordChange, isEnabled: boolean | undefined): string | undefined {
	const {kind, field, from, to} = change;
	const name = cleanName(change.name);
	const list = `the ${listNouns[resourceOf[kind]]}`;
	if (field === 'enabled') {
		return `${name} was switched ${stateWord(to as boolean)} (it was ${stateWord(from as boolean)}).`;
	}

	if (field === 'name') {
		return `${name} was renamed to ${cleanName(plainValue(to))}.`;
	}

	if (!isPresence(change)) {
		return undefined;
	}

	const state = isEnabled === undefined ? '' : `, and is ${stateWord(isEnabled)}`;
	return to === true ? `${name} was added to ${list}${state}.` : `${name} was removed from ${list}.`;
}

const isPresence = ({field}: RecordChange): boolean => field === 'exists' || field === 'installed';

function quotingTextOf({kind, name, field, from, to}: RecordChange): string {
	const [before, after] = [onOneLine(from), onOneLine(to)];
	const noun = field === 'triggers' ? 'phrases' : findField(resourceOf[kind], field)!.noun;
	return `${noun} of ${cleanName(name)}: ${excerpt(before, after)} → ${excerpt(after, before)}`;
}

const onOneLine = (value: JsonValue): string => cleanLines(plainValue(value)).replaceAll(/\s+/g, ' ');

function excerpt(text: string, other: string): string {
	if (text === '') {
		return 'empty';
	}

	const first = [...text].findIndex((character, index) => character !== other[index]);
	const start = Math.max(0, Math.min(first === -1 ? text.length : first - lengthBefore, text.length - maximumValueLength));
	const end = start + maximumValueLength;
	return `“${start === 0 ? '' : '…'}${text.slice(start, end)}${end >= text.length ? '' : '…'}”`;
}

const verbOf = (change: RecordChange): string =>
	change.field === 'enabled'
		? `switched ${stateWord(change.to as boolean)}`
		: isPresence(change)
			? change.to === true
				? 'added'
				: 'removed'
			: 'edited';
