import {readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {Bundle} from './bundle-tests.ts';

/** At most this many share a process, so that its memory is small again soon. */
const filesOfGroup = 8;

/** Tests that start programs, or change what the whole process shares, have a process to themselves; Ink decides on colours when it is loaded. */
const ownProcess: readonly RegExp[] = [
	/\bmock\b/,
	/\b(?:chdir|execFileSync|fork|spawn|spawnSync|Worker)\(/,
	/\bloadWithForcedColor\b/,
	/\bprocess\.(?:cwd|emit|env|exit|exitCode|kill|on|once|stdin|stdout|title|umask)\b/,
];

const programs: readonly string[] = ['test/helpers/pseudo-terminal.ts', 'test/helpers/run-command.ts'];

/** A test that takes more milliseconds has failed: in a shared process, and where it may start programs. */
const limit = 20_000;
const ownProcessLimit = 60_000;

/**
Divides tests into groups of the same room that can share a process.

@param tests - names, such as `test/client/lists.test.ts`.
*/
export function groupTests(tests: readonly string[], root: string, {contents}: Bundle): ReadonlyArray<readonly string[]> {
	const groups: string[][] = [];
	const rooms = new Map<string, string[]>();
	for (const test of tests) {
		if (needsOwnProcess(test, root, contents)) {
			groups.push([test]);
			continue;
		}

		const room = test.split('/').slice(0, 2).join('/');
		const last = rooms.get(room);
		if (last !== undefined && last.length < filesOfGroup) {
			last.push(test);
		} else {
			const group = [test];
			rooms.set(room, group);
			groups.push(group);
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
@param group - names of its tests.
*/
export async function writeGroup(file: string, group: readonly string[], root: string, {bundled, contents}: Bundle): Promise<void> {
	const milliseconds = group.some(test => needsOwnProcess(test, root, contents)) ? ownProcessLimit : limit;
	const files = Object.fromEntries(group.map(test => [test, bundled.get(test)]));
	await writeFile(file, `import {runFiles} from './helpers/file-scope.mjs';\nawait runFiles(${JSON.stringify(files)}, ${milliseconds});\n`);
}
