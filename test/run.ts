import {execFileSync, spawn} from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {type Bundle, bundleTests, listTests} from './helpers/bundle-tests.ts';
import {type Outcome, runTests, seconds} from './helpers/run-tests.ts';

/*
Runs tests: those whose paths begin with one of the arguments, such as `test/client`; without arguments every behaviour, and the type check and the
linter beside it. `--quick`, `--changed` and `--release` choose others.
*/

/** Tests that take long or attack begin with these: packages, other versions, memory, kills, floods, fuzz, other people's clients, real terminals, traces. */
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
	'test/service/timer-kills',
	'test/service/upgrade',
	'test/ssh/hostile-clients',
	'test/ssh/log-in',
	'test/trips/',
	'test/tui/remote/floods',
	'test/tui/screens/agent-terminal',
	'test/terminal/random-frames',
	'test/terminal/terminal.test',
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

const root = path.resolve(import.meta.dirname, '..');

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

/** Lists the files that differ from the main branch, committed or not. */
function changedFiles(): readonly string[] {
	const git = (...words: readonly string[]): readonly string[] =>
		execFileSync('git', words, {cwd: root, encoding: 'utf8'}).split('\n').filter(Boolean);
	const [base = 'HEAD'] = git('merge-base', 'main', 'HEAD');
	return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Returns the files to run, and the bundle that they are in if there is one. */
async function chooseTests(
	mode: string | undefined,
	paths: readonly string[],
): Promise<{readonly chosen: readonly string[]; readonly bundle?: Bundle}> {
	const all = await listTests();
	const beginsWith =
		(starts: readonly string[]) =>
		(file: string): boolean =>
			starts.some(start => file.startsWith(start));
	const isForRelease = (file: string): boolean => beginsWith(releaseTests)(file) && !beginsWith(keptTests)(file);
	switch (mode) {
		case '--release': {
			return {chosen: all.filter(file => isForRelease(file))};
		}

		case '--quick': {
			return {chosen: all.filter(file => beginsWith(quickTests)(file))};
		}

		case '--changed': {
			const bundle = await bundleTests(all);
			// The topics of the help are read from the pages.
			const changed = new Set(changedFiles().map(file => (file.startsWith('docs/') ? 'source/commands/help/topics.ts' : file)));
			const chosen = all.filter(file => !isForRelease(file) && bundle.contents[file]?.some(name => changed.has(name)));
			return {chosen, bundle};
		}

		default: {
			return {chosen: all.filter(file => (paths.length === 0 ? !isForRelease(file) : beginsWith(paths)(file)))};
		}
	}
}

const words = process.argv.slice(2);
const mode = words.find(word => word.startsWith('--'));
const paths = words.filter(word => word !== mode);
const isEverything = mode === undefined && paths.length === 0;
const {chosen, bundle} = await chooseTests(mode, paths);
const outcomes = await Promise.all([runTests(chosen, bundle), ...(isEverything ? [check('typecheck'), check('lint')] : [])]);
const all = await listTests();
process.stdout.write(`\n${outcomes.flatMap(({lines}) => lines).join('\n')}\n`);
if (isEverything) {
	process.stdout.write(`${all.length - chosen.length} files are left to npm run test:release.\n`);
}

process.exitCode = outcomes.every(({isGood}) => isGood) ? 0 : 1;
