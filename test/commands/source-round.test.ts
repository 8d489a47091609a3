import {after, assert, Buffer, existsSync, path, test, type TestContext} from '../helpers/node.ts';
import {rmSync} from 'node:fs';
import {zip} from '../helpers/live-like/zips.ts';
import {codeFiles, readFolderTexts, spokenFiles, writeFolder} from './source-folders.ts';
import {isWrite, startLiveLike} from './start-live-like.ts';
import {ended, type RequestFilter, shareServedHome, temporaryFolder, writeCellar, startDocumented, runOnTerminal} from './kit.ts';

/*
`abilities push`, `pull` and `diff` against the bundled service, and against one with the documented paths alone.
*/

const served = await shareServedHome({after});

test('a daemon of background.py alone goes there and back, without phrases', async () => {
	const home = temporaryFolder();
	const folder = writeFolder(path.join(home, 'owlwatch'), {'__init__.py': '', 'background.py': 'one\n'});
	assert.equal((await served.run(['abilities', 'push', folder])).stderr, '');
	writeFolder(folder, {'background.py': 'two\n'});
	const pushed = await served.run(['abilities', 'push', folder]);
	assert.deepEqual([pushed.exitCode, pushed.stdout.split('\t').slice(1)], [0, ['owlwatch', 'updated', '2\n']]);
	const {category, trigger_words: phrases} = (await served.runJson(['abilities', 'get', 'owlwatch'])) as Readonly<Record<string, unknown>>;
	assert.deepEqual([category, phrases], ['background_daemon', []]);
	const again = path.join(home, 'again');
	await served.run(['abilities', 'pull', 'owlwatch', again]);
	assert.deepEqual(readFolderTexts(again), readFolderTexts(folder));
	await served.run(['export', '--into', path.join(home, 'all'), '--sources']);
	assert.deepEqual(readFolderTexts(path.join(home, 'all/abilities/owlwatch')), readFolderTexts(folder));
	const copy = writeFolder(path.join(home, 'nightowl'), readFolderTexts(folder));
	const refused = await served.run(['abilities', 'upload', copy, '--category', 'skill']);
	assert.match(refused.stderr, /main\.py is missing\b.* or choose the category daemon, which needs only background\.py\./s);
	assert.equal((await served.run(['abilities', 'upload', copy, '--name', 'nightowl'])).exitCode, 0);
});

test('on a terminal each folder has a sentence', async () => {
	const home = temporaryFolder();
	writeFolder(path.join(home, 'shed'), spokenFiles('one\n'));
	const say = async (...words: readonly string[]) => runOnTerminal(['abilities', ...words], {env: served.env, cwd: home});

	assert.deepEqual(await say('push', 'shed', '--dry-run'), [0, 'Would create shed.', 'Nothing was changed: this was a dry run.']);
	assert.match((await say('push', 'shed', '--yes')).join('\n'), /^0\nCreated shed \(id \d+, version 1\)\.$/);
	writeFolder(path.join(home, 'shed'), {...spokenFiles('two\n'), 'a.txt': '', 'b.txt': '', 'c.txt': ''});
	assert.deepEqual(await say('push', 'shed', '--dry-run'), [
		0,
		'Would release shed: a.txt, b.txt, c.txt and 1 more file.',
		'Nothing was changed: this was a dry run.',
	]);
	assert.deepEqual(await say('push', 'shed'), [0, 'Released version 2 of shed: a.txt, b.txt, c.txt and 1 more file.']);
	assert.deepEqual(await say('push', 'shed'), [0, 'shed is unchanged.']);
	rmSync(path.join(home, 'shed', 'a.txt'));
	assert.deepEqual(await say('pull', 'shed'), [0, 'Pulled shed into “shed”: 1 file written, 5 unchanged.']);
});

test('a service that does not show names is not sent an ability that it may have', async (t: TestContext) => {
	const {run, service, folder} = await startDocumented(t);
	writeCellar(folder);
	assert.deepEqual(
		await run(['abilities', 'push', 'cellar']),
		ended(
			4,
			'',
			[
				'The service does not show the names of all its abilities, so it is not known whether it has cellar.',
				'If it is new: switchboard abilities push cellar --create',
				'',
			].join('\n'),
		),
	);
	assert.ok(service.requests.every(({method}) => method === 'GET'));
});

test('pull, diff and push fail, and write nothing, if the download breaks off', async (t: TestContext) => {
	const {run, service, home} = await startLiveLike(t);
	const isSource: RequestFilter = ({path: place}) => place.includes('/template-file/');
	const folder = path.join(home.folder, 'lamps');
	const whole = codeFiles('print(21)\n');
	const zipped = await zip(Object.entries(whole).map(([place, content]) => ({path: place, bytes: Buffer.from(content)})));
	const commands = [
		['abilities', 'pull', 'lamps', folder],
		['abilities', 'diff', 'lamps', folder],
		['abilities', 'push', folder],
	];
	for (const words of commands) {
		service.failNext({headers: {'content-type': 'application/zip'}, body: zipped, cut: 'body', times: 5, when: isSource});
		const {exitCode, stdout, stderr} = await run(words);
		assert.deepEqual([exitCode, stdout], [5, ''], stderr);
		assert.match(stderr, /connection lost/);
		assert.deepEqual(existsSync(folder) ? readFolderTexts(folder) : undefined, words[1] === 'pull' ? undefined : whole);
		writeFolder(folder, whole);
	}

	assert.deepEqual(service.requests.filter(isWrite), []);
});
