import type {ResourceList} from '../client/client.ts';
import type {Records, Resource} from '../interface/records.ts';
import {listNouns} from '../interface/lists.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';

/** Reads a list, warns if something is missing from it, and stores it for shell completion. */
export const readResourceList = async <R extends Resource>(context: Context, {client, lastSeen}: Service, resource: R): Promise<ResourceList<Records[R]>> => {
	context.showProgress(`Reading the list of ${listNouns[resource]} …`);
	const list = await client.list(resource, context.readSignal);
	const {records, leftOutCount, isComplete} = list;
	if (leftOutCount > 0) {
		context.note(leftOutCount === 1 ? 'Ignored an entry of the answer that is not a record.' : `Ignored ${leftOutCount} entries of the answer that are not records.`);
	}

	if (!isComplete) {
		context.note('The list is incomplete: its next page has been read before, or is on another host, to which the key is not sent.');
	}

	lastSeen.save(resource, {records: records.map(({raw}) => raw), fetchedAt: Date.now()});
	return list;
};

/** The same for a command that needs only the records. */
export const readList = async <R extends Resource>(context: Context, service: Service, resource: R): Promise<ReadonlyArray<Records[R]>> => {
	const {records} = await readResourceList(context, service, resource);
	return records;
};
