import {listNouns} from '../../interface/lists.ts';
import {type Change, type ChangeKind} from './list-changes.ts';

/** More changes than this are summarized in one line. */
const maximumLines = 5;

/** Of longer values the part is shown if they differ. */
const maximumValueLength = 60;

const fieldNames: Readonly<Partial<Record<ChangeKind, string>>> = {
	phrases: 'the trigger phrases of', category: 'the category of', description: 'the description of', prompt: 'the prompt of', ties: 'the abilities of',
};

const excerpt = (text: string, other: string): string => {
	if (text === '') {
		return 'empty';
	}

	if (text.length <= maximumValueLength) {
		return `“${text}”`;
	}

	const first = [...text].findIndex((character, index) => character !== other[index]);
	const start = Math.max(0, Math.min(first === -1 ? text.length : first, text.length - maximumValueLength) - 10);
	const end = start + maximumValueLength;
	return `“${start === 0 ? '' : '…'}${text.slice(start, end).replaceAll('\n', ' ')}${end >= text.length ? '' : '…'}”`;
};

/** One change with its old and new value, such as “Elsewhere: lamps was switched off (it was on).” */
const textOf = ({resource, name, kind, from, to}: Change): string => {
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
			return `Elsewhere: ${fieldNames[kind]} ${name} changed from ${excerpt(from, to)} to ${excerpt(to, from)}.`;
		}
	}
};

const verbOf = ({kind, to}: Change): string => kind === 'state' ? `switched ${to}` : (kind === 'added' || kind === 'removed' ? kind : 'edited');

/** What was changed elsewhere: one line for each change, or one for many. */
export const outsideTexts = (changes: readonly Change[]): readonly string[] => {
	if (changes.length <= maximumLines) {
		return changes.map(change => textOf(change));
	}

	const counts = Map.groupBy(changes, change => verbOf(change));
	const list = [...counts].map(([verb, {length}]) => `${length} ${verb}`).join(', ');
	return [`Elsewhere, ${changes.length} changes to the ${listNouns[changes[0]!.resource]}: ${list}. The filter is:changed shows them.`];
};
