import {assert, Buffer, test} from '../helpers/node.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import {fieldsOf, formOf, type JsonRecord, named, paths, startTestService, type TestService, uploadForm, zipOf} from './kit.ts';

const release = async (
	service: TestService,
	releaseId: unknown,
	source: string,
	fields: Readonly<Record<string, string>> = {},
): Promise<JsonRecord> => {
	const zip_file = await zipOf({'main.py': source, '__init__.py': ''});
	const {status, json} = await service.ask('POST', paths.releaseCode(releaseId), {body: formOf({zip_file, ...fields})});
	assert.equal(status, 200);
	return json as JsonRecord;
};

const sourceOf = async (service: TestService, id: unknown): Promise<string> => {
	const {bytes} = await service.ask('GET', paths.source(id));
	const {files} = await readZip(bytes);
	return Buffer.from(files.find(({path}) => path === 'main.py')!.bytes).toString();
};

const uploadLamps = async (service: TestService): Promise<unknown> => {
	const {json} = await service.ask('POST', paths.upload, {body: await uploadForm()});
	return (json as JsonRecord)['capability_id'];
};

test('the installed record of an ability has the release in use', async () => {
	await using service = await startTestService();
	const id = await uploadLamps(service);
	const detail = await service.read<JsonRecord>(paths.installedOf(id));
	const installed = named(await service.read(paths.installed), 'lamps');
	const [version] = named(await service.read(paths.abilities), 'lamps')['capability_versions'] as readonly JsonRecord[];
	assert.deepEqual(detail, {...installed, release_id: version!['id'], version: '1', is_committed: true});

	const story = named(await service.read(paths.abilities), 'bedtimestory');
	assert.equal((await service.ask('GET', paths.installedOf(story['id']))).status, 404);
});

test('the source of each version is kept and named, and others are refused', async () => {
	await using service = await startTestService();
	const id = await uploadLamps(service);
	const {bytes: original} = await service.ask('GET', paths.source(id));
	const {release_id: first} = await service.read<JsonRecord>(paths.installedOf(id));
	await release(service, first, 'second', {committed: 'true'});
	const queries = ['', '?version=1', '?version=2', '?version=3', '?version=', '?version=0', '?version=1&version=2', '?version=one'];
	const answers = await Promise.all(queries.map(async query => service.ask('GET', paths.source(id) + query)));
	assert.deepEqual(
		answers.map(({status, headers}) => [status, headers.get('source-version')]),
		[
			[200, '2'],
			[200, '1'],
			[200, '2'],
			[404, null],
			[400, null],
			[400, null],
			[400, null],
			[400, null],
		],
	);
	assert.deepEqual(Buffer.from(answers[1]!.bytes), Buffer.from(original));
	assert.notDeepEqual(Buffer.from(answers[0]!.bytes), Buffer.from(original));
});

test('committed code becomes the next version and is in use at once', async () => {
	await using service = await startTestService();
	const id = await uploadLamps(service);
	const {release_id: first} = await service.read<JsonRecord>(paths.installedOf(id));
	const answer = await release(service, first, 'second', {committed: 'true', commit_message: 'Brighter'});
	assert.deepEqual(answer, {
		detail: 'Version 2 is in use.',
		capability_id: id,
		release_id: answer['release_id'],
		version: '2',
		is_committed: true,
	});
	assert.notEqual(answer.release_id, first);
	assert.equal(await sourceOf(service, id), 'second');

	const ability = named(await service.read(paths.abilities), 'lamps');
	assert.deepEqual(ability['capability_versions'], [
		{id: answer.release_id, version: '2', is_user_enabled: true},
		{id: first, version: '1', is_user_enabled: false},
	]);
});

test('a draft is replaced by the next one and stays the same version until it is committed', async () => {
	await using service = await startTestService();
	const id = await uploadLamps(service);
	const {release_id: first} = await service.read<JsonRecord>(paths.installedOf(id));
	const draft = await release(service, first, 'draft');
	assert.equal(draft['detail'], 'The draft of version 2 is in use.');
	assert.equal(draft['is_committed'], false);
	const again = await release(service, draft['release_id'], 'draft, better', {committed: 'false'});
	assert.deepEqual(again, draft);
	assert.equal(await sourceOf(service, id), 'draft, better');

	const committed = await release(service, draft['release_id'], 'done', {committed: 'True'});
	assert.deepEqual([committed['release_id'], committed['version'], committed['is_committed']], [draft['release_id'], '2', true]);
	assert.equal(await sourceOf(service, id), 'done');
});

test('new code updates the time of the last change', async () => {
	await using service = await startTestService();
	const before = named(await service.read(paths.abilities), 'pantry');
	const [version] = before['capability_versions'] as readonly JsonRecord[];
	await release(service, version!['id'], 'new', {committed: 'true'});
	const after = named(await service.read(paths.abilities), 'pantry');
	assert.ok(Date.parse(after['last_updated'] as string) > Date.parse(before['last_updated'] as string));
	assert.equal(named(await service.read(paths.installed), 'pantry')['last_updated'], after['last_updated']);
});

test('invalid code, or code for an unknown release, is refused and changes nothing', async () => {
	await using service = await startTestService();
	const id = await uploadLamps(service);
	const before = await sourceOf(service, id);
	const {release_id: first} = await service.read<JsonRecord>(paths.installedOf(id));
	const good = await zipOf({'main.py': '', '__init__.py': ''});
	const attempts = [
		[first, {zip_file: await zipOf({'lamps/main.py': '', 'lamps/__init__.py': ''})}],
		[first, {zip_file: await zipOf({'main.py': ''})}],
		[first, {committed: 'true'}],
		[first, {zip_file: good, committed: 'maybe'}],
		[first, {zip_file: good, commit_message: 'x'.repeat(2001)}],
		[999_999, {zip_file: good}],
		['nonsense', {zip_file: good}],
	] as const;
	const answers = await Promise.all(
		attempts.map(async ([releaseId, fields]) => service.ask('POST', paths.releaseCode(releaseId), {body: formOf(fields)})),
	);
	assert.deepEqual(fieldsOf(answers, 'status'), [400, 400, 400, 400, 400, 404, 404]);
	assert.match((answers[0]!.json as {detail: string}).detail, /main\.py is missing/);
	assert.match((answers[3]!.json as {detail: string}).detail, /committed/);
	assert.equal(await sourceOf(service, id), before);
});
