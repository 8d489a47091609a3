import {addTo, assert, path, process, test, type TestContext} from '../helpers/node.ts';
import {chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {openKeyRing} from '../../source/ssh/key-ring.ts';
import {readOwnedFile} from '../../source/platform/owned-file.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {makeKey} from './ssh-client.ts';

const read = (file: string): string => readOwnedFile(file, {forbiddenMode: 0o022, maximumBytes: 1000});

const mine = process.getuid?.() ?? 0;

/** Only root can give something away; for others, what is theirs belongs to another user if they are taken for a third one. */
function giveAway(t: TestContext, target: string, change = chownSync): void {
	if (mine === 0) {
		change(target, 12_345, 12_345);
	} else {
		t.mock.method(process as {getuid: () => number}, 'getuid', () => 12_345);
	}
}

function takeBack(t: TestContext, target: string, change = chownSync): void {
	t.mock.restoreAll();
	change(target, mine, process.getgid?.() ?? 0);
}

/** A file three folders deep, and a path to it over a link to a folder. */
function makeFiles(): {readonly top: string; readonly file: string; readonly linked: string; readonly link: string} {
	const folder = temporaryFolder();
	const top = path.join(folder, 'top');
	const link = path.join(folder, 'link');
	mkdirSync(path.join(top, 'middle', 'nearest'), {recursive: true, mode: 0o755});
	symlinkSync(path.join(top, 'middle'), link);
	const file = path.join(top, 'middle', 'nearest', 'keys');
	writeFileSync(file, 'keys', {mode: 0o600});
	return {top, file, link, linked: path.join(link, 'nearest', 'keys')};
}

test('a file that only its owner may write, in folders of its owner and of root, is read', () => {
	const {file, linked} = makeFiles();
	assert.deepEqual([read(file), read(linked)], ['keys', 'keys']);
	for (const mode of [0o620, 0o602]) {
		chmodSync(file, mode);
		assert.throws(() => read(file), /others may write it; run: chmod go-w /);
	}
});

for (const name of ['top', 'top/middle', 'top/middle/nearest']) {
	test(`a file is not read if another user owns its folder ${name}, however it is named`, t => {
		const {top, file, linked} = makeFiles();
		const folder = path.join(path.dirname(top), name);
		for (const each of [file, linked]) {
			giveAway(t, folder);
			assert.throws(() => read(each), /belongs to another user/);
			takeBack(t, folder);
			assert.equal(read(each), 'keys');
			for (const mode of [0o775, 0o757]) {
				chmodSync(folder, mode);
				assert.throws(() => read(each), /others may write in .*; run: chmod go-w /);
			}

			chmodSync(folder, 0o755);
		}
	});
}

test('a file is not read by a link of another user, in a folder or in place of the file', t => {
	const {file, link, linked} = makeFiles();
	giveAway(t, link, lchownSync);
	assert.throws(() => read(linked), /belongs to another user/);
	takeBack(t, link, lchownSync);
	const fileLink = path.join(temporaryFolder(), 'keys');
	symlinkSync(file, fileLink);
	assert.equal(read(fileLink), 'keys');
	giveAway(t, fileLink, lchownSync);
	assert.throws(() => read(fileLink), /belongs to another user/);
	takeBack(t, fileLink, lchownSync);
});

test('keys count no more once others may write in a folder far above, and count again when that is put right', () => {
	const {top, file, linked} = makeFiles();
	writeFileSync(file, `${makeKey(temporaryFolder(), 'ada').line}\n`);
	const problems: string[] = [];
	const keyRing = openKeyRing({file: linked, report: addTo(problems)});
	const profilesNow = (): readonly string[] => {
		assert.equal(keyRing.find(new Uint8Array(), '127.0.0.1'), undefined);
		return keyRing.profileNames();
	};

	assert.deepEqual(profilesNow(), ['default']);
	chmodSync(top, 0o777);
	assert.deepEqual(profilesNow(), []);
	chmodSync(top, 0o755);
	assert.deepEqual(profilesNow(), ['default']);
	assert.deepEqual(problems, [`${linked}: nobody is let in: others may write in ${top}, which it lies in; run: chmod go-w ${top}`]);
});
