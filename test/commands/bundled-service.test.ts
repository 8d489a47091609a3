import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {after, assert, Buffer, path, process, test, writeFileSync} from '../helpers/node.ts';
import {unzip, zip} from '../helpers/live-like/zips.ts';
import {cellarFiles, ended, json, jsonError, notFound, writeCellar} from './outcomes.ts';
import {codeFiles, lastError, programFile, readFolderTexts, shareServedHome, writeFolder} from './kit.ts';

/*
Every command against `switchboard serve --sample`: one service for all tests, each of which works on records of its own.
*/

const served = await shareServedHome({after});
writeCellar(served.home.folder);

type Loose = Readonly<Record<string, unknown>>;

const cellar = (): string => path.join(served.home.folder, 'cellar');

/** The record of that name in what a command lists. */
async function find(list: string, name: string): Promise<Loose> {
	const records = (await served.runJson([list])) as readonly Loose[];
	const record = records.find(candidate => candidate['name'] === name);
	if (record === undefined) {
		throw new Error(`There is no ${name} in ${JSON.stringify(records)}`);
	}

	return record;
}

const hasRecord = async (list: string, name: string): Promise<boolean> =>
	((await served.runJson([list])) as readonly Loose[]).some(record => record['name'] === name);

test('agents edit changes name, prompt or abilities and leaves the rest as it was', async () => {
	const agent = await find('agents', 'Desk');
	const id = Number(agent['personality_id']);
	const ties = (agent['matching_capabilities'] as readonly number[]).join(',');
	const result = await served.run(['agents', 'edit', 'desk', '--name', 'Bureau', '--prompt', '-'], {stdin: 'Be brief.\nAnd kind.\n'});
	assert.deepEqual(
		result,
		ended(0, `${id}\tBureau\t${ties}\tBe brief.\n`, 'The earlier prompt is kept. To bring it back: switchboard agents restore Bureau\n'),
	);
	const edited = {...agent, name: 'Bureau', description: 'Be brief.\nAnd kind.\n'};
	assert.deepEqual(await find('agents', 'Bureau'), edited);
	const pantry = Number((await find('abilities', 'pantry'))['id']);
	assert.deepEqual(await served.runJson(['agents', 'edit', String(id), '--abilities', 'Pantry']), {
		...edited,
		matching_capabilities: [pantry],
	});
	assert.deepEqual(await served.run(['agents', 'edit', 'Bureau', '--no-abilities']), ended(0, `${id}\tBureau\t\tBe brief.\n`));
	const file = path.join(served.home.folder, 'prompt.md');
	writeFileSync(file, String(agent['description']));
	await served.run(['agents', 'edit', 'Bureau', '--name', 'Desk', '--prompt-file', file, '--abilities', ties]);
	assert.deepEqual(await find('agents', 'Desk'), agent);
});

test('agents edit changes nothing if a part of it is refused', async () => {
	const agents = await served.runJson(['agents']);
	const unknown = await served.run(['agents', 'edit', 'Attic', '--name', 'Loft', '--json']);
	assert.deepEqual(
		unknown,
		ended(4, '', jsonError('not-found', 'There is no agent “Attic”. Nothing was done. List them with: switchboard agents')),
	);
	assert.deepEqual(
		await served.run(['agents', 'edit', 'Pepper', '--name', 'Salt', '--abilities', 'pantry,salt']),
		notFound('ability', 'salt', 'abilities'),
	);
	const tooLong = await served.run(['agents', 'edit', 'Pepper', '--name', 'x'.repeat(201), '--prompt', 'Lost?']);
	assert.deepEqual([tooLong.exitCode, tooLong.stdout], [2, '']);
	assert.match(tooLong.stderr, /name may be at most 200 characters/);
	assert.deepEqual(await served.runJson(['agents']), agents);
});

test('abilities get shows the fields, and with --json the record as the service returned it', async () => {
	const ability = await find('abilities', 'goodnight');
	const id = Number(ability['capability_id']);
	const shown = ended(
		0,
		[
			`id\t${id}\n`,
			'name\tgoodnight\n',
			'category\tskill\n',
			'installed\tyes\n',
			'state\ton\n',
			'agents\tHearth\n',
			'triggers\tgood night, lights out\n',
			`versions\t${(ability['capability_versions'] as ReadonlyArray<{version: string}>)[0]!.version} (in use)\n`,
			`changed\t${String(ability['last_updated'])}\n`,
			`description\t${String(ability['description'])}\n`,
		].join(''),
	);
	assert.deepEqual(await served.run(['abilities', 'get', String(id)]), shown);
	assert.deepEqual(await served.run(['abilities', 'get', 'GoodNight']), shown);
	assert.deepEqual(await served.run(['abilities', 'get', 'goodnight', '--json']), ended(0, json(ability)));
	assert.deepEqual(
		await served.run(['abilities', 'get', '999999', '--json']),
		ended(4, '', jsonError('not-found', 'There is no ability “999999”. List them with: switchboard abilities')),
	);
});

