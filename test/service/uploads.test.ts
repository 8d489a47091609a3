import {afterEach, assert, assertMapped, Buffer, test} from '../helpers/node.ts';
import {deflateRawSync} from 'node:zlib';
import {abilityLimits} from '../../source/interface/ability-package/limits.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import {rawZip} from '../interface/ability-package/raw-zip.ts';
import {type JsonRecord, named, paths, readLists, shareTestService} from './running-service.ts';
import {fieldsOf, formOf, lampFiles, pngBytes, uploadForm, zipOf} from './kit.ts';

const service = await shareTestService();

afterEach(async () => {
	const left = (await service.read(paths.abilities)).find(({name}) => name === 'lamps');
	if (left !== undefined) {
		await service.ask('POST', paths.deleteAbility(left['id']));
	}
});

type Values = Parameters<typeof uploadForm>[0];

const upload = async (changes: Values = {}, key = service.key) => service.ask('POST', paths.upload, {body: await uploadForm(changes), key});

test('an uploaded ability is listed, installed and enabled at once', async () => {
	const {status, json} = await upload({image_file: pngBytes});
	assert.equal(status, 200);
	const {capability_id: id, detail, ...others} = json as JsonRecord;
	assert.deepEqual(others, {});
	assert.equal(detail, 'The ability lamps was uploaded, installed and enabled.');

	const ability = named(await service.read(paths.abilities), 'lamps');
	assert.equal(ability['capability_id'], id);
	assert.equal(ability['description'], 'Switches the lamps.');
	assert.equal(ability['category'], 'skill');
	assert.deepEqual(ability['trigger_words'], ['lamps on', 'lamps off']);
	assert.equal(ability['is_installed'], true);
	assert.equal(ability['image_file'], 'lamps.png');
	const installed = named(await service.read(paths.installed), 'lamps');
	assert.equal(installed['enabled'], true);
	assert.equal(installed['capability_id'], id);
	assert.deepEqual(installed['trigger_words'], ['lamps on', 'lamps off']);
});

test('the source of an ability is returned as a zip with every file at its root, byte for byte', async () => {
	const {json} = await upload();
	const answer = await service.ask('GET', paths.source((json as JsonRecord)['capability_id']));
	assert.equal(answer.status, 200);
	assert.equal(answer.headers.get('content-type'), 'application/zip');
	assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="lamps.zip"');
	const {files} = await readZip(answer.bytes);
	assert.deepEqual(
		new Map(files.map(({path, bytes}) => [`lamps/${path}`, Buffer.from(bytes)])),
		new Map(Object.entries(lampFiles).map(([path, content]) => [path, Buffer.from(content as string)])),
	);
});

test('the source of a sample ability can be fetched too', async () => {
	const nightwatch = named(await service.read(paths.abilities), 'nightwatch');
	const answer = await service.ask('GET', paths.source(nightwatch['id']));
	const {files} = await readZip(answer.bytes);
	assert.deepEqual(fieldsOf(files, 'path'), ['README.md', '__init__.py', 'background.py', 'config.json', 'main.py']);
	const config = files.find(({path}) => path === 'config.json');
	assert.deepEqual(JSON.parse(Buffer.from(config!.bytes).toString()), {unique_name: 'nightwatch', matching_hotwords: []});
});

test('an upload with the id of an agent ties the ability to that agent, which keeps its other ties', async () => {
	const before = named(await service.read(paths.agents), 'Pepper');
	const {json} = await upload({personality_id: String(before['id'])});
	const agents = await service.read(paths.agents);
	assert.deepEqual(named(agents, 'Pepper')['matching_capabilities'], [
		...(before['matching_capabilities'] as readonly number[]),
		(json as JsonRecord)['capability_id'],
	]);
	assert.ok(!(named(agents, 'Hearth')['matching_capabilities'] as readonly unknown[]).includes((json as JsonRecord)['capability_id']));
});

test('the same name again, in any case, is a conflict; another account may use it', async () => {
	await upload();
	const before = await readLists(service);
	for (const name of ['lamps', 'LAMPS', 'pantry']) {
		await upload({name});
	}

	const {status, json} = await upload({name: 'Lamps', description: 'Others.'});
	assert.equal(status, 409);
	assert.match((json as {detail: string}).detail, /the same name, “Lamps”/);
	assert.deepEqual(await readLists(service), before);
	assert.equal((await upload({}, await service.createKey('other'))).status, 200);
});

