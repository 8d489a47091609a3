import {assert, type ChildProcess, fork, once, path, test, type TestContext} from '../helpers/node.ts';
import {existsSync, readdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {withFileLock} from '../../source/platform/file-lock.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const newLock = (): string => path.join(temporaryFolder(), 'config.json.lock');

async function answerOf(child: ChildProcess): Promise<string> {
	const [answer] = (await once(child, 'message')) as [string];
	return answer;
}

async function startChildren(t: TestContext, lockFile: string, count: number): Promise<readonly ChildProcess[]> {
	const children = Array.from({length: count}, () => fork(path.join(import.meta.dirname, 'lock-child.ts'), [lockFile]));
	t.after(() => {
		for (const child of children) {
			child.kill('SIGKILL');
		}
	});
	await Promise.all(children.map(async child => answerOf(child)));
	return children;
}

test('of several processes that find the lock of one long gone, only one at a time takes it', async t => {
	const lockFile = newLock();
	const children = await startChildren(t, lockFile, 3);
	for (let round = 0; round < 20; round++) {
		if (round % 2 === 0) {
			writeFileSync(lockFile, round % 4 === 0 ? '' : '12345\n');
			utimesSync(lockFile, 0, 0);
		}

		const answers = children.map(async child => answerOf(child));
		for (const child of children) {
			child.send('take');
		}

		assert.deepEqual(await Promise.all(answers), ['alone', 'alone', 'alone'], `round ${round}`);
	}

	assert.equal(existsSync(lockFile), false);
});

test('the lock of a killed process is free at once, and none is taken from a living one', async t => {
	const lockFile = newLock();
	const [holder, other] = await startChildren(t, lockFile, 2);
	holder!.send('stay');
	assert.equal(await answerOf(holder!), 'inside');
	// However old the file looks.
	utimesSync(lockFile, 0, 0);
	await assert.rejects(
		withFileLock(
			lockFile,
			() => {
				assert.fail('It came in.');
			},
			50,
		),
		/another process has held .*config\.json\.lock for too long/,
	);

	const answer = answerOf(other!);
	other!.send('take');
	holder!.kill('SIGKILL');
	assert.equal(await answer, 'alone');
});

for (const [what, target] of [
	['nothing', 'missing'],
	['a file', 'victim'],
] as const) {
	test(`a lock that is a link to ${what} is refused at once, and what it leads to stays as it is`, async () => {
		const lockFile = newLock();
		const elsewhere = temporaryFolder();
		writeFileSync(path.join(elsewhere, 'victim'), 'mine');
		symlinkSync(path.join(elsewhere, target), lockFile);
		await assert.rejects(
			withFileLock(lockFile, () => {
				assert.fail('It came in.');
			}),
			/config\.json\.lock is not a regular file; remove it/,
		);
		assert.deepEqual(readdirSync(elsewhere), ['victim']);
	});
}

test('an action that fails gives the lock back', async () => {
	const lockFile = newLock();
	await assert.rejects(
		withFileLock(lockFile, () => {
			throw new Error('failed');
		}),
		/failed/,
	);
	let isDone = false;
	await withFileLock(lockFile, () => {
		isDone = true;
	});
	assert.ok(isDone);
	assert.equal(existsSync(lockFile), false);
});
