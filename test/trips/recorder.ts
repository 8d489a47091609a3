import {readdirSync, renameSync, writeFileSync} from 'node:fs';
import {Session, type Profiler} from 'node:inspector';
import path from 'node:path';
import process from 'node:process';
import {pathToFileURL} from 'node:url';
import {isMainThread} from 'node:worker_threads';

/*
Runs before the program, in its process. It writes the functions that were called to a file: on each SIGURG those since the one before, and at the
end the rest. Modules that are loaded on the way would call functions while they are evaluated, so all of them are loaded first.
*/

/** A bundled file, and where in it the functions begin that were called. */
export type CalledFunctions = {readonly file: string; readonly offsets: readonly number[]};

const output = process.env['TRIPS_OUTPUT']!;
const folder = path.dirname(process.argv[1]!);

async function record(): Promise<void> {
	const modules = readdirSync(folder).filter(name => name.endsWith('.js') && !['cli.js', 'service-worker.js'].includes(name));
	await Promise.all(modules.map(async (name): Promise<unknown> => import(pathToFileURL(path.join(folder, name)).href)));
	const session = new Session();
	session.connect();
	session.post('Profiler.enable');
	session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: false});
	let count = 0;
	const write = (): void => {
		// It calls back before it returns.
		session.post('Profiler.takePreciseCoverage', (_, {result}) => {
			const file = `${output}-${++count}`;
			writeFileSync(`${file}.part`, JSON.stringify(result.flatMap(script => calledIn(script))));
			renameSync(`${file}.part`, file);
		});
	};

	process.on('SIGURG', write);
	process.on('exit', write);
}

function calledIn({url, functions}: Profiler.ScriptCoverage): readonly CalledFunctions[] {
	const file = url.startsWith(pathToFileURL(folder).href) ? path.basename(url) : undefined;
	// The first one is the module itself.
	const offsets = functions.slice(1).flatMap(({ranges: [range]}) => (range!.count > 0 ? [range!.startOffset] : []));
	return file === undefined || offsets.length === 0 ? [] : [{file, offsets}];
}

if (isMainThread) {
	await record();
}
