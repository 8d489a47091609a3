import {findField, type Values} from '../../changes/fields.ts';
import {counted} from '../../interface/format-count.ts';
import type {Resource} from '../../interface/records.ts';

/* The words for what is edited in a form. */

/** A longer list would take a message more than its line. */
const maximumListLength = 48;

/** Such as: “good morning” and “wake the house”. */
export const quotedList = (phrases: readonly string[]): string => {
	const quoted = phrases.map(phrase => `“${phrase}”`);
	const last = quoted.pop();
	return quoted.length === 0 ? (last ?? '') : `${quoted.join(', ')} and ${last}`;
};

/** The phrases in quotation marks, or how many there are. */
export const phraseListText = (phrases: readonly string[]): string => {
	const list = quotedList(phrases);
	return phrases.length === 0 ? 'no trigger phrases' : list.length > maximumListLength ? counted(phrases.length, 'trigger phrase') : list;
};

/** Follows the name of an ability, such as: listens for “good morning” and “wake the house”. */
export const phrasesText = (phrases: readonly string[]): string =>
	`${phrases.length === 0 ? 'has' : 'listens for'} ${phraseListText(phrases)}`;

/** Such as “1 ability”. */
export const abilityCountText = (count: number): string =>
	count === 0 ? 'no abilities' : count === 1 ? '1 ability' : `${count} abilities`;

/** The fields of changes in words, such as “name and description”. */
export const changedText = (resource: Resource, values: Values): string =>
	Object.entries(values)
		.flatMap(([name, value]) => (value === undefined ? [] : (findField(resource, name)?.noun ?? [])))
		.join(' and ');
