import {assert, type ChildProcess, once, path, process, readFile, spawn, test, text} from '../helpers/node.ts';
import {execute, formOf, type JsonRecord, lampFiles, named, paths, temporaryDataFolder, uploadForm, zipOf} from './kit.ts';

const key = 'sb_full';

/**
Runs one of the programs beside this file where no file can grow beyond half a megabyte (or a whole one: the unit depends on
the shell). That is a full disk without a file system of its own: SQLite meets EFBIG where it would meet ENOSPC.
*/
const runWithLittleRoom = (program: string, ...words: readonly string[]): ChildProcess =>
	spawn('sh', ['-c', 'ulimit -f 1024; exec "$@"', 'sh', process.execPath, path.join(import.meta.dirname, program), ...words], {
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
	});

type Answer = {readonly status: number; readonly json: unknown};

const asker =
	(baseAddress: string) =>
	async (method: string, route: string, body?: object): Promise<Answer> => {
		const response = await fetch(baseAddress + route, {
			method,
			headers: {'x-api-key': key, ...(body !== undefined && !(body instanceof FormData) && {'content-type': 'application/json'})},
			...(body !== undefined && {body: body instanceof FormData ? body : JSON.stringify(body)}),
		});
		return {status: response.status, json: await response.json()};
	};

const noRoom = {status: 507, json: {detail: 'Its disk is full, so nothing was changed.', code: 'no-room'}};

test('a full disk is answered with 507 and its reason by every change, is told once, loses nothing acknowledged, and is over when there is room', async t => {
	const dataFolder = temporaryDataFolder();
	const child = runWithLittleRoom('serve-child.ts', dataFolder, key);
	t.after(() => {
		child.kill('SIGKILL');
	});
	const errors = text(child.stderr!);
	const [baseAddress] = (await once(child, 'message')) as [string];
	const ask = asker(baseAddress);
	const list = async (route: string): Promise<readonly JsonRecord[]> => (await ask('GET', route)).json as readonly JsonRecord[];
	const abilities = await list(paths.abilities);
	const removed = named(abilities, 'nightwatch');
	assert.equal((await ask('DELETE', paths.uninstall(removed['id']))).status, 200);
	const pantry = named(await list(paths.installed), 'pantry');
	const [agent] = await list(paths.agents);

	let isEnabled = true;
	const toggle = async (): Promise<Answer> => ask('PUT', paths.editInstalled(pantry['id']), {enabled: !isEnabled});
	let answer = await toggle();
	while (answer.status === 200) {
		isEnabled = !isEnabled;
		answer = await toggle();
	}

	const before = await Promise.all([paths.agents, paths.abilities, paths.installed].map(async route => list(route)));
	const zip = await zipOf(Object.fromEntries(Object.entries(lampFiles).map(([name, content]) => [name.replace('lamps/', ''), content])));
	const release = named(abilities, 'pantry')['capability_versions'] as ReadonlyArray<{readonly id: number}>;
	const answers = [
		answer,
		await ask('POST', paths.upload, await uploadForm()),
		await ask('PUT', paths.editAgent, {personality_id: agent!['id'], description: 'Be brief.'}),
		await ask('PUT', paths.editAgent, formOf({personality_id: String(agent!['id']), name: 'Hob'})),
		await ask('POST', paths.releaseCode(release[0]!.id), formOf({zip_file: zip, committed: 'true'})),
		await ask('GET', paths.install(removed['id'])),
		await ask('DELETE', paths.uninstall(pantry['id'])),
		await ask('POST', paths.deleteAbility(pantry['capability_id'])),
		await ask('POST', paths.deleteAbilities, {capability_ids: [pantry['capability_id']]}),
	];
	assert.deepEqual(
		answers,
		answers.map(() => noRoom),
	);
	assert.deepEqual(await Promise.all([paths.agents, paths.abilities, paths.installed].map(async route => list(route))), before);
	assert.equal(named(before[2]!, 'pantry')['enabled'], isEnabled);

	const keys = runWithLittleRoom('open-store-child.ts', dataFolder);
	const keyErrors = text(keys.stderr!);
	await once(keys, 'message');
	keys.send('open');
	await once(keys, 'exit');
	assert.match(await keyErrors, /The disk is full, so \S+switchboard\.db cannot be written/);

	// What was logged moves into the database, so that the log of changes has room again.
	await execute(dataFolder, 'pragma wal_checkpoint(truncate)');
	assert.equal((await toggle()).status, 200);
	assert.equal(named(await list(paths.installed), 'pantry')['enabled'], !isEnabled);

	child.kill('SIGKILL');
	const told = (await errors).trim().split('\n');
	assert.equal(told.length, 1, told.join('\n'));
	assert.match(
		told[0]!,
		/^The disk is full, so \S+switchboard\.db cannot be written: .+\. Make room on it\. The service then goes on by itself\.$/,
	);
	const log = await readFile(path.join(dataFolder, 'service.log'), 'utf8');
	assert.equal(log.trim().split('\n').length, 1);
	assert.match(log, /The disk is full/);
});
