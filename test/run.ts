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

/*
Runs the tests whose paths begin with one of the arguments, such as `test/client`. Without arguments it runs every test,
and lints and type-checks at the same time: tests wait often enough for that.
*/

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

const runTests = async (paths: readonly string[]): Promise<boolean> => {
	// The tests take both from here. React's own checks have a test of their own that asks for them.
	process.env['NODE_ENV'] = 'production';
	process.env['NODE_COMPILE_CACHE'] = cacheFolder;
	const tests = run({
		files: await bundleTests(paths),
		concurrency: 3,
		timeout: 120_000,
		// What a test that was given up has left open, such as a terminal, would keep its process and so the whole run from ending.
		execArgv: ['--enable-source-maps', '--test-force-exit'],
	});
	let hasFailed = false;
	tests.on('test:fail', () => {
		hasFailed = true;
	});
	await pipeline(tests, new SpecReporter(), process.stdout, {end: false});
	return !hasFailed;
};

const paths = process.argv.slice(2);
const outcomes = paths.length === 0 ? await Promise.all([runTests(['test/']), checkAll()]) : [await runTests(paths)];
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
