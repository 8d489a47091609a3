import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';
import {build, type Metafile} from 'esbuild';
import {withoutDeveloperTools} from '../../source/build/ink-patches.ts';
import {sshServerAlone} from '../../source/build/ssh-patches.ts';
import {startPatches} from '../../source/build/start-patches.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The packages in the chunks that load with the first one. */
const packagesAtStart = ({outputs}: Metafile, entryPoint: string): ReadonlySet<string> => {
	const [first] = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint)!;
	const chunks = new Set<string>();
	const follow = (chunk: string): void => {
		if (outputs[chunk] === undefined || chunks.has(chunk)) {
			return;
		}

		chunks.add(chunk);
		for (const imported of outputs[chunk].imports) {
			if (imported.kind === 'import-statement') {
				follow(imported.path);
			}
		}
	};

	follow(first);
	const files = [...chunks].flatMap(chunk => Object.entries(outputs[chunk]!.inputs));
	return new Set(files
		.filter(([, {bytesInOutput}]) => bytesInOutput > 0)
		.map(([file]) => /node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/.exec(file)?.groups?.['name'])
		.filter(name => name !== undefined));
};

test('the command line loads no package that only some commands need', async () => {
	const entryPoint = 'source/commands/command-line.ts';
	const {metafile} = await build({
		...startPatches,
		plugins: [withoutDeveloperTools, ...startPatches.plugins, sshServerAlone],
		absWorkingDir: root,
		entryPoints: [entryPoint],
		outdir: 'dist',
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		jsx: 'automatic',
		metafile: true,
		write: false,
		logLevel: 'error',
	});
	const loaded = packagesAtStart(metafile, entryPoint);
	assert.ok(loaded.has('commander'));
	const heavy = ['@modelcontextprotocol/server', 'diff', 'fastify', 'got', 'ink', 'kysely', 'react', 'ssh2', 'typebox', 'yaml', 'yauzl', 'yazl', 'zod'];
	assert.deepEqual(heavy.filter(name => loaded.has(name)), []);
});
