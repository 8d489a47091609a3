import assert from 'node:assert/strict';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {runCommand} from '../helpers/run-in-process.ts';
import {parseJson, startServedHome} from './served-home.ts';

const root = path.resolve(import.meta.dirname, '../..');

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

const stateFile = /```yaml\n(?<state>version: 1\n.*?)```/s.exec(readme)!.groups!['state']!;

/** The words after `npx switchboard` in the pipeline. */
const pipeline = /^ {2}- run: npx switchboard (?<words>.+)$/m.exec(readme)!.groups!['words']!.split(' ');

test('the pipeline of the README makes the service as its file says, and works a second time', async () => {
	await using served = await startServedHome();
	const folder = temporaryFolder();
	writeFileSync(path.join(folder, 'home.yaml'), stateFile);
	writeFileSync(path.join(folder, 'hearth.md'), 'You look after the house.\n');
	cpSync(path.join(root, 'source/service/sample/home/abilities/deskmusic'), path.join(folder, 'lamplighter'), {recursive: true, filter: file => !file.endsWith('.json')});
	const run = async (words: readonly string[]) => runCommand(words, {env: served.env, cwd: folder});

	const first = await run(pipeline);
	assert.equal(first.exitCode, 0, first.stderr);
	const [lamplighter, ...others] = (await served.runJson(['installed']) as ReadonlyArray<{readonly name: string; readonly trigger_words: readonly string[]}>)
		.filter(({name}) => name === 'lamplighter');
	assert.deepEqual([lamplighter?.trigger_words, others], [['light the lamps'], []]);

	const second = await run([...pipeline, '--json']);
	assert.deepEqual([second.exitCode, (parseJson(second.stdout) as {readonly changes: unknown}).changes], [0, []], second.stderr);
});
