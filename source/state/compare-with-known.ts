import {type ResourceList} from '../client/client.ts';
import {type Records, type Resource} from '../interface/records.ts';
import {type Change} from './change.ts';
import {compareRecords} from './compare-records.ts';
import {presenceChange, recordChanges, type AbilityNames} from './list-changes.ts';

/** True if every record of the service is in the list. */
export const isWhole = ({isComplete, leftOutCount}: ResourceList<unknown>): boolean => isComplete && leftOutCount === 0;

/** What is known of one list. */
export type Known<R extends Resource> = {
	readonly records: ReadonlyMap<number, Records[R]>;
	/** False if the list was never whole: then a record that is new in it may have been there before. */
	readonly isWhole: boolean;
};

type Step<R extends Resource> = {readonly known: Known<R>; readonly changes: readonly Change[]};

const byId = <R extends Resource>({records}: ResourceList<Records[R]>): ReadonlyMap<number, Records[R]> => new Map(records.map(record => [record.id, record]));

/** What is known after a list, where not all records are in it. One that is missing is kept, as long as what is new can be told from it. */
const afterPart = <R extends Resource>({records, isWhole: wasWhole}: Known<R>, current: ReadonlyMap<number, Records[R]>): ReadonlyMap<number, Records[R]> => wasWhole
	? new Map([...records].map(([id, record]) => [id, current.get(id) ?? record]))
	: current;

/**
What changed on a service between what was known and a list read now. Of a list that is not whole nothing is reported as gone, and
nothing as new; that is reported once a whole list is read.

@param nameOf - names the abilities of agents, also those that are gone.
*/
export const compareWithKnown = <R extends Resource>(resource: R, known: Known<R> | undefined, list: ResourceList<Records[R]>, nameOf: AbilityNames): Step<R> => {
	const current = byId<R>(list);
	if (known === undefined) {
		return {known: {records: current, isWhole: isWhole(list)}, changes: []};
	}

	return {
		known: {
			records: isWhole(list) ? current : afterPart(known, current),
			isWhole: known.isWhole || isWhole(list),
		},
		changes: compareRecords<Records[R], Change>(known.records.values(), current.values(), {
			changed: (before, after) => recordChanges(resource, before, after, nameOf),
			added: record => known.isWhole && isWhole(list) ? [presenceChange(resource, record, true)] : [],
			gone: record => isWhole(list) ? [presenceChange(resource, record, false)] : [],
		}),
	};
};
