import {on} from 'node:events';
import process from 'node:process';
import {openApiKeys} from '../../../source/service/accounts.ts';

/* Creates a key in the data folder that it is given at each message, as `keys create` does, and sends back its name. */

const [dataFolder = ''] = process.argv.slice(2);
process.send?.('ready');
for await (const [name] of on(process, 'message') as AsyncIterable<[string]>) {
	const keys = await openApiKeys(dataFolder);
	await keys.create({account: 'commands', name});
	await keys.close();
	process.send?.(name);
}