const refusedUploads: ReadonlyArray<readonly [title: string, changes: Values, words: RegExp]> = [
	['without a zip', {zip_file: undefined}, /zip_file/],
	['with a text instead of a zip', {zip_file: 'PK'}, /zip_file must be a file/],
	['with bytes that are not a zip', {zip_file: Buffer.from('no zip at all')}, /not a zip/],
	['with files at the root of the zip', {zip_file: await zipOf({'main.py': '', '__init__.py': ''})}, /one top-level folder/],
	['without main.py', {zip_file: await zipOf({'lamps/__init__.py': ''})}, /main\.py is missing/],
	['of a daemon without background.py', {category: 'background_daemon'}, /background\.py is missing/],
	['without a name', {name: undefined}, /name must not be empty/],
	['with a name of spaces', {name: '   '}, /name must not be empty/],
	['with a name of digits', {name: ' 007 '}, /name must not be digits alone/],
	['with a name that is too long', {name: 'x'.repeat(201)}, /name may be at most 200 characters long/],
	...['two\nlamps', 'two\tlamps', 'lamps\u{1B}[2J', 'lamps\u{200B}', 'lamps\u{202E}', 'two\u{2028}lamps'].map(
		name => [`with the name ${JSON.stringify(name)}`, {name}, /name must not contain control, invisible or line-break characters/] as const,
	),
	['with two names', {name: ['lamps', 'lights']}, /name was sent more than once/],
	['without a category', {category: undefined}, /category must be one of skill, brain_skill/],
	['with an unknown category', {category: 'toy'}, /category/],
	['with a trigger phrase that is too short', {trigger_words: 'lamps on, ab'}, /trigger_words.*“ab” must have at least four letters/],
	['with an invalid image', {image_file: Buffer.from('GIF89a')}, /image_file must be a PNG or JPEG/],
	['for an unknown agent', {personality_id: '999999'}, /personality_id/],
	['for an agent id that is not a number', {personality_id: 'Pepper'}, /personality_id/],
	['with a description that is too long', {description: 'x'.repeat(20_001)}, /description/],
];

test('a name is what people call things: it is trimmed, composed, and comes back as the name of a file that every system takes', async () => {
	for (const [name, file] of [
		['My Skill', 'MySkill'],
		['  hue lights ', 'huelights'],
		['日本語', 'ability'],
		['hot-take-machine', 'hottakemachine'],
		['-rf', 'rf'],
		['../"lamps"; x', 'lampsx'],
		['7 lamps', 'lamps'],
		['Cafe\u{301} 👩\u{200D}🚀', 'Cafe'],
		['👍'.repeat(200), 'ability'],
	] as const) {
		const {status, json} = await upload({name});
		assert.equal(status, 200, name);
		const id = (json as {capability_id: number}).capability_id;
		assert.equal((await service.read<JsonRecord>(paths.ability(id)))['name'], name.trim().normalize('NFC'));
		assert.equal((await service.ask('GET', paths.source(id))).headers.get('content-disposition'), `attachment; filename="${file}.zip"`);
	}
});

test('an invalid upload is refused with the name of the field, and leaves nothing behind', async () => {
	const before = await readLists(service);
	for (const [title, changes, words] of refusedUploads) {
		const {status, json} = await upload(changes);
		assert.equal(status, 400, title);
		assert.match((json as {detail: string}).detail, words);
	}

	assert.deepEqual(await readLists(service), before);
});

const megabyte = 1024 * 1024;

/** A small zip with a file of this many zeros. */
const bombOf = (size: number): Buffer =>
	rawZip([{name: 'lamps/big.bin', packed: deflateRawSync(Buffer.alloc(size)), method: 8, claimedSize: size}]);

