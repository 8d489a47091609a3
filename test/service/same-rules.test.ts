import {after, assert, before, Buffer, path, test, writeFile} from '../helpers/node.ts';
import {deflateRawSync} from 'node:zlib';
import {packAbility} from '../../source/bundle/pack-ability.ts';
import {abilityLimits} from '../../source/interface/ability-package/limits.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {abilityFolder} from '../bundle/ability-folder.ts';
import {type RawEntry, rawZip} from '../interface/ability-package/raw-zip.ts';
import {fieldsOf, formOf, paths, pngBytes, startTestService, temporaryFolder, type TestService} from './kit.ts';

/** What a person wants to upload. */
type Package = {
	readonly zip?: Buffer;
	readonly name?: string;
	readonly description?: string;
	readonly category?: string;
	readonly triggerPhrases?: readonly string[];
	readonly image?: Uint8Array;
};

const sound: readonly RawEntry[] = [{name: 'lamps/main.py', content: 'print(1)\n', isDeflated: true}, {name: 'lamps/__init__.py'}];

const zipWith = (...entries: readonly RawEntry[]): Package => ({zip: rawZip([...sound, ...entries])});

const daemon: Package = {zip: rawZip([{name: 'lamps/__init__.py'}, {name: 'lamps/background.py'}])};

const megabyte = 1024 * 1024;

const bomb = (claimedSize: number): RawEntry => ({
	name: 'lamps/bomb',
	packed: deflateRawSync(Buffer.alloc(10 * megabyte)),
	method: 8,
	claimedSize,
});

/** One upload for each rule that each side applies by itself, and some for what both read with the same code, which has its own tests. */
const packages: ReadonlyArray<readonly [title: string, contents: Package, verdict: 'taken' | 'refused' | 'too-large']> = [
	['an ability', {}, 'taken'],
	[
		'what an operating system adds',
		zipWith({name: '__MACOSX/lamps/._main.py', content: 'x'}, {name: 'lamps/.DS_Store', content: 'x'}),
		'taken',
	],
	['a version control folder of another program', zipWith({name: 'lamps/.hg/store', content: 'x'}), 'refused'],
	['a tie to another ability', zipWith({name: 'lamps/.openhome.json', content: '{"capability_id": 1}'}), 'taken'],
	['a virtual environment', zipWith({name: 'lamps/.venv/bin/python', content: 'x'}), 'refused'],
	['a path that leads out', zipWith({name: 'lamps/../../x', content: 'x'}), 'refused'],
	['backslashes only', {zip: rawZip(['main.py', '__init__.py', 'data\\x'].map(file => ({name: `lamps\\${file}`, content: 'x'})))}, 'taken'],
	['a symbolic link', zipWith({name: 'lamps/link', content: '/etc/passwd', mode: 0o12_0777}), 'refused'],
	['a second top-level folder', zipWith({name: 'lights/x', content: 'x'}), 'refused'],
	['a zip bomb', zipWith(bomb(10 * megabyte)), 'too-large'],
	['too many files', zipWith(...Array.from({length: 2000}, (_value, index) => ({name: `lamps/${index}`}))), 'too-large'],
	['no main.py', {zip: rawZip([{name: 'lamps/__init__.py'}])}, 'refused'],
	['bytes that are no zip', {zip: Buffer.from('no zip')}, 'refused'],
	['a large zip', {zip: Buffer.alloc(abilityLimits.zipBytes + 1)}, 'too-large'],
	['a name of two words', {name: 'Two lamps'}, 'taken'],
	['a long name', {name: '灯'.repeat(200)}, 'taken'],
	['a name of spaces', {name: '  '}, 'refused'],
	['an unknown category', {category: 'toy'}, 'refused'],
	['a daemon without background.py', {category: 'background_daemon'}, 'refused'],
	['a daemon of background.py alone', {...daemon, category: 'background_daemon'}, 'taken'],
	['a skill of background.py alone', {...daemon, category: 'skill'}, 'refused'],
	['a trigger phrase', {triggerPhrases: ['lamps on', 'světla na chodbě']}, 'taken'],
	['a trigger phrase of a few letters', {triggerPhrases: ['abc']}, 'refused'],
	['a long trigger phrase', {triggerPhrases: ['x'.repeat(201)]}, 'refused'],
	['too many trigger phrases', {triggerPhrases: Array.from({length: 101}, (_value, index) => `lamps number ${index}`)}, 'refused'],
	['a long description', {description: 'x'.repeat(abilityLimits.descriptionLength + 1)}, 'refused'],
	['a description with U+0000', {description: 'a\0b'}, 'refused'],
	['a PNG', {image: pngBytes}, 'taken'],
	['a GIF as an image', {image: Buffer.from('GIF89a')}, 'refused'],
	['a large image', {image: Buffer.concat([pngBytes, Buffer.alloc(abilityLimits.imageBytes)])}, 'too-large'],
];

