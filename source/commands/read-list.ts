import type {Records, Resource} from '../interface/records.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';

/**
Reads a list, says what is missing from it, and keeps it as last seen, which is what completion in the shell offers.
*/
export const readList = async <R extends Resource>(context: Context, {client, lastSeen}: Service, resource: R): Promise<ReadonlyArray<Records[R]>> => {
	const {records, leftOutCount, isComplete} = await client.list(resource, context.signal);
	if (leftOutCount > 0) {
		context.note(leftOutCount === 1 ? 'One entry of the answer was no record and is left out.' : `${leftOutCount} entries of the answer were no records and are left out.`);
	}

	if (!isComplete) {
		context.note('The list is cut short: its pages go on without end, or on another machine, where the key is not sent.');
	}

	lastSeen.save(resource, {records: records.map(({raw}) => raw), fetchedAt: Date.now()});
	return records;
};
