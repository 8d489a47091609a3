import {assert, assertMapped, createHash, DatabaseSync, path, test} from '../helpers/node.ts';
import {type DocumentedOperation, readOperations, type Schema} from '../helpers/openapi-operations.ts';
import {formOf, type JsonRecord, lampFiles, paths, startTestService, type TestAnswer, type TestService, uploadForm, zipOf} from './kit.ts';

const secret = 'nobody else may read this';

/** Ids of one account, by what they are called in a path or a body. */
type Ids = Readonly<Record<string, number>>;

type Account = {readonly key: string; readonly ids: Ids};

/** An account with an agent, and an ability that is installed and tied to it. */
async function fillAccount(service: TestService, key: string, text: string): Promise<Account> {
	const [agent] = await service.read(paths.agents, key);
	const uploaded = await service.ask('POST', paths.upload, {
		key,
		body: await uploadForm({description: text, personality_id: String(agent!['id'])}),
	});
	const {capability_id} = uploaded.json as {readonly capability_id: number};
	await service.ask('PUT', paths.editAgent, {key, body: {personality_id: agent!['id'], description: text}});
	const {id: installed_cap_id, release_id} = await service.read<JsonRecord>(paths.installedOf(capability_id), key);
	return {
		key,
		ids: {capability_id, installed_cap_id: Number(installed_cap_id), release_id: Number(release_id), personality_id: Number(agent!['id'])},
	};
}

/** The rows of an account, byte by byte, as a sum for each table. */
function rowsOf({dataFolder}: TestService, account: string): unknown {
	const database = new DatabaseSync(path.join(dataFolder, 'switchboard.db'));
	const queries = [
		'select * from accounts where name = ?',
		// But for the last use, which is not stored with the request.
		'select api_keys.id, account_id, api_keys.name, folded_name, hash, rights, expires_at, is_for_ssh from api_keys join accounts on accounts.id = account_id where accounts.name = ? order by 1',
		'select history.* from history join accounts on accounts.id = account_id where accounts.name = ? order by number',
		'select agents.* from agents join accounts on accounts.id = account_id where accounts.name = ? order by 1',
		'select abilities.* from abilities join accounts on accounts.id = account_id where accounts.name = ? order by 1',
		...['installed', 'releases', 'agent_abilities'].map(
			table =>
				`select ${table}.* from ${table} join abilities on abilities.id = ability_id join accounts on accounts.id = account_id where accounts.name = ? order by 1, 2`,
		),
		`select release_files.* from release_files join releases on releases.id = release_id join abilities on abilities.id = ability_id
			join accounts on accounts.id = account_id where accounts.name = ? order by 1, 2`,
	];
	const sums = queries.map(sql => {
		const rows = database.prepare(sql).all(account);
		assert.notEqual(rows.length, 0, sql);
		return createHash('sha256')
			.update(JSON.stringify(rows, (_name, value: unknown) => (value instanceof Uint8Array ? [...value] : value)))
			.digest('hex');
	});
	database.close();
	return sums;
}

const unknownId = 987_654_321;

/** What the fields of a body are called where they take an id, and which. */
const idFields: Readonly<Record<string, string>> = {
	personality_id: 'personality_id',
	matching_capabilities: 'capability_id',
	capability_ids: 'capability_id',
};

/** A valid body of the schema, with ids of one account, or with a foreign one in one field. */
async function bodyOf(
	{properties = {}}: Schema,
	{ids, key}: Account,
	layout: 'folder' | 'root',
	foreign?: {readonly field: string; readonly id: number},
) {
	const files =
		layout === 'folder'
			? lampFiles
			: Object.fromEntries(Object.entries(lampFiles).map(([name, content]) => [name.replace('lamps/', ''), content]));
	const used = Object.entries(properties).filter(
		([name, {type}]) => name !== 'image_file' && name !== 'at' && !String(type).includes('null'),
	);
	const entries = used.map(async ([name, {type, format, enum: choices}]): Promise<[string, unknown]> => {
		const ownId = ids[idFields[name] ?? ''];
		if (ownId !== undefined) {
			const id = foreign?.field === name ? foreign.id : ownId;
			return [name, type === 'array' ? [...new Set([ownId, id])] : id];
		}

		return [
			name,
			format === 'binary'
				? await zipOf(files)
				: name === 'api_key'
					? key
					: type === 'boolean'
						? true
						: type === 'number'
							? 60
							: (choices?.[0] ?? 'stolen'),
		];
	});
	return Object.fromEntries(await Promise.all(entries));
}

type Call = (ids: {readonly inPath?: number; readonly inBody?: {readonly field: string; readonly id: number}}) => Promise<TestAnswer>;

