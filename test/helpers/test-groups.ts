import {readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {Bundle} from './bundle-tests.ts';

/** At most this many share a process, so that its memory is small again soon. */
const filesOfGroup = 8;

const startingPrograms = /\b(?:execFileSync|fork|spawn|spawnSync|Worker)\(/;

/** Tests that start programs, or change what the whole process shares, have a process to themselves; Ink decides on colours when it is loaded. */
const ownProcess: readonly RegExp[] = [
	/\bmock\b/,
	/\bchdir\(/,
	startingPrograms,
	/\bloadWithForcedColor\b/,
	/\bprocess\.(?:cwd|emit|env|exit|exitCode|kill|on|once|stdin|stdout|title|umask)\b/,
];

const programs: readonly string[] = ['test/helpers/pseudo-terminal.ts', 'test/helpers/run-command.ts'];

export type Group = {
	/** Names, such as `test/client/lists.test.ts`. */
	readonly tests: readonly string[];
	/** A test that takes more milliseconds has failed. */
	readonly limit: number;
};

const limit = 20_000;

/** Programs take long to start on a busy machine. */
const programsLimit = 60_000;

/** Divides tests into groups of the same room that can share a process. */
export function groupTests(tests: readonly string[], root: string, {contents}: Bundle): readonly Group[] {
	const groups: Group[] = [];
	const rooms = new Map<string, string[]>();
	const modules = new Set(tests.flatMap(test => contents[test] ?? []));
	const starters = new Set(
		[...modules].filter(module => module.startsWith('test/') && startingPrograms.test(readFileSync(path.join(root, module), 'utf8'))),
	);
	for (const test of tests) {
		if (needsOwnProcess(test, root, contents)) {
			groups.push({tests: [test], limit: programsLimit});
			continue;
		}

		const isStarting = contents[test]?.some(module => starters.has(module)) === true;
		const room = `${test.split('/').slice(0, 2).join('/')} ${isStarting}`;
		const last = rooms.get(room);
		if (last !== undefined && last.length < filesOfGroup) {
			last.push(test);
		} else {
			const group = [test];
			rooms.set(room, group);
			groups.push({tests: group, limit: isStarting ? programsLimit : limit});
		}
	}

	return groups;
}

function needsOwnProcess(test: string, root: string, contents: Bundle['contents']): boolean {
	const text = readFileSync(path.join(root, test), 'utf8');
	return ownProcess.some(expression => expression.test(text)) || programs.some(program => contents[test]?.includes(program));
}

/**
Writes the file that runs a group in one process.

@param file - is written beside the bundle.
*/
export async function writeGroup(file: string, {tests, limit}: Group, {bundled}: Bundle): Promise<void> {
	const files = Object.fromEntries(tests.map(test => [test, bundled.get(test)]));
	await writeFile(file, `import {runFiles} from './helpers/file-scope.mjs';\nawait runFiles(${JSON.stringify(files)}, ${limit});\n`);
}
