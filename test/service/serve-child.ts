import process from 'node:process';
import {startService} from '../../source/service/service.ts';

/* Serves the data folder that it is given, with the key that it is given, until it is killed; says how much memory it has when asked. */

const [dataFolder = '', ephemeralKey = ''] = process.argv.slice(2);
const {baseAddress} = await startService({
	dataFolder,
	ephemeralKey,
	isSampleWanted: true,
	report(text) {
		process.stderr.write(`${text}\n`);
	},
});
process.on('message', () => {
	process.send?.(process.memoryUsage.rss());
});
process.send?.(baseAddress);