/** Every way to send an operation with one key: its bodies by content type, or none. */
function callsOf(
	service: TestService,
	{method, path: template, bodies}: DocumentedOperation,
	account: Account,
): ReadonlyArray<{readonly fields: readonly string[]; readonly call: Call}> {
	const [parameter] = /(?<=\{)\w+/.exec(template) ?? [];
	const ownId = account.ids[parameter === 'id' ? 'capability_id' : (parameter ?? '')];
	const types: ReadonlyArray<readonly [string | undefined, Schema]> =
		Object.keys(bodies).length === 0 ? [[undefined, {}]] : Object.entries(bodies);
	return types.map(([type, schema]) => ({
		fields: Object.keys(schema.properties ?? {}).filter(name => Object.hasOwn(idFields, name)),
		async call({inPath = ownId, inBody}) {
			const body = await bodyOf(schema, account, parameter === 'release_id' ? 'root' : 'folder', inBody);
			return service.ask(method, template.replace(/\{\w+\}/, String(inPath)), {
				key: account.key,
				...(type === 'application/json' && {body}),
				...(type === 'multipart/form-data' && {
					body: formOf(
						Object.fromEntries(
							Object.entries(body).map(([name, value]) => [name, value instanceof Uint8Array ? value : [value].flat().map(String)]),
						),
					),
				}),
			});
		},
	}));
}

test('over every operation of the document, the ids of another account are answered like ids that do not exist', async () => {
	await using service = await startTestService();
	const owner = await fillAccount(service, service.key, secret);
	const intruder = await fillAccount(service, await service.createKey('intruder'), 'mine');
	const operations = await readOperations(service.baseAddress);
	const before = rowsOf(service, 'default');
	const beforeIntruder = rowsOf(service, 'intruder');
	let crossings = 0;

	const compare = async (call: Call, place: (id: number) => Parameters<Call>[0], where: string): Promise<void> => {
		const nobodys = await call(place(unknownId));
		assert.ok([400, 404].includes(nobodys.status), `${where} answers ${nobodys.status} to an unknown id: ${nobodys.text}`);
		for (const id of Object.values(owner.ids)) {
			const theirs = await call(place(id));
			crossings++;
			assert.equal(theirs.status, nobodys.status, `${where} ${id}: ${theirs.text}`);
			assert.equal(theirs.text.replaceAll(String(id), String(unknownId)), nobodys.text, where);
		}
	};

	for (const operation of operations) {
		const where = `${operation.method} ${operation.path}`;
		for (const {fields, call} of callsOf(service, operation, intruder)) {
			if (operation.path.includes('{')) {
				await compare(call, inPath => ({inPath}), where);
			}

			for (const field of fields) {
				await compare(call, id => ({inBody: {field, id}}), `${where} ${field}`);
			}
		}
	}

	assert.ok(crossings >= 60, String(crossings));
	assert.deepEqual(rowsOf(service, 'default'), before);
	assert.deepEqual(rowsOf(service, 'intruder'), beforeIntruder);
});

test('no operation of the document answers with anything of another account', async () => {
	await using service = await startTestService();
	await fillAccount(service, service.key, secret);
	const names = (await service.read(paths.abilities)).map(({name}) => String(name)).filter(name => name !== 'lamps');
	const before = rowsOf(service, 'default');
	const key = await service.createKey('intruder');
	const answers: Array<readonly [string, TestAnswer]> = [];
	for (const operation of await readOperations(service.baseAddress)) {
		// An operation may remove what the next one needs.
		const intruder = await fillAccount(service, key, 'mine');
		for (const {call} of callsOf(service, operation, intruder)) {
			answers.push([`${operation.method} ${operation.path}`, await call({})]);
		}

		const left = (await service.read(paths.abilities, key)).map(({id}) => id);
		await service.ask('POST', paths.deleteAbilities, {key, body: {capability_ids: left}});
	}

	const succeeded = answers.filter(([, {status}]) => status === 200);
	// An upload of the name that is there already is a conflict.
	assert.deepEqual(
		answers.filter(([, {status}]) => ![200, 409].includes(status)).map(([where, {text}]) => [where, text]),
		[],
	);
	assert.ok(succeeded.length >= 15, String(succeeded.length));
	const leaks = answers.filter(([, {text}]) => [secret, ...names].some(word => text.includes(word)));
	assertMapped(leaks, ([where]) => where, []);
	assert.deepEqual(rowsOf(service, 'default'), before);
});

test("the ETag of another account's list, or a key in another place, brings nothing of it", async () => {
	await using service = await startTestService();
	await fillAccount(service, service.key, secret);
	const key = await service.createKey('intruder');
	for (const list of [paths.agents, paths.abilities, paths.installed]) {
		const theirs = await service.ask('GET', list);
		const own = await service.ask('GET', list, {key});
		const crossed = await service.ask('GET', list, {key, headers: {'if-none-match': theirs.headers.get('etag')!}});
		assert.equal(crossed.status, 200, list);
		assert.equal(crossed.text, own.text);
		assert.notEqual(own.headers.get('etag'), theirs.headers.get('etag'));
		assert.match(own.headers.get('cache-control') ?? '', /private/);
	}

	const bodyStyle = await service.ask('POST', '/api/sdk/get_personalities', {key: service.key, body: {api_key: key}});
	assert.equal(bodyStyle.status, 200);
	assert.ok(!bodyStyle.text.includes(secret));
	const bearer = await service.ask('GET', paths.agents, {key, headers: {authorization: `Bearer ${service.key}`}});
	assert.ok(!bearer.text.includes(secret));
});