const tooLarge: ReadonlyArray<readonly [title: string, changes: () => Promise<Values>, words: RegExp]> = [
	['a zip over the limit', async () => ({zip_file: Buffer.alloc(abilityLimits.zipBytes + 1)}), /zip_file is too large: .* 34 MB/],
	[
		'an image over the limit',
		async () => ({image_file: Buffer.concat([pngBytes, Buffer.alloc(abilityLimits.imageBytes)])}),
		/image_file is too large: .* 5 MB/,
	],
	[
		'a form over all limits',
		async () => ({zip_file: Buffer.alloc(abilityLimits.zipBytes + 8 * megabyte)}),
		/a zip .* 34 MB, an image 5 MB/,
	],
	['a zip bomb', async () => ({zip_file: bombOf(20 * megabyte)}), /big\.bin.*more than 200 times its compressed size/],
	['a field over the limit', async () => ({description: 'x'.repeat(megabyte + 1)}), /description is too large/],
];

test('an upload that is too large is answered with 413 and the limit', async () => {
	const before = await readLists(service);
	for (const [title, changes, words] of tooLarge) {
		const {status, json} = await upload(await changes());
		assert.equal(status, 413, title);
		assert.match((json as {detail: string}).detail, words);
	}

	assert.deepEqual(await readLists(service), before);
});

test('a body that is not a form, or a broken form, is refused', async () => {
	const json = await service.ask('POST', paths.upload, {body: {name: 'lamps'}});
	assert.equal(json.status, 415);
	const nothing = await service.ask('POST', paths.upload);
	assert.equal(nothing.status, 415);
	const cutOff = await service.ask('POST', paths.upload, {
		body: '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nlam',
		headers: {'content-type': 'multipart/form-data; boundary=x'},
	});
	assert.equal(cutOff.status, 400);
	const withoutBoundary = await service.ask('POST', paths.upload, {body: 'x', headers: {'content-type': 'multipart/form-data'}});
	assert.equal(withoutBoundary.status, 400);
	assert.deepEqual(
		[json, nothing, cutOff, withoutBoundary].map(answer => Object.keys(answer.json as object)),
		[['detail'], ['detail'], ['detail'], ['detail']],
	);
});

test('a wrong key is refused before the form is read', async () => {
	assert.equal((await upload({zip_file: Buffer.alloc(abilityLimits.zipBytes + 8 * megabyte)}, 'sb_wrong')).status, 401);
});

async function release(releaseId: unknown, source: string, fields: Readonly<Record<string, string>> = {}): Promise<JsonRecord> {
	const zip_file = await zipOf({'main.py': source, '__init__.py': ''});
	const {status, json} = await service.ask('POST', paths.releaseCode(releaseId), {body: formOf({zip_file, ...fields})});
	assert.equal(status, 200);
	return json as JsonRecord;
}

async function sourceOf(id: unknown, query = ''): Promise<string> {
	const {bytes} = await service.ask('GET', paths.source(id) + query);
	const {files} = await readZip(bytes);
	return Buffer.from(files.find(({path}) => path === 'main.py')!.bytes).toString();
}

async function uploadLamps(): Promise<unknown> {
	const {json} = await service.ask('POST', paths.upload, {body: await uploadForm()});
	return (json as JsonRecord)['capability_id'];
}

test('the installed record of an ability has the release in use', async () => {
	const id = await uploadLamps();
	const detail = await service.read<JsonRecord>(paths.installedOf(id));
	const installed = named(await service.read(paths.installed), 'lamps');
	const [version] = named(await service.read(paths.abilities), 'lamps')['capability_versions'] as readonly JsonRecord[];
	const releases = [{...version!, commit_message: 'First version'}];
	assert.deepEqual(detail, {...installed, release_id: version!['id'], version: '1', is_committed: true, releases});

	const story = named(await service.read(paths.abilities), 'bedtimestory');
	assert.equal((await service.ask('GET', paths.installedOf(story['id']))).status, 404);
});

test('the source of each version is kept and named, and others are refused', async () => {
	const id = await uploadLamps();
	const {bytes: original} = await service.ask('GET', paths.source(id));
	const {release_id: first} = await service.read<JsonRecord>(paths.installedOf(id));
	await release(first, 'second', {committed: 'true'});
	const queries = ['', '?version=1', '?version=2', '?version=3', '?version=', '?version=0', '?version=1&version=2', '?version=one'];
	const answers = await Promise.all(queries.map(async query => service.ask('GET', paths.source(id) + query)));
	assertMapped(answers, ({status, headers}) => [status, headers.get('source-version')], [
		[200, '2'],
		[200, '1'],
		[200, '2'],
		[404, null],
		[400, null],
		[400, null],
		[400, null],
		[400, null],
	]);
	assert.deepEqual(Buffer.from(answers[1]!.bytes), Buffer.from(original));
	assert.notDeepEqual(Buffer.from(answers[0]!.bytes), Buffer.from(original));
});

