import {type ResourceList} from '../../client/client.ts';
import {categoryLabel} from '../../interface/categories.ts';
import {type Records, type Resource} from '../../interface/records.ts';
import {compareRecords} from '../../state/compare-records.ts';

export type ChangeKind = 'state' | 'name' | 'phrases' | 'category' | 'description' | 'prompt' | 'ties' | 'added' | 'removed';

/** A difference between a list and the one before it, as the screens show both; `watch` tells the values that the service sent. */
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

type Field<Record_> = {
	readonly kind: ChangeKind;
	/** `undefined` if the service does not show it. */
	read(record: Record_): string | undefined;
};

type FieldsOf = {readonly [R in Resource]: ReadonlyArray<Field<Records[R]>>};

const stateOf = (isEnabled: boolean | undefined): string | undefined => isEnabled === undefined ? undefined : (isEnabled ? 'on' : 'off');

/** Phrases as they are compared and shown. */
export const phrasesText = (phrases: readonly string[]): string => phrases.join(', ');

const name = {kind: 'name' as const, read: (record: {readonly name: string}): string => record.name};
const category = {kind: 'category' as const, read: (record: {readonly category: string}): string => categoryLabel(record.category)};
const phrases = {kind: 'phrases' as const, read: (record: {readonly triggerPhrases: readonly string[]}): string => phrasesText(record.triggerPhrases)};

const fields: FieldsOf = {
	agents: [
		name,
		{kind: 'prompt', read: ({prompt}) => prompt},
		{kind: 'ties', read: ({abilityIds}) => abilityIds?.toSorted((first, second) => first - second).map(id => `#${id}`).join(', ')},
	],
	abilities: [name, category, phrases, {kind: 'description', read: ({description}) => description}],
	installed: [{kind: 'state', read: ({isEnabled}) => stateOf(isEnabled)}, name, category, phrases],
};

const changesOf = <R extends Resource>(resource: R, before: Records[R], after: Records[R]): readonly Change[] => {
	const {id, name: nameBefore} = before;
	return fields[resource].flatMap(({kind, read}) => {
		const from = read(before);
		const to = read(after);
		return from === undefined || to === undefined || from === to
			? []
			: [{
				resource, id, name: nameBefore, kind, from, to,
			}];
	});
};

/** What was changed, added and removed between two lists. Records missing from an incomplete list are not reported as removed. */
export const compareLists = <R extends Resource>(resource: R, before: ResourceList<Records[R]>, after: ResourceList<Records[R]>): readonly Change[] => {
	const areWhole = before.isComplete && after.isComplete && before.leftOutCount === after.leftOutCount;
	const presence = ({id, name: nameNow}: Records[R], kind: 'added' | 'removed', to: string): readonly Change[] => areWhole
		? [{
			resource, id, name: nameNow, kind, from: '', to,
		}]
		: [];
	return compareRecords<Records[R], Change>(before.records, after.records, {
		changed: (old, record) => changesOf(resource, old, record),
		added: record => presence(record, 'added', 'isEnabled' in record ? stateOf(record.isEnabled) ?? '' : ''),
		gone: record => presence(record, 'removed', ''),
	});
};
