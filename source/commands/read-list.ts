import type {Client, ResourceList} from '../client/client.ts';
import type {Records, Resource} from '../interface/records.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';

const readers: {readonly [R in Resource]: (client: Client, signal: AbortSignal) => Promise<ResourceList<Records[R]>>} = {
	agents: async (client, signal) => client.listAgents(signal),
	abilities: async (client, signal) => client.listAbilities(signal),
	installed: async (client, signal) => client.listInstalled(signal),
};

/**
Reads a list, says what is missing from it, and stores it for completion in the shell.
*/
export const readList = async <R extends Resource>(context: Context, {client, lastSeen}: Service, resource: R): Promise<ReadonlyArray<Records[R]>> => {
	const {records, leftOutCount, isComplete} = await readers[resource](client, context.signal);
	if (leftOutCount > 0) {
		context.note(leftOutCount === 1 ? 'Ignored an entry of the answer that is not a record.' : `Ignored ${leftOutCount} entries of the answer that are not records.`);
	}

	if (!isComplete) {
		context.note('The list is incomplete: it has too many pages, or its next page is on another host, to which the key is not sent.');
	}

	lastSeen.save(resource, {records: records.map(({raw}) => raw), fetchedAt: Date.now()});
	return records;
};
