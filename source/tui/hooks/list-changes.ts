import type {ResourceList} from '../../client/client.ts';
import {categoryLabel} from '../../interface/categories.ts';
import {listNouns} from '../../interface/lists.ts';
import {rawName, type Ability, type Records, type Resource} from '../../interface/records.ts';
import {changedFields, compareRecords, compareWithKnown, type Field, type RecordChange} from '../../changes/compare-lists.ts';
import type {Message} from '../state/messages.ts';

type ChangeKind = 'state' | 'name' | 'phrases' | 'category' | 'description' | 'prompt' | 'ties' | 'added' | 'removed';

/** A difference between a list and the one before it, as the screens show both; `watch` prints the values that the service sent. */
export type Change = {
	readonly resource: Resource;
	readonly id: number;
	/** The name of the record before. */
	readonly name: string;
	readonly kind: ChangeKind;
	/** The old and the new value as they are shown; empty if there is none. */
	readonly from: string;
	readonly to: string;
};

const stateOf = (isEnabled: boolean | undefined): string | undefined => (isEnabled === undefined ? undefined : isEnabled ? 'on' : 'off');

/** Phrases as they are compared and shown. */
export const phrasesText = (phrases: readonly string[]): string => phrases.join(', ');

const nameField = {field: 'name' as const, read: (record: {readonly name: string}): string => record.name};
const categoryField = {field: 'category' as const, read: (record: {readonly category: string}): string => categoryLabel(record.category)};
const phrasesField = {
	field: 'phrases' as const,
	read: (record: {readonly triggerPhrases: readonly string[]}): string => phrasesText(record.triggerPhrases),
};

const fields: {readonly [R in Resource]: ReadonlyArray<Field<ChangeKind, Records[R], string>>} = {
	agents: [
		nameField,
		{field: 'prompt', read: ({prompt}) => prompt},
		{
			field: 'ties',
			read: ({abilityIds}) =>
				abilityIds
					?.toSorted((first, second) => first - second)
					.map(id => `#${id}`)
					.join(', '),
		},
	],
	abilities: [nameField, categoryField, phrasesField, {field: 'description', read: ({description}) => description}],
	installed: [{field: 'state', read: ({isEnabled}) => stateOf(isEnabled)}, nameField, categoryField, phrasesField],
};

/** The differences between two lists: changes, additions and removals. Records missing from an incomplete list are not reported as removed. */
export const compareLists = <R extends Resource>(
	resource: R,
	before: ResourceList<Records[R]>,
	after: ResourceList<Records[R]>,
): readonly Change[] => {
	const areWhole = before.isComplete && after.isComplete && before.leftOutCount === after.leftOutCount;
	const presence = ({id, name: nameNow}: Records[R], kind: 'added' | 'removed', to: string): readonly Change[] =>
		areWhole ? [{resource, id, name: nameNow, kind, from: '', to}] : [];
	return compareRecords<Records[R], Change>(before.records, after.records, {
		changed: (old, record) =>
			changedFields(fields[resource], old, record, undefined).map(({field, from, to}) => ({
				resource,
				id: old.id,
				name: old.name,
				kind: field,
				from,
				to,
			})),
		added: record => presence(record, 'added', 'isEnabled' in record ? (stateOf(record.isEnabled) ?? '') : ''),
		gone: record => presence(record, 'removed', ''),
	});
};

/** The fields in the words of `watch`. */
const publicFields: Readonly<Partial<Record<ChangeKind, RecordChange['field']>>> = {
	state: 'enabled',
	phrases: 'triggers',
	ties: 'abilities',
};

const publicFieldOf = ({resource, kind}: Change): string =>
	kind === 'added' || kind === 'removed' ? (resource === 'installed' ? 'installed' : 'exists') : (publicFields[kind] ?? kind);

/** The same changes with the values that the service sent. */
export const withValues = <R extends Resource>(
	resource: R,
	changes: readonly Change[],
	before: ResourceList<Records[R]>,
	after: ResourceList<Records[R]>,
	abilities: readonly Ability[] = [],
): readonly RecordChange[] => {
	const wanted = new Set(changes.map(change => `${change.id} ${publicFieldOf(change)}`));
	const nameOf = (id: number): string => {
		const ability = abilities.find(each => each.id === id);
		return ability === undefined ? `#${id}` : rawName(ability);
	};

	const known = {records: new Map(before.records.map(record => [record.id, record])), isWhole: before.isComplete};
	return compareWithKnown(resource, known, after, nameOf).changes.filter(({record, field}) => wanted.has(`${record} ${field}`));
};

/** More changes than this are summarized in one line. */
const maximumLines = 5;

/** Of longer values the part is shown if they differ, from a little before the difference. */
const maximumValueLength = 30;
const lengthBefore = 6;

export const fieldNames: Readonly<Partial<Record<ChangeKind, string>>> = {
	phrases: 'phrases',
	category: 'category',
	description: 'description',
	prompt: 'prompt',
	ties: 'abilities',
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

/** Texts of one change, such as “Elsewhere: lamps was switched off (it was on).”; those of other kinds quote the old and the new value. */
const plainTexts: Readonly<Partial<Record<ChangeKind, (change: Change) => string>>> = {
	state: ({name, from, to}) => `Elsewhere: ${name} was switched ${to} (it was ${from}).`,
	name: ({from, to}) => `Elsewhere: ${from} was renamed to ${to}.`,
	added: ({resource, name, to}) => `Elsewhere: ${name} was added to the ${listNouns[resource]}${to === '' ? '' : `, and is ${to}`}.`,
	removed: ({resource, name}) => `Elsewhere: ${name} was removed from the ${listNouns[resource]}.`,
};

const verbOf = ({kind, to}: Change): string =>
	kind === 'state' ? `switched ${to}` : kind === 'added' || kind === 'removed' ? kind : 'edited';

/** Notes on changes made elsewhere: one for each change, or one for many. */
export const outsideNotes = (changes: readonly Change[]): ReadonlyArray<Pick<Message, 'text' | 'isQuoting'>> => {
	if (changes.length <= maximumLines) {
		return changes.map(change => ({
			text: plainTexts[change.kind]?.(change) ?? quotingTextOf(change),
			isQuoting: plainTexts[change.kind] === undefined,
		}));
	}

	const counts = Map.groupBy(changes, change => verbOf(change));
	const list = [...counts].map(([verb, {length}]) => `${length} ${verb}`).join(', ');
	return [
		{text: `Elsewhere, ${changes.length} changes to the ${listNouns[changes[0]!.resource]}: ${list}. The filter is:changed shows them.`},
	];
};
