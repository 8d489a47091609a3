import process from 'node:process';
import {startLocalService} from '../../source/service/local.ts';

/*
Starts the local service on each data folder that it is given, and then has nothing more to do. Asked to, it closes the first one, says why that
failed, and ends.
*/

const services = await Promise.all(process.argv.slice(2).map(async dataFolder => startLocalService({dataFolder})));
process.once('message', () => {
	void services[0]!.close().catch((error: unknown) => {
		process.send!(String(error), () => {
			process.exit(1);
		});
	});
});
process.stdout.write(services.map(({baseAddress}) => `${baseAddress}\n`).join(''));
