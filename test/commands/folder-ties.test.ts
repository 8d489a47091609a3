import {execFileSync, mkdirSync, path, readFileSync, test, type TestContext, assert} from '../helpers/node.ts';
import {chmodSync, existsSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {codeFiles, ended, isWrite, parseJson, startLiveLike, writeFolder} from './kit.ts';

/*
The file by which a folder belongs to an ability (`.openhome.json`), as the vendor's Python client writes and reads it too.
*/

type Fields = Readonly<Record<string, unknown>>;

const start = async (t: TestContext) => {
	const live = await startLiveLike(t);
	const {home, service} = live;
	const place = (...parts: readonly string[]) => path.join(home.folder, ...parts);
	const tiePlace = (folder: string) => place(folder, '.openhome.json');
	return {
		...live,
		place,
		tiePlace,
		readTie: (folder: string) => JSON.parse(readFileSync(tiePlace(folder), 'utf8')) as Fields,
		/** Writes a folder with the file that the client wrote of the ability `lamps`, and these fields in it. */
		writeTied(folder: string, fields: Fields = {}, code = 'print(21)\n') {
			writeFolder(place(folder), codeFiles(code));
			writeFileSync(tiePlace(folder), JSON.stringify({capability_id: '21', name: 'lamps', ...fields}, undefined, 2));
		},
		here: {base_address: service.baseAddress},
	};
};

test('pull says in the folder which ability it is, and does not list that file', async (t: TestContext) => {
	const {run, readTie, service, here} = await start(t);
	const result = await run(['abilities', 'pull', 'lamps', 'work', '--json']);
	assert.deepEqual(parseJson(result.stdout), {capability_id: 21, name: 'lamps', folder: 'work', files: ['main.py', '__init__.py']});
	assert.deepEqual(readTie('work'), {
		capability_id: '21',
		name: 'lamps',
		category: 'skill',
		trigger_words: ['lamps please', 'it is dark'],
		description: 'What lamps does',
		version: '1.0.0',
		release_id: 9021,
		...here,
	});
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('fields that are not known stay, in their order, and a file that says the same is not touched', async (t: TestContext) => {
	const {run, place, tiePlace, writeTied, readTie, here} = await start(t);
	writeTied('work', {last_synced: 'today', releases: [{id: 1}]});
	assert.equal((await run(['abilities', 'pull', 'lamps', 'work'])).exitCode, 0);
	assert.deepEqual(Object.keys(readTie('work')).slice(0, 4), ['capability_id', 'name', 'last_synced', 'releases']);
	assert.deepEqual([readTie('work')['base_address'], readTie('work')['releases']], [here.base_address, [{id: 1}]]);
	chmodSync(tiePlace('work'), 0o600);
	const before = readdirSync(place('work'));
	const text = readFileSync(tiePlace('work'), 'utf8');
	assert.equal((await run(['abilities', 'pull', 'lamps', 'work'])).exitCode, 0);
	assert.deepEqual([readdirSync(place('work')), readFileSync(tiePlace('work'), 'utf8')], [before, text]);
});

test('a dry run of pull writes no such file', async (t: TestContext) => {
	const {run, tiePlace, writeTied} = await start(t);
	writeTied('work');
	assert.equal((await run(['abilities', 'pull', 'lamps', 'work', '--dry-run'])).exitCode, 0);
	assert.equal((await run(['abilities', 'pull', 'lamps', 'other', '--dry-run'])).exitCode, 0);
	assert.deepEqual([readFileSync(tiePlace('work'), 'utf8').includes('base_address'), existsSync(tiePlace('other'))], [false, false]);
});

test('a folder of another ability, or of another service, is pulled over with --force only', async (t: TestContext) => {
	const {run, writeTied, readTie, here} = await start(t);
	for (const [fields, named] of [
		[{capability_id: '22', name: 'pan\u{1B}[2Jtry', ...here}, 'pantry (22)'],
		[{base_address: 'https://elsewhere.example'}, 'lamps (21)'],
	] as const) {
		writeTied('work', fields);
		const refused = await run(['abilities', 'pull', 'lamps', 'work']);
		assert.deepEqual([refused.exitCode, refused.stderr.split('\n')[1]], [2, `“.openhome.json” says that it belongs to ${named}.`]);
		assert.equal(readTie('work')['capability_id'], 'capability_id' in fields ? fields.capability_id : '21');
		assert.equal((await run(['abilities', 'pull', 'lamps', 'work', '--force'])).exitCode, 0);
		assert.deepEqual(
			[readTie('work')['capability_id'], readTie('work')['name'], readTie('work')['base_address']],
			['21', 'lamps', here.base_address],
		);
	}
});

for (const [what, make, reason] of [
	[
		'a link',
		(file: string) => {
			symlinkSync('/etc/hostname', file);
		},
		'is a symbolic link',
	],
	['a pipe', (file: string) => execFileSync('mkfifo', [file]), 'is not a regular file'],
	[
		'half-written',
		(file: string) => {
			writeFileSync(file, '{"capability_id": "2');
		},
		'is not a JSON object',
	],
	[
		'a list',
		(file: string) => {
			writeFileSync(file, '[21]');
		},
		'is not a JSON object',
	],
	[
		'nested without end',
		(file: string) => {
			writeFileSync(file, `{"a":${'['.repeat(50_000)}`);
		},
		'is not a JSON object',
	],
	[
		'huge',
		(file: string) => {
			writeFileSync(file, `{"a": "${'x'.repeat(300_000)}"}`);
		},
		'is far too large',
	],
] as const) {
	test(`a file that is ${what} is left as it is, with a note`, async (t: TestContext) => {
		const {run, place, tiePlace} = await start(t);
		mkdirSync(place('work'));
		make(tiePlace('work'));
		const result = await run(['abilities', 'pull', 'lamps', 'work']);
		assert.deepEqual(
			result,
			ended(0, 'main.py\tadded\n__init__.py\tadded\n', `“work/.openhome.json” ${reason}, so it was left as it is.\n`),
		);
	});
}
