import type {ResourceList} from '../client/client.ts';
import {isSameJson, type JsonValue} from '../interface/json.ts';
import {rawName, type Records, type Resource} from '../interface/records.ts';
import type {Change} from './change.ts';
import {fieldsOf, kindOf, type FieldName} from './fields.ts';

/** The names of abilities by their ids, for the abilities of agents. */
type AbilityNames = (id: number) => string;

/**
Returns how a record differs from its earlier state. A field that is missing from either is not a change. A new name comes first, under the
old name; all other changes come under the new one.

@param nameOf - names the abilities of agents, including deleted ones.
*/
export function compareRecord<R extends Resource>(
	resource: R,
	before: Records[R],
	after: Records[R],
	nameOf: AbilityNames,
): readonly RecordChange[] {
	return fieldsOf(resource).flatMap(([field, {read}]) => {
		const values = [read(before), read(after)];
		const [from, to] = values.map(value => value && publicValue(field, value, nameOf));
		return values.some(value => value === undefined || value === null) || isSameJson(from, to)
			? []
			: [{kind: kindOf[resource], name: rawName(field === 'name' ? before : after), record: after.id, field, from: from!, to: to!}];
	});
}

/** A value as users see it: abilities by their names. */
const publicValue = (field: FieldName, value: JsonValue, nameOf: AbilityNames): JsonValue =>
	field === 'abilities' && Array.isArray(value) ? (value as readonly number[]).map(id => nameOf(id)).toSorted() : value;

/** Tells whether every record of the service is in the list. */
export function isWhole({isComplete, leftOutCount}: ResourceList<unknown>): boolean {
	return isComplete && leftOutCount === 0;
}

export type RecordChange = Change & {readonly record: number};

export type Known<R extends Resource> = {
	readonly records: ReadonlyMap<number, Records[R]>;
	/** False if the list was never complete: a record that is new in it may have been there before. */
	readonly isWhole: boolean;
};

type Step<R extends Resource> = {readonly known: Known<R>; readonly changes: readonly RecordChange[]};

/**
Returns the changes on a service between the known records and a list read now. Records are reported as new or gone only once the list is
complete.

@param nameOf - names the abilities of agents, including deleted ones.
*/
export function compareWithKnown<R extends Resource>(
	resource: R,
	known: Known<R> | undefined,
	list: ResourceList<Records[R]>,
	nameOf: AbilityNames,
): Step<R> {
	const current: ReadonlyMap<number, Records[R]> = new Map(list.records.map(record => [record.id, record]));
	if (known === undefined) {
		return {known: {records: current, isWhole: isWhole(list)}, changes: []};
	}

	const changes = [...current.values()].flatMap(after => {
		const before = known.records.get(after.id);
		return before === undefined
			? known.isWhole && isWhole(list)
				? [presenceChange(resource, after, true)]
				: []
			: // Most records are the same object in both.
				before === after
				? []
				: compareRecord(resource, before, after, nameOf);
	});
	const gone = isWhole(list) ? [...known.records.values()].filter(({id}) => !current.has(id)) : [];
	return {
		known: {records: isWhole(list) ? current : afterPart(known, current), isWhole: known.isWhole || isWhole(list)},
		changes: [...changes, ...gone.map(record => presenceChange(resource, record, false))],
	};
}

/** The known records after reading an incomplete list. A missing record is kept, as long as new records can be told from it. */
const afterPart = <R extends Resource>(
	{records, isWhole: wasWhole}: Known<R>,
	current: ReadonlyMap<number, Records[R]>,
): ReadonlyMap<number, Records[R]> => (wasWhole ? new Map([...records].map(([id, record]) => [id, current.get(id) ?? record])) : current);

/** The change for a record that appeared or disappeared. */
const presenceChange = <R extends Resource>(resource: R, record: Records[R], isThere: boolean): RecordChange => ({
	kind: kindOf[resource],
	name: rawName(record),
	record: record.id,
	field: resource === 'installed' ? 'installed' : 'exists',
	from: !isThere,
	to: isThere,
});