test('committed code becomes the next version and is in use at once', async () => {
	const id = await uploadLamps();
	const {release_id: first} = await service.read<JsonRecord>(paths.installedOf(id));
	const answer = await release(first, 'second', {committed: 'true', commit_message: 'Brighter'});
	assert.deepEqual(answer, {
		detail: 'Version 2 is in use.',
		capability_id: id,
		release_id: answer['release_id'],
		version: '2',
		is_committed: true,
	});
	assert.notEqual(answer.release_id, first);
	assert.equal(await sourceOf(id), 'second');

	const ability = named(await service.read(paths.abilities), 'lamps');
	assert.deepEqual(ability['capability_versions'], [
		{id: answer.release_id, version: '2', is_committed: true, is_user_enabled: true},
		{id: first, version: '1', is_committed: true, is_user_enabled: false},
	]);
	assertMapped(await service.read(paths.releases(id)), each => each['commit_message'], ['Brighter', 'First version']);
});

test('a draft is not used, is replaced by the next one and stays the same version until it is committed', async () => {
	const id = await uploadLamps();
	const {release_id: first} = await service.read<JsonRecord>(paths.installedOf(id));
	const draft = await release(first, 'draft');
	assert.equal(draft['detail'], 'Version 2 is saved as a draft.');
	assert.equal(draft['is_committed'], false);
	assert.deepEqual(await release(first, 'draft, better', {committed: 'false'}), draft);
	assert.equal(await sourceOf(id, '?version=2'), 'draft, better');
	assert.notEqual(await sourceOf(id), 'draft, better');
	const {release_id: inUse, version} = await service.read<JsonRecord>(paths.installedOf(id));
	assert.deepEqual([inUse, version], [first, '1']);
	assert.equal((await service.ask('POST', paths.enableRelease(draft['release_id']))).status, 400);

	const committed = await release(draft['release_id'], 'done', {committed: 'True'});
	assert.deepEqual([committed['release_id'], committed['version'], committed['is_committed']], [draft['release_id'], '2', true]);
	assert.equal(await sourceOf(id), 'done');
});

test('an earlier release can be used again, and the newest after it', async () => {
	const id = await uploadLamps();
	const {release_id: first} = await service.read<JsonRecord>(paths.installedOf(id));
	const {release_id: second} = await release(first, 'second', {committed: 'true'});
	for (const [releaseId, version] of [
		[first, '1'],
		[second, '2'],
	] as const) {
		const {status, json} = await service.ask('POST', paths.enableRelease(releaseId));
		assert.deepEqual([status, (json as JsonRecord)['detail']], [200, `Version ${version} is in use.`]);
		const {version: used, releases} = await service.read<JsonRecord>(paths.installedOf(id));
		assert.deepEqual([used, (await sourceOf(id)) === 'second'], [version, version === '2']);
		assertMapped(releases as readonly JsonRecord[], each => [each['version'], each['is_user_enabled']], [
			['2', version === '2'],
			['1', version === '1'],
		]);
	}

	// The next code follows the newest, whichever is in use.
	await service.ask('POST', paths.enableRelease(first));
	assert.equal((await release(first, 'third', {committed: 'true'}))['version'], '3');
	assert.equal((await service.ask('POST', paths.enableRelease(999_999))).status, 404);
	assert.equal((await service.ask('GET', paths.releases(999_999))).status, 404);
});

test('new code updates the time of the last change', async () => {
	const before = named(await service.read(paths.abilities), 'pantry');
	const [version] = before['capability_versions'] as readonly JsonRecord[];
	await release(version!['id'], 'new', {committed: 'true'});
	const after = named(await service.read(paths.abilities), 'pantry');
	assert.ok(Date.parse(after['last_updated'] as string) > Date.parse(before['last_updated'] as string));
	assert.equal(named(await service.read(paths.installed), 'pantry')['last_updated'], after['last_updated']);
});

test('invalid code, or code for an unknown release, is refused and changes nothing', async () => {
	const id = await uploadLamps();
	const before = await sourceOf(id);
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
	assert.equal(await sourceOf(id), before);
});
