import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import path from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {run} from 'node:test';
import {inspect} from 'node:util';
import {bundleTests, listTests} from './helpers/bundle-tests.ts';
import {skipWithoutPostgres, startPostgresOfRun} from './helpers/postgres.ts';

/*
Runs tests: those whose paths begin with one of the arguments, such as `test/client`; without arguments every behaviour, and the type check and the
linter beside it. `--quick`, `--changed` and `--release` choose others.
*/

/** Tests that take long or attack begin with these: packages, other versions, memory, kills, floods, fuzz, other people's clients, real terminals. */
const releaseTests: readonly string[] = [
	'test/build/build.test',
	'test/build/executable',
	'test/build/package',
	'test/build/prepare',
	'test/commands/completion-shells',
	'test/end-to-end/',
	'test/fuzz/',
	'test/service/kills-under-load',
	'test/service/memory',
	'test/service/openhome-cli',
	'test/service/postgres-chaos',
	'test/service/postgres-failures',
	'test/service/python-client',
	'test/service/upgrade',
	'test/ssh/hostile-clients',
	'test/ssh/log-in',
	'test/tui/remote/floods',
	'test/tui/terminal/random-frames',
	'test/tui/terminal/terminal.test',
];

/** The one file of real terminals that `npm test` keeps: it starts, switches and leaves. */
const keptTests: readonly string[] = ['test/end-to-end/leaving.test'];

/** The rooms that need no other program: their tests are `--quick`. */
const quickTests: readonly string[] = [
	'test/bundle/',
	'test/docs',
	'test/interface/',
	'test/platform/',
	'test/settings/',
	'test/state/',
	'test/tui/keys/',
	'test/tui/state/',
	'test/tui/widgets/',
	'test/walls',
];

/** A test that takes longer has failed. */
const limitMilliseconds = 60_000;

const root = path.resolve(import.meta.dirname, '..');

type Outcome = {readonly isGood: boolean; readonly lines: readonly string[]};

