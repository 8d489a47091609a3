import {after, assert, mkdirSync, path, readFileSync, rmSync, test, writeFileSync} from '../../helpers/node.ts';
import {startServer} from '../helpers/kit.ts';

const {enter, open, folders} = await startServer({after}, {profileNames: ['home', 'secret-other']});

test('what would act on the machine of the server has no key, and says that it is not available', async t => {
	const session = await enter(t, {columns: 100, rows: 30});
	assert.doesNotMatch(session.screen().at(-1)!, /profiles|suspend/);
	for (const [key, text] of [
		['P', 'Over SSH you have one profile: home.'],
		['U', 'U (upload) is not available over SSH.'],
		['C', 'Over SSH you have one profile: home.'],
		['ctrl+z', 'Ctrl+Z (suspend) is not available over SSH.'],
	] as const) {
		await session.press(key).waitFor(text);
	}

	await session.press('2').waitFor('[2 Abilities]');
	assert.doesNotMatch(session.screen().at(-1)!, /upload/);
	await session.press('escape', 'U').waitFor('U (upload) is not available over SSH.');
});

test('the help and the palette offer nothing of that, nor another profile', async t => {
	const session = await enter(t, {columns: 200, rows: 70});
	const help = (await session.press('?', '?').waitFor('In the filter')).join('\n');
	assert.doesNotMatch(help, /suspend|upload an ability|switch profiles|sign in/);
	const palette = (await session.press('escape', ':').waitFor(/ :_ {3}\d+ of \d+/)).join('\n');
	assert.doesNotMatch(palette, /suspend|upload|profile|connect|local/);
	await session.write('secret-other').waitFor('Nothing matches.');
	await session.press('ctrl+u').write('help exit\r').waitFor('Help: exit-codes');
	await session.press('escape').waitFor('live');
	assert.doesNotMatch(session.output.text, /profile secret-other/);
});

test("the keys in the server's file count for everybody, but not for what is not available", async t => {
	const server = await startServer(t);
	const file = path.join(server.folders.configFolder, 'config.json');
	const settings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
	writeFileSync(file, JSON.stringify({...settings, keys: {'/is:off': 'f7', ':help exit': 'f8', upload: 'f9', toglle: 't'}}));
	const session = await server.enter(t, {columns: 100});
	await session.press('f7').waitFor('/is:off');
	await session.press('f9').waitFor('F9 (upload) is not available over SSH.');
	await session.press('f8').waitFor('Help: exit-codes');
	assert.doesNotMatch(session.output.text, /toglle|config\.json/);
});

test('a refused key is said, and nobody is asked to sign in', async t => {
	const server = await startServer(t, {storedKey: 'wrong-key-0123456789'});
	const session = server.open(t, {columns: 100});
	const lines = await session.waitFor('Tell the administrator of this server.');
	assert.match(lines.join(' '), /The service refused the API key of the profile “home”|API key/);
	assert.doesNotMatch(session.output.text, /signs? in|login|wrong-key/i);
});

test('no message names a path of the server, whether presets cannot be read or are set aside', async t => {
	const session = await enter(t, {columns: 120});
	const file = path.join(folders.configFolder, 'presets.json');
	mkdirSync(file, {recursive: true});
	await session.press('b').waitFor('The presets cannot be read');
	session.press('escape');
	rmSync(file, {recursive: true});
	writeFileSync(file, 'nonsense');
	await session.press('b').waitFor(/no presets/i);
	await session.press('escape').waitFor('The presets file is not valid and was set aside.');
	await session.press('M').waitFor(/Messages/);
	assert.doesNotMatch(session.output.text, new RegExp(folders.configFolder));
	assert.doesNotMatch(session.output.text, /presets\.json/);
});

for (const [what, profileName, sentence, exitCode] of [
	['does not exist', 'office', 'The profile “office” does not exist here.', 4],
	['is the bundled service', 'local', 'The profile “local” cannot be used.', 2],
] as const) {
	test(`a profile that ${what} is refused before anything is drawn`, async t => {
		const session = open(t, {profileName});
		assert.equal(await session.exitCode, exitCode);
		await session.waitFor(sentence);
		assert.match(session.screen().join(' '), /Tell the administrator of this server\./);
		assert.equal(session.isAlternateScreen, false);
		assert.doesNotMatch(session.output.text, new RegExp(`${folders.configFolder}|login|home`));
	});
}
