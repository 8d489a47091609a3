import {assert, path, process, test} from '../helpers/node.ts';
import {
	chmodSync,
	existsSync,
	lchownSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import {openSettings} from '../../source/settings/settings.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';

const work = {name: 'work', baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'};

/** Settings whose file is a link into a folder of dotfiles. */
function linkedSettings(name: string, text: string, mode: number) {
	const folder = temporaryFolder();
	const [configFolder, cacheFolder, dotfiles] = ['config', 'cache', 'dotfiles'].map(each => path.join(folder, each)) as [
		string,
		string,
		string,
	];
	mkdirSync(configFolder, {mode: 0o700});
	mkdirSync(dotfiles);
	const [file, target] = [path.join(configFolder, 'config.json'), path.join(dotfiles, name)];
	writeFileSync(target, text);
	chmodSync(target, mode);
	symlinkSync(path.join('..', 'dotfiles', name), file);
	return {folders: {configFolder, cacheFolder}, file, target};
}

for (const [name, mode] of [
	['config.json', 0o644],
	['config.json', 0o640],
	['switchboard-settings', 0o664],
	['config.json', 0o600],
] as const) {
	test(`settings that are a link to ${name} of mode ${mode.toString(8)} are read and written where it leads, which keeps its mode`, async () => {
		const {folders, file, target} = linkedSettings(name, '{"keys": {"quit": "x"}}', mode);
		const settings = await openSettings(folders);
		assert.deepEqual(settings.notices, []);
		await settings.saveProfile(work);
		assert.equal(readlinkSync(file), path.join('..', 'dotfiles', name));
		const stored = JSON.parse(readFileSync(target, 'utf8')) as {readonly keys: unknown; readonly profiles: unknown};
		assert.deepEqual(stored.keys, {quit: 'x'});
		assert.match(JSON.stringify(stored), /sk-work/);

		const next = await openSettings(folders);
		assert.deepEqual(next.profiles(), [work]);
		assert.equal(modeOf(target), mode.toString(8));
		assert.deepEqual(
			next.notices.map(notice => notice.replace(file, 'FILE').replace(file, 'FILE')),
			mode === 0o600
				? []
				: [
						'Other users of this machine may be able to read FILE, which holds API keys: it is a link, and what it leads to keeps its mode. Change that with: chmod 600 FILE',
					],
		);
	});
}

test('broken settings behind a link are left as they are: the link is set aside', async () => {
	const {folders, file, target} = linkedSettings('config.json', '{"profiles": ', 0o644);
	const settings = await openSettings(folders);
	assert.match(settings.notices.join(' '), /was set aside/);
	await settings.saveProfile(work);
	assert.deepEqual([readFileSync(target, 'utf8'), modeOf(target)], ['{"profiles": ', '644']);
	assert.ok(lstatSync(file).isFile());
});

test('a link to nothing is said, and nothing is created where it leads', async () => {
	const {folders, file} = linkedSettings('config.json', '', 0o600);

	unlinkSync(file);
	symlinkSync('../dotfiles/missing.json', file);
	const settings = await openSettings(folders);
	assert.deepEqual(settings.notices, [`${file} is a link to a file that does not exist. Nothing is stored in this run.`]);
	await settings.saveProfile(work);
	assert.deepEqual([settings.profiles(), settings.isMemoryOnly()], [[work], true]);
	assert.equal(existsSync(file), false);
});

test('a link that leads to a file of another user, or is of another user, is not used', async () => {
	const {folders, file, target} = linkedSettings('config.json', '{}', 0o644);
	if (process.getuid?.() === 0) {
		lchownSync(file, 12_345, 12_345);
	} else {
		// Only root can give files away: this one is root's.

		unlinkSync(file);
		symlinkSync('/etc/passwd', file);
	}

	const settings = await openSettings(folders);
	assert.deepEqual(settings.notices, [
		`${file} is a link, and it or the file it leads to belongs to ${process.getuid?.() === 0 ? 'another user (12345)' : 'root'}, so it is not used. Nothing is stored in this run.`,
	]);
	await settings.saveProfile(work);
	assert.deepEqual([readFileSync(target, 'utf8'), settings.isMemoryOnly()], ['{}', true]);
});
