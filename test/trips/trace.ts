import {build} from 'esbuild';
import {cp, rm} from 'node:fs/promises';
import {SourceMap, type SourceMapPayload} from 'node:module';
import {packageOptions} from '../../source/build/patches.ts';
import {openUi, says} from '../end-to-end/open-ui.ts';
import {startServe} from '../end-to-end/start-serve.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {existsSync, path, process, readFileSync, writeFileSync} from '../helpers/node.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {runCommand, type Program} from '../helpers/run-command.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import type {CalledFunctions} from './recorder.ts';

/*
The files of `source/` that a trip through the program enters: those with a function that is called between a key, the start of a command or a
request and its end. They are taken from a run of the program, which is built as usual but neither minified nor merged.
*/

const root = path.resolve(import.meta.dirname, '../..');

/** A key or a request is traced this often: what a timer did meanwhile is not in each of the traces. */
const rounds = 3;

/** Returns the files that each trip enters, by the name of the trip. */
export async function traceTrips(): Promise<ReadonlyMap<string, readonly string[]>> {
	const folder = path.join(root, `node_modules/.cache/switchboard-trips-${process.pid}`);
	try {
		await buildTraced(folder);
		const readFiles = createFileReader(folder);
		const recorder = path.join(import.meta.dirname, 'recorder.ts');
		const program: Program = {command: process.execPath, args: ['--import', recorder, path.join(folder, 'cli.js')]};
		const parts = await Promise.all([traceKeys, traceCommands].map(async trace => trace(createIsolatedHome(), program, readFiles)));
		return new Map(parts.flatMap(part => [...part]));
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
}

async function buildTraced(folder: string): Promise<void> {
	await build({
		...packageOptions,
		absWorkingDir: root,
		entryPoints: {cli: 'source/cli.ts', 'service-worker': 'source/service/worker.ts'},
		outdir: folder,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		jsx: 'automatic',
		sourcemap: true,
		sourcesContent: false,
		define: {...packageOptions.define, fetch: 'undefined', 'process.env.NODE_ENV': '"production"'},
		banner: {js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);'},
		logLevel: 'warning',
	});
	await cp(path.join(root, 'source/service/sample/home'), path.join(folder, 'sample-home'), {recursive: true});
}

type ReadFiles = (output: string) => readonly string[];

function createFileReader(folder: string): ReadFiles {
	const finders = new Map<string, FindSource>();
	return output => {
		const calls = JSON.parse(readFileSync(output, 'utf8')) as readonly CalledFunctions[];
		const files = calls.flatMap(({file, offsets}) => {
			const findSource = finders.get(file) ?? createSourceFinder(folder, file);
			finders.set(file, findSource);
			return offsets.map(offset => findSource(offset));
		});
		return [...new Set(files)].filter(file => file.startsWith('source/')).toSorted();
	};
}

type FindSource = (offset: number) => string;

/** Finds the source of what begins at an offset of a bundled file. */
function createSourceFinder(folder: string, file: string): FindSource {
	const map = new SourceMap(JSON.parse(readFileSync(path.join(folder, `${file}.map`), 'utf8')) as SourceMapPayload);
	const lineStarts = [
		0,
		...readFileSync(path.join(folder, file), 'utf8')
			.matchAll(/\n/g)
			.map(({index}) => index + 1),
	];
	return offset => {
		let [line, after] = [0, lineStarts.length];
		while (after - line > 1) {
			const middle = Math.floor((line + after) / 2);
			[line, after] = lineStarts[middle]! <= offset ? [middle, after] : [line, middle];
		}

		const found = map.findEntry(line, offset - lineStarts[line]!);
		return 'originalSource' in found ? path.relative(root, path.resolve(folder, found.originalSource)) : '';
	};
}

/** Reads what the recorder in a process writes. */
function followRecorder(home: IsolatedHome, name: string, readFiles: ReadFiles) {
	const output = path.join(home.folder, name);
	let count = 0;
	const next = (): string => `${output}-${++count}`;
	return {
		env: {TRIPS_OUTPUT: output},
		/** The files that were entered since the last call. */
		async ask(pid: number): Promise<readonly string[]> {
			const file = next();
			process.kill(pid, 'SIGURG');
			await waitUntil(() => existsSync(file));
			return readFiles(file);
		},
		/** Those of a program that has ended. */
		rest: (): readonly string[] => readFiles(next()),
	};
}

/** Space on the first row of Installed, and `u` after it, with the bundled service in the thread that the program gives it. */
async function traceKeys(home: IsolatedHome, program: Program, readFiles: ReadFiles): Promise<ReadonlyMap<string, readonly string[]>> {
	const recorder = followRecorder(home, 'keys', readFiles);
	await using ui = openUi(home, {program, env: recorder.env});
	await ui.waitFor('3 Installed');
	await ui.press('3').waitFor(lines => says('morninglights', 'on')(lines) && lines[0]!.includes('live · 9 of 12 on'));
	const switches: Array<readonly string[]> = [];
	const undos: Array<readonly string[]> = [];
	for (let round = 0; round < rounds; round++) {
		switches.push(await traceKey(ui, 'space', 'off', recorder.ask));
		undos.push(await traceKey(ui, 'u', 'on', recorder.ask));
	}

	return new Map([
		['Space on a row of Installed', inEach(switches)],
		['u after it', inEach(undos)],
	]);
}

async function traceKey(
	ui: PseudoTerminal,
	key: string,
	state: 'on' | 'off',
	ask: (pid: number) => Promise<readonly string[]>,
): Promise<readonly string[]> {
	await ask(ui.pid);
	await ui.press(key).waitFor(says('morninglights', state));
	const files = await ask(ui.pid);
	// The list is read again.
	await ui.waitFor(state === 'on' ? 'live · 9 of 12 on' : 'live · 8 of 12 on');
	return files;
}

const inEach = (traces: ReadonlyArray<readonly string[]>): readonly string[] =>
	traces.reduce((files, others) => files.filter(file => others.includes(file)));

/** Commands, and a request to the service that they use. */
async function traceCommands(home: IsolatedHome, program: Program, readFiles: ReadFiles): Promise<ReadonlyMap<string, readonly string[]>> {
	const {stdout} = await runCommand(['keys', 'create'], {env: home.env, program: {...program, args: program.args.slice(-1)}});
	const apiKey = stdout.trim();
	const recorder = followRecorder(home, 'service', readFiles);
	await using serve = await startServe({...home, env: {...home.env, ...recorder.env}}, ['--port', '0', '--sample'], program);
	const run = async (name: string, ...words: readonly string[]): Promise<readonly string[]> => {
		const each = followRecorder(home, name, readFiles);
		const env = {...home.env, ...each.env, SWITCHBOARD_BASE_URL: serve.baseAddress, SWITCHBOARD_API_KEY: apiKey};
		const {stderr, exitCode} = await runCommand(words, {env, cwd: home.folder, program});
		if (exitCode !== 0) {
			throw new Error(`${words.join(' ')} ended with ${exitCode}: ${stderr}`);
		}

		return each.rest();
	};

	const requests: Array<readonly string[]> = [];
	for (let round = 0; round < rounds; round++) {
		await recorder.ask(serve.pid);
		const {status} = await fetch(`${serve.baseAddress}/api/capabilities/edit-installed-capability/4/`, {
			method: 'PUT',
			headers: {'X-API-KEY': apiKey, 'Content-Type': 'application/json'},
			body: JSON.stringify({enabled: round % 2 === 1}),
		});
		if (status !== 200) {
			throw new Error(`The service answered ${status}.`);
		}

		requests.push(await recorder.ask(serve.pid));
	}

	writeFileSync(path.join(home.folder, 'home.yaml'), 'version: 1\ninstalled: {pantry: on}\n');
	return new Map([
		['switchboard disable pantry', await run('disable', 'disable', 'pantry')],
		['switchboard apply home.yaml', await run('apply', 'apply', 'home.yaml', '--yes')],
		['PUT', inEach(requests).filter(file => file.startsWith('source/service/'))],
	]);
}
