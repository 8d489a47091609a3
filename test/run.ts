import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';
import {run} from 'node:test';
import {spec as SpecReporter} from 'node:test/reporters';
import {bundleTests} from './helpers/bundle-tests.ts';
import {skipWithoutPostgres, startPostgresOfRun} from './helpers/postgres.ts';

/*
Runs the tests whose paths begin with one of the arguments, such as `test/client`. Without arguments it runs every test,
and lints and type-checks at the same time: tests wait often enough for that. With `--quick` it runs the tests for working alone.
*/

/** The beginnings of the paths of tests that `--quick` leaves out: memory under attack, fuzz, the executable, kills and chaos. */
const slowTests: readonly string[] = [
	'test/build/build.test',
	'test/build/executable',
	'test/build/manual',
	'test/build/package',
	'test/build/prepare',
	'test/end-to-end/',
	'test/fuzz/',
	'test/service/kills-under-load',
	'test/service/memory',
	'test/service/postgres-chaos',
	'test/service/postgres-failures',
	'test/service/upgrade',
	'test/ssh/hostile-clients',
	'test/ssh/log-in',
	'test/tui/terminal/random-frames',
];

/** So many of the slowest files are listed after a run. */
const listedFiles = 10;

const root = path.resolve(import.meta.dirname, '..');
const cacheFolder = mkdtempSync(path.join(tmpdir(), 'switchboard-compiled-'));
process.once('exit', () => {
	rmSync(cacheFolder, {recursive: true, force: true});
});

const check = async (name: string): Promise<boolean> => {
	const child = spawn('npm', ['run', '--silent', name], {cwd: root, stdio: ['ignore', 'pipe', 'pipe']});
	const [output, errors, code] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		new Promise<number | null>((resolve, reject) => {
			child.once('error', reject);
			child.once('close', resolve);
		}),
	]);
	process.stdout.write(`${name}: ${code === 0 ? 'passed' : 'failed'}\n${output}${errors}`);
	return code === 0;
};

const checkAll = async (): Promise<boolean> => {
	const isTyped = await check('typecheck');
	const isLinted = await check('lint');
	return isTyped && isLinted;
};

const runTests = async (paths: readonly string[], isLeftOut: (file: string) => boolean): Promise<boolean> => {
	// The tests take both from here. React's own checks have a test of their own that asks for them.
	process.env['NODE_ENV'] = 'production';
	process.env['NODE_COMPILE_CACHE'] = cacheFolder;
	const {files, mayUsePostgres} = await bundleTests(paths, isLeftOut);
	if (mayUsePostgres && skipWithoutPostgres === false) {
		await startPostgresOfRun();
	}

	const tests = run({
		files,
		concurrency: 3,
		timeout: 120_000,
		execArgv: ['--enable-source-maps'],
	});
	let hasFailed = false;
	const durations: Array<readonly [seconds: number, file: string]> = [];
	tests.on('test:fail', () => {
		hasFailed = true;
	});
	tests.on('test:summary', ({file, duration_ms: milliseconds}) => {
		if (file !== undefined) {
			durations.push([milliseconds / 1000, file.replace(/^.*switchboard-tests\//, '').replace(/\.js$/, '')]);
		}
	});
	await pipeline(tests, new SpecReporter(), process.stdout, {end: false});
	const slowest = durations.toSorted(([first], [second]) => second - first).slice(0, listedFiles);
	process.stdout.write(`The slowest files:\n${slowest.map(([seconds, file]) => `${seconds.toFixed(1).padStart(7)} s  ${file}\n`).join('')}`);
	return !hasFailed;
};

const isQuick = process.argv.includes('--quick');
const paths = process.argv.slice(2).filter(argument => argument !== '--quick');
const isEverything = !isQuick && paths.length === 0;
const outcomes = await Promise.all([
	runTests(paths.length === 0 ? ['test/'] : paths, file => isQuick && slowTests.some(start => file.startsWith(start))),
	isEverything ? checkAll() : true,
]);
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