async function check(name: string): Promise<Outcome> {
	const started = performance.now();
	const child = spawn('npm', ['run', '--silent', name], {cwd: root, stdio: ['ignore', 'pipe', 'pipe']});
	const [output, errors, code] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		new Promise<number | null>((resolve, reject) => {
			child.once('error', reject);
			child.once('close', resolve);
		}),
	]);
	process.stdout.write(`${output}${errors}`);
	return {
		isGood: code === 0,
		lines: [`${name}: ${code === 0 ? 'passed' : `failed; again: npm run ${name}`} (${seconds(performance.now() - started)})`],
	};
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Lists the files that differ from the main branch, committed or not. */
function changedFiles(): readonly string[] {
	const git = (...words: readonly string[]): readonly string[] =>
		execFileSync('git', words, {cwd: root, encoding: 'utf8'}).split('\n').filter(Boolean);
	const [base = 'HEAD'] = git('merge-base', 'main', 'HEAD');
	return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

async function chooseTests(mode: string | undefined, paths: readonly string[]): Promise<readonly string[]> {
	const all = await listTests();
	const beginsWith =
		(starts: readonly string[]) =>
		(file: string): boolean =>
			starts.some(start => file.startsWith(start));
	const isForRelease = (file: string): boolean => beginsWith(releaseTests)(file) && !beginsWith(keptTests)(file);
	switch (mode) {
		case '--release': {
			return all.filter(file => isForRelease(file));
		}

		case '--quick': {
			return all.filter(file => beginsWith(quickTests)(file));
		}

		case '--changed': {
			const {contents} = await bundleTests(all);
			const changed = new Set(changedFiles());
			return all.filter(file => !isForRelease(file) && contents[file]?.some(name => changed.has(name)));
		}

		default: {
			return all.filter(file => (paths.length === 0 ? !isForRelease(file) : beginsWith(paths)(file)));
		}
	}
}

/** Runs the tests, prints each failure when it comes, and returns the summary. */
async function runTests(chosen: readonly string[]): Promise<Outcome> {
	const started = performance.now();
	const {bundled, contents, compiledFolder} = await bundleTests(chosen);
	// The tests take both from here. React's own checks have a test that asks for them.
	process.env['NODE_ENV'] = 'production';
	process.env['NODE_COMPILE_CACHE'] = compiledFolder;
	const needsPostgres = Object.values(contents).some(files => files.includes('test/helpers/postgres.ts'));
	if (needsPostgres && skipWithoutPostgres === false) {
		await startPostgresOfRun();
	}

	const tests = run({files: [...bundled.keys()], concurrency: 4, timeout: limitMilliseconds, execArgv: ['--enable-source-maps']});
	const nameOf = (file: string | undefined): string => bundled.get(file ?? '') ?? file ?? '';
	const skipped = new Map<string, number>();
	const failed = new Map<string, string[]>();
	const outputs = new Map<string, string>();
	const durations: Array<readonly [milliseconds: number, file: string]> = [];
	let passedCount = 0;
	const addOutput = ({file, message}: {readonly file?: string | undefined; readonly message: string}): void => {
		outputs.set(nameOf(file), (outputs.get(nameOf(file)) ?? '') + message);
	};

	tests.on('test:stdout', addOutput);
	tests.on('test:stderr', addOutput);
	tests.on('test:pass', ({name, skip, details: {type}, nesting, ...event}) => {
		if (skip !== undefined && skip !== false) {
			const reason = `${nameOf((event as {readonly entryFile?: string}).entryFile)}: ${skip === true || skip === '' ? name : skip}`;
			skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
		} else if (type !== 'suite') {
			passedCount++;
		}
	});
	tests.on('test:fail', ({name, details: {error}, ...event}) => {
		const {cause, failureType} = error as Error & {readonly failureType?: string};
		const file = nameOf((event as {readonly entryFile?: string}).entryFile ?? event.file);
		// The failure of a suite or of a file says nothing where a test of it has failed.
		if (failureType === 'subtestsFailed' && failed.has(file)) {
			return;
		}

		failed.set(file, [...(failed.get(file) ?? []), name]);
		const place =
			event.line === undefined || bundled.has(event.file ?? '') ? file : `${path.relative(root, event.file ?? '')}:${event.line}`;
		process.stdout.write(`\n✖ ${name}\n  ${place}\n${inspect(cause, {colors: process.stdout.isTTY}).replaceAll(/^/gm, '  ')}\n`);
	});
	tests.on('test:summary', ({file, duration_ms: milliseconds}) => {
		if (file !== undefined) {
			durations.push([milliseconds, nameOf(file)]);
		}
	});
	await once(tests.resume(), 'end');

	for (const file of failed.keys()) {
		const output = outputs.get(file);
		process.stdout.write(output === undefined ? '' : `\nWhat ${file} printed:\n${output}\n`);
	}

	const slowest = durations.toSorted(([first], [second]) => second - first).slice(0, 5);
	const failedCount = [...failed.values()].flat().length;
	const skippedCount = [...skipped.values()].reduce((sum, count) => sum + count, 0);
	return {
		isGood: failedCount === 0,
		lines: [
			...[...failed].flatMap(([file, names]) => [
				`Failed in ${file} (again: npm run test:run ${file}):`,
				...names.map(name => `  ✖ ${name}`),
			]),
			...[...skipped].map(([reason, count]) => `Skipped ${count} in ${reason}`),
			`Slowest: ${slowest.map(([milliseconds, file]) => `${file} ${seconds(milliseconds)}`).join(', ')}`,
			`tests: ${passedCount} passed, ${failedCount} failed, ${skippedCount} skipped, in ${chosen.length} files (${seconds(performance.now() - started)})`,
		],
	};
}

const words = process.argv.slice(2);
const mode = words.find(word => word.startsWith('--'));
const paths = words.filter(word => word !== mode);
const isEverything = mode === undefined && paths.length === 0;
const chosen = await chooseTests(mode, paths);
const outcomes = await Promise.all([runTests(chosen), ...(isEverything ? [check('typecheck'), check('lint')] : [])]);
const all = await listTests();
process.stdout.write(`\n${outcomes.flatMap(({lines}) => lines).join('\n')}\n`);
if (isEverything) {
	process.stdout.write(`${all.length - chosen.length} files are left to npm run test:release.\n`);
}

process.exitCode = outcomes.every(({isGood}) => isGood) ? 0 : 1;
