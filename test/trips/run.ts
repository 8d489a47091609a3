import {process} from '../helpers/node.ts';
import {traceTrips} from './trace.ts';

/* Prints how many files of `source/` each trip enters, and which, for the trips whose names begin with one of the arguments. */

const wanted = process.argv.slice(2);
for (const [trip, files] of await traceTrips()) {
	console.log(`${String(files.length).padStart(4)}  ${trip}`);
	if (wanted.some(start => trip.startsWith(start))) {
		console.log(files.map(file => `      ${file}`).join('\n'));
	}
}