test('an uploaded ability is installed, enabled and given to the agent; deleting it reverts all of that', async () => {
	const before_ = await find('agents', 'Pepper');
	const {stdout, stderr, exitCode} = await served.run(
		['abilities', 'upload', cellar(), '--agent', 'pepper', '--description', '-', '--category', 'brain_skill'],
		{stdin: 'Knows the wine.'},
	);
	const ability = await find('abilities', 'cellar');
	const id = Number(ability['capability_id']);
	assert.deepEqual([stdout, stderr, exitCode], [`${id}\tcellar\tThe ability cellar was uploaded, installed and enabled.\n`, '', 0]);
	assert.deepEqual(
		[ability['description'], ability['category'], ability['trigger_words']],
		['Knows the wine.', 'brain_skill', ['what is in the cellar']],
	);
	assert.equal((await find('installed', 'cellar'))['enabled'], true);
	assert.deepEqual((await find('agents', 'Pepper'))['matching_capabilities'], [
		...(before_['matching_capabilities'] as readonly number[]),
		id,
	]);
	const source = await fetch(`${served.baseAddress}/api/capabilities/get/template-file/${id}/`, {headers: {'x-api-key': served.apiKey}});
	const files = await unzip(await source.bytes());
	assert.deepEqual(Object.fromEntries(files.map(({path: name, bytes}) => [name, Buffer.from(bytes).toString()])), cellarFiles);

	assert.deepEqual(await served.run(['abilities', 'delete', 'CELLAR', '--yes']), ended(0, `${id}\tcellar\tdeleted\n`));
	assert.deepEqual([await hasRecord('abilities', 'cellar'), await hasRecord('installed', 'cellar')], [false, false]);
	assert.deepEqual(await find('agents', 'Pepper'), before_);
});

test('an ability with an image is uploaded from a zip file and switched', async () => {
	const zipped = path.join(served.home.folder, 'cellar.zip');
	writeFileSync(zipped, await zip(Object.entries(cellarFiles).map(([name, text]) => ({path: `cellar/${name}`, bytes: Buffer.from(text)}))));
	const picture = path.join(served.home.folder, 'picture.png');
	writeFileSync(
		picture,
		Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
	);
	const script = [
		'set -e',
		`switchboard() { '${process.execPath}' '${programFile}' "$@"; }`,
		`name=$(switchboard abilities upload '${zipped}' --name vault --image '${picture}' | cut -f2)`,
		'switchboard disable "$name"',
		'switchboard enable "$name" --json',
	].join('\n');
	const {stdout: output} = await promisify(execFile)('sh', ['-c', script], {env: served.env});
	const id = Number((await find('installed', 'vault'))['installed_cap_id']);
	assert.equal(output, `${id}\toff\tvault\tchanged\n${json([{installed_cap_id: id, name: 'vault', enabled: true, changed: true}])}`);
});

test('the source of an earlier version is read, and the version is used again', async () => {
	const folder = path.join(served.home.folder, 'attic');
	for (const code of ['one', 'two']) {
		writeFolder(folder, codeFiles(`print("${code}")\n`));
		assert.equal((await served.run(['abilities', 'push', folder])).exitCode, 0);
	}

	assert.deepEqual(await served.run(['abilities', 'versions', 'attic']), ended(0, '2\tyes\tno\n1\tno\tno\n'));
	assert.deepEqual(await served.runJson(['abilities', 'versions', 'attic']), [
		{version: '2', in_use: true, draft: false},
		{version: '1', in_use: false, draft: false},
	]);

	const earlier = path.join(served.home.folder, 'earlier');
	assert.equal((await served.run(['abilities', 'pull', 'attic', earlier, '--version', '1'])).exitCode, 0);
	assert.equal(readFolderTexts(earlier)['main.py'], 'print("one")\n');

	const unknown = await served.run(['abilities', 'restore', 'attic', '--version', '7', '--yes']);
	assert.deepEqual(
		unknown,
		ended(4, '', 'There is no version 7 of attic. Nothing was done.\nList them with: switchboard abilities versions attic\n'),
	);
	const unasked = await served.run(['abilities', 'restore', 'attic', '--version', '1', '--json']);
	assert.equal(lastError(unasked).message, 'This needs a yes, and there is no terminal to ask on. Add --yes.');
	assert.equal((await served.run(['abilities', 'restore', 'attic', '--version', '1', '--yes', '--read-only'])).exitCode, 2);
	assert.equal((await served.run(['abilities', 'restore', 'attic', '--version', '1', '--dry-run'])).exitCode, 0);
	assert.equal((await served.run(['abilities', 'versions', 'attic'])).stdout, '2\tyes\tno\n1\tno\tno\n');

	const {exitCode, stdout} = await served.run(['abilities', 'restore', 'attic', '--version', '1', '--yes']);
	assert.deepEqual([exitCode, stdout.split('\t').slice(1)], [0, ['attic', 'updated', '1\n']]);
	assert.equal((await served.run(['abilities', 'pull', 'attic', earlier])).stdout, '__init__.py\tunchanged\nmain.py\tunchanged\n');
	assert.match((await served.run(['abilities', 'restore', 'attic', '--version', '1', '--yes'])).stdout, /\tattic\tunchanged\t1\n$/);
});
