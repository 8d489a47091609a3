import {once} from 'node:events';
import path from 'node:path';
import process from 'node:process';
import {run} from 'node:test';
import {inspect} from 'node:util';
import {type Bundle, bundleTests} from './bundle-tests.ts';
import {skipWithoutPostgres, startPostgresOfRun} from './postgres.ts';
import {withSourceLines} from './source-lines.ts';
import {temporaryFolder} from './temporary-folder.ts';
import {type Group, groupTests, writeGroup} from './test-groups.ts';

/** Processes at a time: most of their tests wait for something. */
const processes = 4;

const root = path.resolve(import.meta.dirname, '../..');

export type Outcome = {readonly isGood: boolean; readonly lines: readonly string[]};

type Results = {
	readonly passed: Map<string, number>;
	/** Names of tests by their file, as below. */
	readonly failed: Map<string, string[]>;
	readonly skipped: Map<string, number>;
	/** Milliseconds of the files that were run to their end. */
	readonly durations: Map<string, number>;
};

/**
Runs tests, prints each failure when it comes, and sums up.

@param chosen - files, such as `test/client/lists.test.ts`.
@param given - a bundle that has them, and maybe more.
*/
export async function runTests(chosen: readonly string[], given?: Bundle): Promise<Outcome> {
	const started = performance.now();
	const bundle = given ?? (await bundleTests(chosen));
	// The tests take both from here. React's own checks have a test that asks for them.
	process.env['NODE_ENV'] = 'production';
	process.env['NODE_COMPILE_CACHE'] = path.join(bundle.folder, 'compiled');
	// A test that names no folders must not use those of the person who runs it.
	const home = temporaryFolder();
	for (const kind of ['CONFIG', 'DATA', 'CACHE', 'STATE']) {
		process.env[`XDG_${kind}_HOME`] = path.join(home, kind.toLowerCase());
	}

	const needsPostgres = chosen.some(file => bundle.contents[file]?.includes('test/helpers/postgres.ts') === true);
	if (needsPostgres && skipWithoutPostgres === false) {
		await startPostgresOfRun();
	}

	const results: Results = {passed: new Map(), failed: new Map(), skipped: new Map(), durations: new Map()};
	const runGroups = async (groups: readonly Group[], name: string): Promise<void> => {
		const files = new Map(groups.map((group, index) => [path.join(bundle.folder, `${name}-${index}.mjs`), group]));
		await Promise.all([...files].map(async ([file, group]) => writeGroup(file, group, bundle)));
		await runProcesses(new Map([...files].map(([file, {tests}]) => [file, tests])), results);
	};

	const groups = groupTests(chosen, root, bundle);
	await runGroups(groups, 'group');
	// Those that shared a process with one that ended it.
	const left = chosen.filter(file => !results.durations.has(file) && !results.failed.has(file));
	await runGroups(
		left.map(file => ({...groups.find(({tests}) => tests.includes(file))!, tests: [file]})),
		'again',
	);

	return sumUp(results, left, `in ${chosen.length} files (${seconds(performance.now() - started)})`);
}

/** What events say besides what their types do: the file that a process was started with. */
type Entry = {readonly entryFile?: string};

/**
Runs groups of tests, each in a process.

@param files - of the processes, each with its group.
*/
async function runProcesses(files: ReadonlyMap<string, readonly string[]>, results: Results): Promise<void> {
	const {passed, failed, skipped, durations} = results;
	const tests = run({files: [...files.keys()], concurrency: processes});
	const current = new Map<string, string>();
	const fileOf = (event: object): string => {
		const {entryFile = (event as {readonly file?: string}).file ?? ''} = event as Entry;
		return current.get(entryFile) ?? files.get(entryFile)?.[0] ?? entryFile;
	};

	const outputs = new Map<string, string>();
	const addOutput = ({message, file = ''}: {readonly message: string; readonly file?: string | undefined}): void => {
		outputs.set(file, (outputs.get(file) ?? '') + message);
	};

	tests.on('test:stdout', addOutput);
	tests.on('test:stderr', addOutput);
	tests.on('test:diagnostic', ({message, ...event}) => {
		if (!/^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message)) {
			addOutput({message: `${message}\n`, file: (event as Entry).entryFile ?? event.file});
		}
	});
	tests.on('test:start', ({name, nesting, ...event}) => {
		const {entryFile} = event as Entry;
		if (nesting === 0 && entryFile !== undefined) {
			current.set(entryFile, name);
			passed.delete(name);
		}
	});
	tests.on('test:pass', ({name, skip, details: {type, duration_ms: milliseconds}, nesting, ...event}) => {
		if (nesting === 0) {
			durations.set(fileOf(event), milliseconds);
		} else if (skip !== undefined && skip !== false) {
			const reason = `${fileOf(event)}: ${skip === true || skip === '' ? name : skip}`;
			skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
		} else if (type !== 'suite') {
			passed.set(fileOf(event), (passed.get(fileOf(event)) ?? 0) + 1);
		}
	});
	tests.on('test:fail', ({details: {error}, ...event}) => {
		const {cause, failureType, exitCode} = error as Error & {readonly failureType?: string; readonly exitCode?: number | null};
		const file = fileOf(event);
		const group = files.get(event.name);
		// The failure of a suite, of a file or of a process says nothing where a test of it has failed.
		if ((failureType === 'subtestsFailed' || event.nesting === 0) && (group ?? [file]).some(name => failed.has(name))) {
			return;
		}

		if (group !== undefined && group.length > 1) {
			// Which of them it was is found when each has a process to itself.
			for (const name of group) {
				durations.delete(name);
			}

			return;
		}

		const name = group ? `the process ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}` : event.name;
		failed.set(file, [...(failed.get(file) ?? []), name]);
		process.stdout.write(
			`\n✖ ${name}\n  ${file}\n${withSourceLines(inspect(cause, {colors: process.stdout.isTTY})).replaceAll(/^/gm, '  ')}\n`,
		);
	});
	await once(tests.resume(), 'end');
	for (const [file, group] of files) {
		const output = outputs.get(file);
		if (output !== undefined && group.some(name => failed.has(name))) {
			process.stdout.write(`\nThe process of ${group.join(', ')} printed:\n${withSourceLines(output)}\n`);
		}
	}
}

function sumUp({passed, failed, skipped, durations}: Results, again: readonly string[], where: string): Outcome {
	const slowest = [...durations].toSorted(([, first], [, second]) => second - first).slice(0, 5);
	const failedCount = [...failed.values()].flat().length;
	const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((total, count) => total + count, 0);
	return {
		isGood: failedCount === 0,
		lines: [
			...[...failed].flatMap(([file, names]) => [
				`Failed in ${file} (again: npm run test:run ${file}):`,
				...names.map(name => `  ✖ ${name}`),
			]),
			...again.map(file => `Run again, as another file ended the process that they shared: ${file}`),
			...[...skipped].map(([reason, count]) => `Skipped ${count} in ${reason}`),
			`Slowest: ${slowest.map(([file, milliseconds]) => `${file} ${seconds(milliseconds)}`).join(', ')}`,
			`tests: ${sum(passed)} passed, ${failedCount} failed, ${sum(skipped)} skipped, ${where}`,
		],
	};
}

/** Writes a time in seconds. */
export function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(1)} s`;
}
