import {assert, mkdirSync, path, rmSync, test, writeFileSync} from '../../helpers/node.ts';
import {startServer} from '../helpers/remote.ts';

test('what would act on the machine of the server has no key, and says that it is not available', async t => {
	const {open} = await startServer(t, {profileNames: ['home', 'other']});
	const session = open({columns: 100, rows: 30});
	await session.waitFor('live');
	assert.doesNotMatch(session.screen().at(-1)!, /profiles|suspend/);
	for (const [key, name] of [
		['P', 'P (profiles)'],
		['C', 'C (connect)'],
		['U', 'U (upload)'],
		['ctrl+z', 'Ctrl+Z (suspend)'],
	] as const) {
		session.press(key);
		await session.waitFor(`${name} is not available over SSH.`);
	}

	session.press('2');
	await session.waitFor('[2 Abilities]');
	assert.doesNotMatch(session.screen().at(-1)!, /upload/);
	session.press('escape', 'U');
	await session.waitFor('U (upload) is not available over SSH.');
});

test('the help and the palette offer nothing of that, nor another profile', async t => {
	const {open} = await startServer(t, {profileNames: ['home', 'secret-other']});
	const session = open({columns: 200, rows: 70});
	await session.waitFor('live');
	session.press('?', '?');
	const help = (await session.waitFor('In the filter')).join('\n');
	assert.doesNotMatch(help, /suspend|upload an ability|switch profiles|sign in/);
	session.press('escape', ':');
	const palette = (await session.waitFor(/\d+ of \d+/)).join('\n');
	assert.doesNotMatch(palette, /suspend|upload|profile|connect|local/);
	session.write('secret-other');
	await session.waitFor('Nothing matches.');
	session.press('ctrl+u');
	session.write('help exit\r');
	await session.waitFor('Help: exit-codes');
	session.press('escape');
	await session.waitFor('live');
	assert.doesNotMatch(session.output.text, /profile secret-other/);
});

test('a refused key is said, and nobody is asked to sign in', async t => {
	const {open} = await startServer(t, {storedKey: 'wrong-key-0123456789'});
	const session = open({columns: 100});
	const lines = await session.waitFor('Tell whoever runs this server.');
	assert.match(lines.join(' '), /The service refused the API key of the profile “home”|API key/);
	assert.doesNotMatch(session.output.text, /signs? in|login|wrong-key/i);
});

test('no message names a path of the server, whether presets cannot be read or are set aside', async t => {
	const {open, folders} = await startServer(t);
	const session = open({columns: 120});
	const file = path.join(folders.configFolder, 'presets.json');
	await session.waitFor('live');
	mkdirSync(file, {recursive: true});
	session.press('b');
	await session.waitFor('The presets cannot be read');
	session.press('escape');
	rmSync(file, {recursive: true});
	writeFileSync(file, 'nonsense');
	session.press('b');
	await session.waitFor(/no presets/i);
	session.press('escape');
	await session.waitFor('The presets file is not valid and was set aside.');
	session.press('M');
	await session.waitFor(/Messages/);
	assert.doesNotMatch(session.output.text, new RegExp(folders.configFolder));
	assert.doesNotMatch(session.output.text, /presets\.json/);
});

for (const [what, profileNames, profileName, storedKey, sentence, exitCode] of [
	['does not exist', ['home'], 'office', undefined, 'The profile “office” does not exist here.', 4],
	['is the bundled service', ['home'], 'local', undefined, 'The profile “local” cannot be used.', 2],
] as const) {
	test(`a profile that ${what} is refused before anything is drawn`, async t => {
		const {open, folders} = await startServer(t, {profileNames, ...(storedKey !== undefined && {storedKey})});
		const session = open({profileName});
		assert.equal(await session.exitCode, exitCode);
		await session.waitFor(sentence);
		assert.match(session.screen().join(' '), /Tell whoever runs this server\./);
		assert.equal(session.isAlternateScreen, false);
		assert.doesNotMatch(session.output.text, new RegExp(`${folders.configFolder}|login|home`));
	});
}
