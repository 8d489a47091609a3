import {after, assert, path, test} from '../helpers/node.ts';
import {ended, json, lastError, notFound, runOnTerminal, shareServedHome, writeCellar} from './kit.ts';

/*
Installing, editing phrases, choosing and dry runs against `switchboard serve --sample`: one service for all tests, each of
which works on records of its own.
*/

const served = await shareServedHome({after});
writeCellar(served.home.folder);

type Loose = Readonly<Record<string, unknown>>;

const list = async (resource: string): Promise<readonly Loose[]> => (await served.runJson([resource])) as readonly Loose[];

const idOf = async (resource: string, name: string): Promise<number> => {
	const record = (await list(resource)).find(candidate => candidate['name'] === name);
	return Number(record?.['id']);
};

const isInstalled = async (name: string): Promise<boolean> => (await list('installed')).some(record => record['name'] === name);

const dryRunNote = 'Nothing was changed: this was a dry run.\n';

test('on a terminal uninstall names what is lost and the agents that have the ability, and does nothing without a yes', async () => {
	const id = await idOf('installed', 'printerqueue');
	const lost =
		'Its state (off) and its trigger phrases (“printer queue”, “what is printing”) are lost, on some services also its ties to agents';
	assert.deepEqual(await runOnTerminal(['uninstall', 'printerqueue'], {env: served.env, typed: '\r'}), [
		2,
		`Uninstall printerqueue (${id}), used by Desk? ${lost}; installing it again switches it on. The ability itself stays. [y/N]`,
		'Nothing was uninstalled.',
	]);
	assert.equal(await isInstalled('printerqueue'), true);
});

test('a dry run finds what the command would refuse', async () => {
	const dry = async (...words: readonly string[]) => served.run([...words, '--dry-run']);
	assert.deepEqual(await dry('disable', 'nowhere'), notFound('installed ability', 'nowhere', 'installed'));
	assert.deepEqual(await dry('abilities', 'delete', 'nowhere'), notFound('ability', 'nowhere', 'abilities'));
	assert.deepEqual(
		await dry('abilities', 'upload', path.join(served.home.folder, 'cellar'), '--agent', 'Attic'),
		notFound('agent', 'Attic', 'agents'),
	);
	assert.deepEqual(await dry('agents', 'edit', 'Desk', '--abilities', 'nowhere'), notFound('ability', 'nowhere', 'abilities'));
	assert.equal(lastError(await dry('installed', 'edit', 'morninglights', '--triggers', 'abc', '--json')).kind, 'refused');
	assert.equal(
		lastError(await dry('abilities', 'upload', path.join(served.home.folder, 'cellar'), '--triggers', 'abc', '--json')).kind,
		'refused',
	);
});

test('keys revoke --dry-run finds the keys and revokes none', async () => {
	assert.equal((await served.run(['keys', 'create', '--name', 'ci'])).exitCode, 0);
	const keys = (await served.runJson(['keys', 'list'])) as ReadonlyArray<{readonly id: number; readonly name: string}>;
	const {id} = keys.find(({name}) => name === 'ci')!;
	assert.deepEqual(await served.run(['keys', 'revoke', 'CI', '--dry-run', '--read-only']), ended(0, `${id}\trevoked\tci\n`, dryRunNote));
	assert.deepEqual(
		await served.run(['keys', 'revoke', String(id), 'ci', '--dry-run', '--json']),
		ended(0, json([{id, name: 'ci', revoked: true}]), dryRunNote),
	);
	assert.equal((await served.run(['keys', 'revoke', 'ci', 'nobody', '--dry-run'])).exitCode, 4);
	const left = (await served.runJson(['keys', 'list'])) as typeof keys;
	// When each was last used may be stored meanwhile.
	assert.deepEqual(
		left.map(key => key.id),
		keys.map(key => key.id),
	);
});
