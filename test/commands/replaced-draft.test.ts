import {assert, Buffer, connect, existsSync, path, type Socket, test} from '../helpers/node.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {temporaryDataFolder} from '../helpers/temporary-folder.ts';
import {named, paths, startTestService} from '../service/running-service.ts';
import {createIsolatedHome, readFolderTexts, runCommand, startFaultRelay, writeFolder} from './kit.ts';

/** Together far more than a line holds. */
const filesOf = (letter: string): Readonly<Record<string, string>> => ({
	'__init__.py': '',
	'main.py': letter,
	...Object.fromEntries(['a.wav', 'b.wav', 'c.wav'].map(name => [name, letter.repeat(7 * 1024 * 1024)])),
});

/** Stops in the middle of the first long answer until the work is done. */
const holdingOnce = (port: number, work: () => Promise<void>) => {
	let isHeld = false;
	return (socket: Socket): void => {
		const target = connect(port, '127.0.0.1');
		let received = 0;
		target.on('error', () => {
			socket.destroy();
		});
		target.on('close', () => {
			socket.destroy();
		});
		socket.on('close', () => {
			target.destroy();
		});
		target.on('data', (chunk: Buffer) => {
			received += chunk.length;
			socket.write(chunk);
			if (isHeld || received < 1024 * 1024) {
				return;
			}

			isHeld = true;
			target.pause();
			void work().then(() => {
				target.resume();
			});
		});
		socket.pipe(target);
	};
};

test('pull, diff and push fail, and write nothing, if the draft is replaced while they download it', async t => {
	const location = temporaryDataFolder();
	await using service = await startTestService({location});
	const relay = await startFaultRelay(t, {target: service});
	const home = createIsolatedHome();
	const env = {...home.env, SWITCHBOARD_BASE_URL: relay.baseAddress, SWITCHBOARD_API_KEY: service.key};
	const id = Number(named(await service.read(paths.abilities), 'pantry')['id']);
	const store = await openStore(location);
	t.after(async () => store.close());
	const {id: accountId} = (await store.accounts.find('default'))!;
	const save = async (letter: string): Promise<void> => {
		const {releaseId} = await store.releases.readSource(accountId, id);
		const files = Object.entries(filesOf(letter)).map(([place, text]) => ({path: place, bytes: Buffer.from(text)}));
		await store.releases.save(accountId, releaseId, {isCommitted: false, commitMessage: '', createdAt: new Date(), files});
	};

	/** Runs a command; the draft is replaced in the middle of its download. */
	const run = async (words: readonly string[]) => {
		await save('1');
		let savedCount = 0;
		relay.put(
			holdingOnce(Number(new URL(service.baseAddress).port), async () => {
				await save('2');
				savedCount++;
			}),
		);
		const result = await runCommand(words, {env, cwd: home.folder});
		assert.equal(savedCount, 1);
		return result;
	};

	const folder = path.join(home.folder, 'pantry');
	const commands = [
		['abilities', 'pull', 'pantry', folder],
		['abilities', 'diff', 'pantry', folder],
		['abilities', 'push', folder, '--dry-run'],
	];
	for (const words of commands) {
		const {exitCode, stdout, stderr} = await run(words);
		assert.deepEqual([exitCode, stdout], [5, ''], stderr);
		assert.match(stderr, /connection lost/);
		assert.equal(existsSync(folder), words[1] !== 'pull');
		// The folder for the next command, and the same command while nobody replaces the draft.
		writeFolder(folder, filesOf('2'));
		assert.equal((await runCommand(words, {env, cwd: home.folder})).exitCode, 0);
		assert.deepEqual(readFolderTexts(folder), filesOf('2'));
	}
});
