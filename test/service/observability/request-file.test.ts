import {assert, assertMapped, path, test} from '../../helpers/node.ts';
import {linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {startLocalService} from '../../../source/service/local.ts';
import {createFileWriter} from '../../../source/service/observability/service-log.ts';
import {modeOf, temporaryDataFolder, temporaryFolder} from '../../helpers/temporary-folder.ts';
import {paths, waitUntil} from '../kit.ts';

const filesIn = (folder: string): readonly [string, string] => [path.join(folder, 'requests.log'), path.join(folder, 'requests.log.1')];

function readLines(file: string): readonly string[] {
	try {
		return readFileSync(file, 'utf8').split('\n').slice(0, -1);
	} catch {
		return [];
	}
}

test('the service of the terminal UI logs its requests to a file that only its owner can read', async () => {
	const dataFolder = temporaryDataFolder();
	const [file] = filesIn(dataFolder);
	const {baseAddress, apiKey, close} = await startLocalService({dataFolder});
	const ask = async (route: string): Promise<void> => {
		const response = await fetch(baseAddress + route, {headers: {'x-api-key': apiKey}});
		await response.arrayBuffer();
	};

	await ask(paths.installed);
	// Without being asked to, soon.
	await waitUntil(() => readLines(file).length === 1);
	await ask(paths.ability(424_242));
	// What is left is written when it stops.
	await close();
	const text = readFileSync(file, 'utf8');
	const entries = readLines(file).map(line => JSON.parse(line) as {readonly time: string; readonly ms: number; readonly request: string});
	assertMapped(entries, ({time: _time, ms: _ms, request: _request, ...entry}) => entry, [
		{method: 'GET', path: paths.installed, status: 200, account: 'default', key: 'ephemeral', address: '127.0.0.1', record: null},
		{
			method: 'GET',
			path: '/api/capabilities/get-capability/:capability_id/',
			status: 404,
			account: 'default',
			key: 'ephemeral',
			address: '127.0.0.1',
			record: '424242',
		},
	]);
	assert.ok(!text.includes(apiKey));
	assert.equal(modeOf(file), '600');
});

test('a file of more than 1 MB makes room for a new one, and there are never more than two', () => {
	const files = filesIn(temporaryFolder());
	const [file, earlier] = files;
	const {writeLine, flush} = createFileWriter(files);
	const line = 'x'.repeat(1023);
	for (let count = 0; count < 5000; count++) {
		writeLine(line);
	}

	writeLine('last');
	flush();
	assert.equal(readLines(file).at(-1), 'last');
	const mebibyte = 1024 * 1024;
	assert.ok(statSync(earlier).size > mebibyte);
	for (const each of files) {
		assert.ok(statSync(each).size < 1.2 * mebibyte, each);
	}
});

for (const [what, put] of [
	['a link', symlinkSync],
	['a second name of another file', linkSync],
	['a folder', (_target: string, file: string) => mkdirSync(file)],
] as const) {
	test(`where the file is ${what}, nothing is written, and nobody is held up`, () => {
		const folder = temporaryFolder();
		const target = path.join(folder, 'target');
		writeFileSync(target, 'mine');
		const files = filesIn(folder);
		put(target, files[0]);
		const {writeLine, flush} = createFileWriter(files);
		writeLine('one');
		flush();
		assert.equal(readFileSync(target, 'utf8'), 'mine');
	});
}
