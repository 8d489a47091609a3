import {after, assert, path, test, writeFileSync} from '../helpers/node.ts';
import {parseJson, shareServedHome} from './served-home.ts';

const served = await shareServedHome({after});
const {
	home: {folder},
	run,
} = served;

const agentPath = '/api/personalities/edit-personality/';

/** Runs without a terminal and without --yes; each command would have to ask if it had something to do. */
const rows: ReadonlyArray<readonly [words: readonly string[], exitCode: number, stderr: RegExp, stdin?: string]> = [
	[['presets', 'apply', 'nosuch'], 4, /^There is no preset “nosuch”/],
	[['presets', 'apply', 'present'], 0, /^$/],
	[['presets', 'delete', 'nosuch'], 4, /^There is no preset/],
	[['apply', 'present.yaml'], 0, /^$/],
	[['apply', 'unknown.yaml'], 4, /There is no ability “nosuch”/],
	[['apply', '-'], 0, /^$/, 'version: 1\ninstalled:\n  pantry: on\n'],
	[['apply', '-'], 4, /“nosuch”/, 'version: 1\ninstalled:\n  nosuch: on\n'],
	[['uninstall', 'nosuch'], 4, /^There is no installed ability “nosuch”/],
	[['uninstall', '-'], 4, /^There is no installed ability “nosuch”/, 'nosuch\n'],
	[['uninstall', '-'], 2, /^This needs a yes, and standard input has the names/, 'pantry\n'],
	[['abilities', 'delete', 'nosuch'], 4, /^There is no ability “nosuch”/],
	[['abilities', 'restore', 'nosuch', '--version', '1'], 4, /^There is no ability “nosuch”/],
	[['abilities', 'restore', 'pantry', '--version', '77'], 4, /77/],
	[['abilities', 'restore', 'pantry', '--version', '1'], 0, /^$/],
	[['history', 'revert', '999999'], 4, /999999/],
	[['history', 'revert', 'ID'], 0, /^$/],
	[['test', 'nosuch'], 4, /^There is no installed ability “nosuch”/],
	[['test', 'off-now'], 4, /“off-now”/],
	[['test', 'nightwatch'], 0, /left out/],
	[['accounts', 'delete', 'nosuch'], 4, /^There is no account “nosuch”/],
	[['restore', 'nosuch.db'], 2, /nosuch\.db/],
	[['agents', 'edit', 'nosuch', '--prompt', ''], 4, /^There is no agent “nosuch”/],
	[['agents', 'edit', 'Hearth', '--prompt', ''], 2, /^The new prompt of Hearth is empty/],
	[['api', 'PUT', agentPath, '--input', 'nosuch.json'], 2, /nosuch\.json/],
	[['keys', 'revoke', 'nosuch'], 4, /^There is no key “nosuch”/],
	[['keys', 'rotate', 'nosuch'], 4, /^There is no key “nosuch”/],
	[['profiles', 'remove', 'nosuch'], 4, /“nosuch”/],
	[['logout', '--profile', 'nosuch'], 4, /“nosuch”/],
];

test('names and differences are looked up before a question, and before the refusal to ask it', async () => {
	await run(['disable', 'pantry']);
	await run(['enable', 'pantry']);
	await run(['disable', 'nightwatch']);
	await run(['presets', 'save', 'present']);
	writeFileSync(path.join(folder, 'present.yaml'), 'version: 1\ninstalled:\n  pantry: on\n');
	writeFileSync(path.join(folder, 'unknown.yaml'), 'version: 1\ninstalled:\n  nosuch: on\n');
	const before = await served.runJson(['installed']);
	const changes = (await served.runJson(['history', 'pantry'])) as ReadonlyArray<{readonly id: number; readonly to: unknown}>;
	const takenBack = String(changes.find(({to}) => to === false)!.id);
	for (const [words, exitCode, stderr, stdin] of rows) {
		const placed = words.map(word => (/\.(?:yaml|json|db)$/.test(word) ? path.join(folder, word) : word.replace('ID', takenBack)));
		const ran = await run(placed, stdin === undefined ? {} : {stdin});
		assert.equal(ran.exitCode, exitCode, `${words.join(' ')}: ${ran.stderr}${ran.stdout}`);
		assert.match(ran.stderr, stderr, words.join(' '));
	}

	assert.deepEqual(await served.runJson(['installed']), before);
	assert.deepEqual(parseJson((await run(['apply', path.join(folder, 'present.yaml'), '--json'])).stdout), {changes: [], unchanged: 1});
});
