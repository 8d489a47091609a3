import {assert, path, process, test} from '../helpers/node.ts';
import {chmodSync, chownSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {openStore} from '../../source/service/store/open-store.ts';
import {modeOf, temporaryDataFolder, temporaryFolder} from '../helpers/temporary-folder.ts';
import {execute, setVariables, startTestService} from './kit.ts';

const modesIn = (folder: string): Readonly<Record<string, string>> =>
	Object.fromEntries(
		readdirSync(folder)
			.toSorted()
			.map(file => [file, modeOf(path.join(folder, file))] as const),
	);

const tight = {'switchboard.db': '600', 'switchboard.db-shm': '600', 'switchboard.db-wal': '600'};

test('only the owner can read a new data folder and its files', async () => {
	await using service = await startTestService();
	assert.equal(modeOf(service.dataFolder), '700');
	assert.deepEqual(modesIn(service.dataFolder), tight);
});

test('a data folder that others can read becomes private at the next start', async () => {
	const dataFolder = temporaryDataFolder();
	const first = await openStore(dataFolder);
	chmodSync(dataFolder, 0o755);
	for (const file of Object.keys(tight)) {
		chmodSync(path.join(dataFolder, file), 0o644);
	}

	const second = await openStore(dataFolder);
	assert.equal(modeOf(dataFolder), '700');
	assert.deepEqual(modesIn(dataFolder), tight);
	await second.close();
	await first.close();
});

const names = [
	'switchboard.db',
	'switchboard.db-wal',
	'switchboard.db-shm',
	'service.log',
	'service.log.1',
	'requests.log',
	'requests.log.1',
];

test('a file of ours that is a link is refused, and what it leads to stays as it is', async () => {
	const used = temporaryDataFolder();
	await (await openStore(used)).close();
	const target = path.join(temporaryFolder(), 'target');
	writeFileSync(target, 'mine', {mode: 0o644});
	for (const name of names) {
		const folder = name === 'switchboard.db' ? temporaryDataFolder() : used;
		mkdirSync(folder, {mode: 0o700, recursive: true});
		const file = path.join(folder, name);
		symlinkSync(target, file);
		await assert.rejects(
			openStore(folder),
			{
				kind: 'usage',
				message: `${file} is a link, and links are not followed here.`,
				nextStep: /^Put the file itself there, and the -wal beside it, once nothing uses it\. Choose another folder/,
			},
			name,
		);
		assert.deepEqual([readFileSync(target, 'utf8'), modeOf(target)], ['mine', '644']);
		rmSync(file);
	}
});

for (const [title, put, message] of [
	[
		'a link to nothing is refused, and nothing is created where it leads',
		(file: string, elsewhere: string) => symlinkSync(path.join(elsewhere, 'new.db'), file),
		/is a link/,
	],
	[
		'a database that is a folder is refused, and neither it nor its folder is changed',
		(file: string) => mkdirSync(file, {mode: 0o755}),
		/switchboard\.db is not a regular file\./,
	],
] as const) {
	test(title, async () => {
		const dataFolder = temporaryDataFolder();
		const elsewhere = temporaryFolder();
		mkdirSync(dataFolder, {mode: 0o755});
		put(path.join(dataFolder, 'switchboard.db'), elsewhere);
		await assert.rejects(openStore(dataFolder), {kind: 'usage', message});
		assert.deepEqual([readdirSync(elsewhere), modeOf(dataFolder)], [[], '755']);
	});
}

test('a database with a second name is refused: its other user would keep a log of changes of its own', async () => {
	const dataFolder = temporaryDataFolder();
	await (await openStore(dataFolder)).close();
	linkSync(path.join(dataFolder, 'switchboard.db'), path.join(temporaryFolder(), 'other.db'));
	await assert.rejects(openStore(dataFolder), {kind: 'usage', message: /switchboard\.db has a second name \(a hard link\)/});
});

test('a log that becomes a link while the service runs is not written through, and that is told', async () => {
	await using service = await startTestService();
	const target = path.join(temporaryFolder(), 'target');
	writeFileSync(target, 'mine');
	symlinkSync(target, path.join(service.dataFolder, 'service.log'));
	// Something to log: a table that is missing.
	await execute(service.dataFolder, 'drop table agent_abilities');
	assert.equal((await service.ask('GET', '/api/personalities/get-all-personalities/')).status, 500);
	assert.equal(readFileSync(target, 'utf8'), 'mine');
	assert.match(service.told.join('\n'), /^The log \S+service\.log cannot be written: [a-z ]+\.$/m);
});

test('a folder that others may write is refused and not changed, with a database in it or not', async () => {
	for (const mode of [0o770, 0o775, 0o777, 0o1777]) {
		const dataFolder = temporaryDataFolder();
		mkdirSync(dataFolder);
		chmodSync(dataFolder, mode);
		await assert.rejects(openStore(dataFolder), {
			kind: 'usage',
			message: /is shared with other users, who can write to it/,
			nextStep: /chmod go-w /,
		});
		assert.deepEqual(readdirSync(dataFolder), []);
		chmodSync(dataFolder, 0o700);
		await (await openStore(dataFolder)).close();
		chmodSync(dataFolder, mode);
		await assert.rejects(openStore(dataFolder), {kind: 'usage', message: /is shared/});
		assert.equal(modeOf(dataFolder), (mode % 0o1000).toString(8));
	}

	// The main case.
	await assert.rejects(openStore(tmpdir()), {kind: 'usage'});
});

// Only root can give a folder away, and others have a folder that is not theirs.
test('a folder of another user is refused and not changed, even by root', async () => {
	const isRoot = process.getuid?.() === 0;
	const dataFolder = isRoot ? temporaryDataFolder() : '/usr';
	if (isRoot) {
		mkdirSync(dataFolder, {mode: 0o755});
		chownSync(dataFolder, 12_345, 12_345);
	}

	await assert.rejects(openStore(dataFolder), {
		kind: 'usage',
		message: `${dataFolder} belongs to ${isRoot ? 'another user (12345)' : 'root'}, so no keys can be kept in it.`,
		nextStep: 'For the data of a service, run the command as its user. Choose another folder.',
	});
	assert.equal(modeOf(dataFolder), '755');
});

test('a folder with other files and no database is refused and keeps its mode; beside a database nothing is in the way', async () => {
	const dataFolder = temporaryDataFolder();
	mkdirSync(dataFolder, {mode: 0o755});
	writeFileSync(path.join(dataFolder, 'thesis.tex'), '');
	await assert.rejects(openStore(dataFolder), {
		kind: 'usage',
		message: `${dataFolder} holds other files, such as “thesis.tex”, and no database of Switchboard.`,
		nextStep: 'Choose another folder.',
	});
	assert.equal(modeOf(dataFolder), '755');
	assert.deepEqual(readdirSync(dataFolder), ['thesis.tex']);

	const used = temporaryDataFolder();
	await (await openStore(used)).close();
	writeFileSync(path.join(used, 'thesis.tex'), '');
	await (await openStore(used)).close();
});

test('an empty folder, one with a log of an earlier run and a new file system are no folders of something else', async () => {
	const dataFolder = temporaryDataFolder();
	mkdirSync(dataFolder, {mode: 0o755});
	mkdirSync(path.join(dataFolder, 'lost+found'));
	writeFileSync(path.join(dataFolder, 'service.log'), '');
	await (await openStore(dataFolder)).close();
	assert.equal(modeOf(dataFolder), '700');
});

test("where the caches and the data share a folder, what lies there already is in nobody's way", {
	skip: process.platform !== 'linux',
}, async t => {
	const folder = temporaryFolder();
	setVariables(t, {XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder});
	const dataFolder = path.join(folder, 'switchboard');
	mkdirSync(path.join(dataFolder, 'compile-cache'), {recursive: true, mode: 0o700});
	const store = await openStore(dataFolder);
	await store.close();
	assert.deepEqual(readdirSync(dataFolder).toSorted(), ['compile-cache', 'switchboard.db']);
});

test('the caches below the home folder of a system user are no files of something else where that is the data folder', {
	skip: process.platform !== 'linux',
}, async t => {
	const dataFolder = temporaryFolder();
	setVariables(t, {XDG_CACHE_HOME: path.join(dataFolder, '.cache')});
	mkdirSync(path.join(dataFolder, '.cache'));
	const store = await openStore(dataFolder);
	await store.close();
	assert.deepEqual(readdirSync(dataFolder).toSorted(), ['.cache', 'switchboard.db']);
});

test('a file instead of a data folder is refused', async () => {
	const dataFolder = temporaryDataFolder();
	writeFileSync(dataFolder, 'mine');
	await assert.rejects(openStore(dataFolder), {kind: 'usage', message: `${dataFolder} is not a folder.`});
});