let service: TestService;

before(async () => {
	service = await startTestService();
});

after(async () => service.close());

async function verdictOfClient({zip = rawZip(sound), name = 'lamps', image, ...others}: Package): Promise<string> {
	const folder = temporaryFolder();
	const [zipPath, imagePath] = [path.join(folder, 'lamps.zip'), path.join(folder, 'image')];
	await writeFile(zipPath, zip);
	await writeFile(imagePath, image ?? '');
	try {
		await packAbility(zipPath, {name, ...others, ...(image !== undefined && {imagePath})});
		return 'taken';
	} catch (error) {
		assert.ok(error instanceof SwitchboardError, String(error));
		return error.kind;
	}
}

const verdicts: Readonly<Record<number, string>> = {200: 'taken', 400: 'refused', 413: 'too-large'};

async function verdictOfService({
	zip = rawZip(sound),
	name = 'lamps',
	category = 'skill',
	description = '',
	triggerPhrases = [],
	image,
}: Package): Promise<string> {
	const {status, json, text} = await service.ask('POST', paths.upload, {
		body: formOf({zip_file: zip, name, category, description, trigger_words: triggerPhrases.join(', '), image_file: image}),
	});
	if (status === 200) {
		await service.ask('POST', paths.deleteAbility((json as {capability_id: number}).capability_id));
	}

	return verdicts[status] ?? `${status} ${text}`;
}

for (const [title, contents, verdict] of packages) {
	test(`an upload with ${title} is ${verdict} by the client and by the service`, async () => {
		assert.deepEqual(
			{client: await verdictOfClient(contents), service: await verdictOfService(contents)},
			{client: verdict, service: verdict},
		);
	});
}

test('what the client packs from a folder full of junk is taken as it is', async () => {
	const {zip} = await packAbility(
		await abilityFolder({
			'main.py': '',
			'__init__.py': '',
			'.git/config': 'x',
			'.venv/pyvenv.cfg': 'x',
			'.env': 'x',
			'__pycache__/main.pyc': 'x',
			'.DS_Store': 'x',
		}),
		{name: 'lamps'},
	);
	const answer = await service.ask('POST', paths.upload, {body: formOf({zip_file: zip, name: 'lamps', category: 'skill'})});
	assert.equal((answer.json as {detail: string}).detail, 'The ability lamps was uploaded, installed and enabled.');
});

test('the answer to an upload says which files were left out', async () => {
	const {zip} = zipWith(
		{name: 'lamps/.DS_Store', content: 'x'},
		{name: 'lamps/__pycache__/', mode: 0o04_0755},
		{name: 'lamps/__pycache__/main.pyc', content: 'x'},
	);
	const {json} = await service.ask('POST', paths.upload, {body: formOf({zip_file: zip, name: 'litter', category: 'skill'})});
	const {detail, capability_id: id} = json as {readonly detail: string; readonly capability_id: number};
	assert.equal(
		detail,
		'The ability litter was uploaded, installed and enabled. Left out, because no ability needs it: “lamps/.DS_Store” and 1 more.',
	);
	const source = await service.ask('GET', paths.source(id));
	assert.ok(!source.text.includes('main.pyc'));
});

test('new code of an ability may hold what an upload may', async () => {
	const {json} = await service.ask('POST', paths.upload, {body: formOf({zip_file: rawZip(sound), name: 'released', category: 'skill'})});
	const {release_id} = await service.read<{readonly release_id: number}>(
		paths.installedOf((json as {capability_id: number}).capability_id),
	);
	const atRoot = [{name: 'main.py', content: 'x'}, {name: '__init__.py'}];
	const answers = await Promise.all(
		[[], [{name: '.hg/store', content: 'x'}], [{name: '.DS_Store', content: 'x'}]].map(async more =>
			service.ask('POST', paths.releaseCode(release_id), {body: formOf({zip_file: rawZip([...atRoot, ...more]), committed: 'true'})}),
		),
	);
	assert.deepEqual(fieldsOf(answers, 'status'), [200, 400, 200]);
	assert.match(answers[1]!.text, /belongs to the history of a version control system/);
	assert.match(answers[2]!.text, /Left out, because no ability needs it: “\.DS_Store”\./);
});

test('an image that was not chosen in a form is none', async () => {
	const form = formOf({zip_file: rawZip(sound), name: 'plain', category: 'skill'});
	form.append('image_file', new Blob([]), '');
	assert.equal((await service.ask('POST', paths.upload, {body: form})).status, 200);
});
