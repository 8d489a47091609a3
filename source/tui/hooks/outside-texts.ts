import {listNouns} from '../../interface/lists.ts';
import {type Message} from '../state/messages.ts';
import {type Change, type ChangeKind} from './list-changes.ts';

/** More changes than this are summarized in one line. */
const maximumLines = 5;

/** Of longer values the part is shown if they differ, from a little before the difference. */
const maximumValueLength = 30;
const lengthBefore = 6;

const fieldNames: Readonly<Partial<Record<ChangeKind, string>>> = {
	phrases: 'phrases', category: 'category', description: 'description', prompt: 'prompt', ties: 'abilities',
};

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const excerpt = (text: string, other: string): string => {
	if (text === '') {
		return 'empty';
	}

	const first = [...text].findIndex((character, index) => character !== other[index]);
	const start = Math.max(0, Math.min(first === -1 ? text.length : first - lengthBefore, text.length - maximumValueLength));
	const end = start + maximumValueLength;
	return `“${start === 0 ? '' : '…'}${text.slice(start, end)}${end >= text.length ? '' : '…'}”`;
};

const quotingTextOf = ({name, kind, from, to}: Change): string => {
	const [before, after] = [onOneLine(from), onOneLine(to)];
	return `Elsewhere: ${fieldNames[kind]} of ${name}: ${excerpt(before, after)} → ${excerpt(after, before)}`;
};

/** One change with its old and new value, such as “Elsewhere: lamps was switched off (it was on).” */
const textOf = (change: Change): string => {
	const {resource, name, kind, from, to} = change;
	switch (kind) {
		case 'state': {
			return `Elsewhere: ${name} was switched ${to} (it was ${from}).`;
		}

		case 'name': {
			return `Elsewhere: ${from} was renamed to ${to}.`;
		}

		case 'added': {
			return `Elsewhere: ${name} was added to the ${listNouns[resource]}${to === '' ? '' : `, and is ${to}`}.`;
		}

		case 'removed': {
			return `Elsewhere: ${name} was removed from the ${listNouns[resource]}.`;
		}

		default: {
			return quotingTextOf(change);
		}
	}
};

const verbOf = ({kind, to}: Change): string => kind === 'state' ? `switched ${to}` : (kind === 'added' || kind === 'removed' ? kind : 'edited');

/** What was changed elsewhere: one note for each change, or one for many. */
export const outsideNotes = (changes: readonly Change[]): ReadonlyArray<Pick<Message, 'text' | 'isQuoting'>> => {
	if (changes.length <= maximumLines) {
		return changes.map(change => ({text: textOf(change), isQuoting: fieldNames[change.kind] !== undefined}));
	}

	const counts = Map.groupBy(changes, change => verbOf(change));
	const list = [...counts].map(([verb, {length}]) => `${length} ${verb}`).join(', ');
	return [{text: `Elsewhere, ${changes.length} changes to the ${listNouns[changes[0]!.resource]}: ${list}. The filter is:changed shows them.`}];
};
