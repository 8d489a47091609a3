import {assert, Buffer, test} from '../helpers/node.ts';
import {deflateRawSync} from 'node:zlib';
import {abilityLimits} from '../../source/interface/ability-package/limits.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import {rawZip} from '../interface/ability-package/raw-zip.ts';
import {type JsonRecord, named, paths, startTestService, type TestService} from './running-service.ts';
import {fieldsOf, lampFiles, pngBytes, uploadForm, zipOf} from './kit.ts';

type Values = Parameters<typeof uploadForm>[0];

const upload = async (service: TestService, changes: Values = {}, key = service.key) =>
	service.ask('POST', paths.upload, {body: await uploadForm(changes), key});

/** Everything in an account, to check that nothing changed. */
const holdings = async (service: TestService): Promise<unknown> =>
	Promise.all([paths.agents, paths.abilities, paths.installed].map(async path => service.read(path)));

test('an uploaded ability is listed, installed and enabled at once', async () => {
	await using service = await startTestService();
	const {status, json} = await upload(service, {image_file: pngBytes});
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
	await using service = await startTestService();
	const {json} = await upload(service);
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
	await using service = await startTestService();
	const nightwatch = named(await service.read(paths.abilities), 'nightwatch');
	const answer = await service.ask('GET', paths.source(nightwatch['id']));
	const {files} = await readZip(answer.bytes);
	assert.deepEqual(fieldsOf(files, 'path'), ['README.md', '__init__.py', 'background.py', 'config.json', 'main.py']);
	const config = files.find(({path}) => path === 'config.json');
	assert.deepEqual(JSON.parse(Buffer.from(config!.bytes).toString()), {unique_name: 'nightwatch', matching_hotwords: []});
});

test('an upload with the id of an agent ties the ability to that agent, which keeps its other ties', async () => {
	await using service = await startTestService();
	const before = named(await service.read(paths.agents), 'Pepper');
	const {json} = await upload(service, {personality_id: String(before['id'])});
	const agents = await service.read(paths.agents);
	assert.deepEqual(named(agents, 'Pepper')['matching_capabilities'], [
		...(before['matching_capabilities'] as readonly number[]),
		(json as JsonRecord)['capability_id'],
	]);
	assert.ok(!(named(agents, 'Hearth')['matching_capabilities'] as readonly unknown[]).includes((json as JsonRecord)['capability_id']));
});

test('the same name again, in any case, is a conflict; another account may use it', async () => {
	await using service = await startTestService();
	await upload(service);
	const before = await holdings(service);
	for (const name of ['lamps', 'LAMPS', 'pantry']) {
		await upload(service, {name});
	}

	const {status, json} = await upload(service, {name: 'Lamps', description: 'Others.'});
	assert.equal(status, 409);
	assert.match((json as {detail: string}).detail, /the same name, “Lamps”/);
	assert.deepEqual(await holdings(service), before);
	const other = await upload(service, {}, await service.createKey('other'));
	assert.equal(other.status, 200);
});

const refusedUploads: ReadonlyArray<readonly [title: string, changes: Values, words: RegExp]> = [
	['without a zip', {zip_file: undefined}, /zip_file/],
	['with a text instead of a zip', {zip_file: 'PK'}, /zip_file must be a file/],
	['with bytes that are not a zip', {zip_file: Buffer.from('no zip at all')}, /not a zip/],
	['with files at the root of the zip', {zip_file: await zipOf({'main.py': '', '__init__.py': ''})}, /one top-level folder/],
	['without main.py', {zip_file: await zipOf({'lamps/__init__.py': ''})}, /main\.py is missing/],
	['of a daemon without background.py', {category: 'background_daemon'}, /background\.py is missing/],
	['without a name', {name: undefined}, /name is needed/],
	['with an invalid name', {name: '2 lamps'}, /name must begin with a letter/],
	['with two names', {name: ['lamps', 'lights']}, /name was sent more than once/],
	['without a category', {category: undefined}, /category must be one of skill, brain_skill/],
	['with an unknown category', {category: 'toy'}, /category/],
	['with a trigger phrase that is too short', {trigger_words: 'lamps on, ab'}, /trigger_words.*“ab” must have at least four letters/],
	['with an invalid image', {image_file: Buffer.from('GIF89a')}, /image_file must be a PNG or JPEG/],
	['for an unknown agent', {personality_id: '999999'}, /personality_id/],
	['for an agent id that is not a number', {personality_id: 'Pepper'}, /personality_id/],
	['with a description that is too long', {description: 'x'.repeat(20_001)}, /description/],
];

test('an invalid upload is refused with the name of the field, and leaves nothing behind', async () => {
	await using service = await startTestService();
	const before = await holdings(service);
	for (const [title, changes, words] of refusedUploads) {
		const {status, json} = await upload(service, changes);
		assert.equal(status, 400, title);
		assert.match((json as {detail: string}).detail, words);
	}

	assert.deepEqual(await holdings(service), before);
});

const megabyte = 1024 * 1024;

/** A small zip with a file of this many zeros. */
const bombOf = (size: number): Buffer =>
	rawZip([{name: 'lamps/big.bin', packed: deflateRawSync(Buffer.alloc(size)), method: 8, claimedSize: size}]);

const tooLarge: ReadonlyArray<readonly [title: string, changes: () => Promise<Values>, words: RegExp]> = [
	[
		'a zip over the limit',
		async () => ({zip_file: Buffer.alloc(abilityLimits.zipBytes + 1)}),
		/zip_file is too large: it may be at most 34 MB/,
	],
	[
		'an image over the limit',
		async () => ({image_file: Buffer.concat([pngBytes, Buffer.alloc(abilityLimits.imageBytes)])}),
		/image_file is too large: it may be at most 5 MB/,
	],
	[
		'a form over all limits',
		async () => ({zip_file: Buffer.alloc(abilityLimits.zipBytes + 8 * megabyte)}),
		/a zip may be at most 34 MB, an image 5 MB/,
	],
	[
		'a file in the zip over the limit',
		async () => ({zip_file: await zipOf({...lampFiles, 'lamps/big.bin': Buffer.alloc(17 * megabyte)})}),
		/big\.bin.*17 MB.*at most 16 MB/,
	],
	['a zip bomb', async () => ({zip_file: bombOf(20 * megabyte)}), /big\.bin.*more than 200 times its compressed size/],
	['a field over the limit', async () => ({description: 'x'.repeat(megabyte + 1)}), /description is too large/],
];

test('an upload that is too large is answered with 413 and the limit', async () => {
	await using service = await startTestService();
	const before = await holdings(service);
	for (const [title, changes, words] of tooLarge) {
		const {status, json} = await upload(service, await changes());
		assert.equal(status, 413, title);
		assert.match((json as {detail: string}).detail, words);
	}

	assert.deepEqual(await holdings(service), before);
});

test('a body that is not a form, or a broken form, is refused', async () => {
	await using service = await startTestService();
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
	await using service = await startTestService();
	const answer = await upload(service, {zip_file: Buffer.alloc(abilityLimits.zipBytes + 8 * megabyte)}, 'sb_wrong');
	assert.equal(answer.status, 401);
});
