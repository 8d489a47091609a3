import process from 'node:process';
import {startService} from '../../source/service/service.ts';

/* Serves the data folder that it is given, with the key that it is given, until it is killed; says when asked how much memory it has (rss), or what is in use of it (held). */

const [dataFolder = '', ephemeralKey = ''] = process.argv.slice(2);
const {baseAddress} = await startService({
	location: dataFolder,
	ephemeralKey,
	isSampleWanted: true,
	report(text) {
		process.stderr.write(`${text}\n`);
	},
});
process.on('message', question => {
	if (question === 'held') {
		globalThis.gc?.();
		const {heapUsed, external} = process.memoryUsage();
		process.send?.(heapUsed + external);
	} else {
		process.send?.(process.memoryUsage.rss());
	}
});
process.send?.(baseAddress);
