import process from 'node:process';
import {createClient, type Client, type TransportOptions} from '../../source/client/client.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';

/*
A process of its own that makes one read and one write: what it takes from its environment, a process takes once. Options
come as JSON in the first argument, the address of a service to read first in the second; what became of both goes to standard output as JSON.
*/

const outcomeOf = async (work: () => Promise<unknown>): Promise<unknown> => {
	try {
		return {result: await work()};
	} catch (error) {
		const {kind, message, nextStep, isOutcomeUnknown} = toSwitchboardError(error);
		return {kind, isOutcomeUnknown, told: `${message} ${nextStep ?? ''}`};
	}
};

const options = JSON.parse(process.argv[2]!) as TransportOptions;

let client: Client | undefined;

const open = (): Client => {
	client ??= createClient(options);
	return client;
};

const listIds = async (): Promise<unknown> => {
	const {records, isComplete} = await open().list('installed');
	return {ids: records.map(({id}) => id), isComplete};
};

const switchOn = async (): Promise<unknown> => {
	const {isEnabled} = await open().setEnabled(decodeRecord('installed', {id: 1})!, true);
	return {isEnabled};
};

const warmUpAddress = process.argv[3];
if (warmUpAddress !== undefined) {
	await createClient({...options, baseAddress: warmUpAddress, timeoutMilliseconds: 20_000}).list('installed');
}

process.stdout.write(JSON.stringify({read: await outcomeOf(listIds), write: await outcomeOf(switchOn)}));
