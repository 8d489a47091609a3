import {assert, existsSync, path, readdirSync, statSync, test} from '../../helpers/node.ts';
import {sessionFoldersOf} from '../../../source/settings/remote-session.ts';
import {presetAccountOfProfile} from '../../../source/settings/account.ts';
import {openPresets} from '../../../source/settings/presets.ts';
import {openSettings} from '../../../source/settings/settings.ts';
import {modeOf} from '../../helpers/temporary-folder.ts';
import {cursorLine, filterLine, fingerprintOf, startServer} from '../helpers/kit.ts';

test('the screens come back where this key left them, and nowhere else', async t => {
	const {open, folders} = await startServer(t);
	const first = open();
	await first.waitFor('live');
	first.press('2', '/');
	first.write('i');
	first.press('enter');
	await first.waitFor(lines => filterLine(lines).startsWith('/i ') && cursorLine(lines)?.includes('morninglights') === true);
	first.press('j', 'j');
	// The filter may be on the screen before the list is.
	await first.waitFor(lines => filterLine(lines).startsWith('/i ') && cursorLine(lines)?.includes('goodnight') === true);
	first.press('j');
	const line = cursorLine(await first.waitFor(lines => cursorLine(lines)?.includes('shoppinglist') === true));
	first.press('q');
	assert.equal(await first.exitCode, 0);

	const again = open();
	const lines = await again.waitFor('live');
	assert.match(lines[1]!, /\[2 Abilities\]/);
	assert.match(filterLine(lines), /^\/i /);
	assert.equal(cursorLine(lines), line);

	const other = open({fingerprint: fingerprintOf('b')});
	assert.match((await other.waitFor('live'))[1]!, /\[3 Installed\]/);
	// Nor is it the place of whoever runs the server.
	assert.equal(existsSync(path.join(folders.configFolder, 'ui-state.json')), false);
	assert.equal(existsSync(path.join(folders.cacheFolder, 'last-seen')), false);
});

test('presets are of all who use a profile, and those that a key had of its own join them', async t => {
	const {open, folders} = await startServer(t, {profileNames: ['home', 'office']});
	const {baseAddress} = (await openSettings(folders)).profiles()[0]!;
	const presetsIn = (configFolder: string) =>
		openPresets(presetAccountOfProfile({baseAddress, profileName: 'home'}), {configFolder, note: text => assert.fail(text)});
	const shared = presetsIn(folders.configFolder);
	const own = presetsIn(sessionFoldersOf(fingerprintOf('a'), folders).configFolder);
	await shared.save({name: 'night', on: [], off: ['pantry']}, {isReplacing: false});
	await own.save({name: 'Night', on: ['pantry'], off: []}, {isReplacing: false});
	await own.save({name: 'my day', on: ['pantry'], off: []}, {isReplacing: false});
	const reader = open({isReadOnly: true});
	await reader.waitFor('live');
	assert.equal((await own.list()).length, 2, 'a key that may only read moves nothing');
	const first = open();
	await first.waitFor('live');
	first.press('b');
	await first.waitFor(lines => ['my day', 'night'].every(name => lines.some(line => line.includes(` ${name} `))));
	assert.deepEqual(
		(await own.list()).map(({name}) => name),
		['Night'],
		'the name is taken, so it stays',
	);
	const other = open({fingerprint: fingerprintOf('b')});
	await other.waitFor('live');
	other.press('b');
	await other.waitFor('my day');
	other.press('s');
	await other.waitFor('Save the present state');
	other.write('late\r');
	await other.waitFor('Saved the preset late');
	first.press('r');
	await first.waitFor('late');
	const office = open({profileName: 'office'});
	await office.waitFor('live');
	office.press('b');
	await office.waitFor('No presets yet.');
});

test('what is kept for a key lies in folders and files that nobody else can read', async t => {
	const {open, folders} = await startServer(t);
	const session = open();
	await session.waitFor('live');
	session.press('q');
	assert.equal(await session.exitCode, 0);
	const {configFolder, cacheFolder} = sessionFoldersOf(session.session.fingerprint, folders);
	for (const folder of [configFolder, cacheFolder]) {
		assert.match(path.basename(folder), /^[\da-f]{64}$/);
		assert.equal(modeOf(path.dirname(folder)), '700');
		assert.equal(modeOf(folder), '700');
		for (const name of readdirSync(folder, {recursive: true, encoding: 'utf8'})) {
			const file = path.join(folder, name);
			assert.equal(modeOf(file), statSync(file).isDirectory() ? '700' : '600', name);
		}
	}

	assert.deepEqual(readdirSync(configFolder), ['ui-state.json']);
	assert.ok(readdirSync(path.join(cacheFolder, 'last-seen')).length > 0);
});

test('a fingerprint that is not a SHA-256 gets no folder', () => {
	for (const fingerprint of ['SHA256:../../etc', 'MD5:00:11', `SHA256:${'a'.repeat(42)}/..`, '']) {
		assert.throws(() => sessionFoldersOf(fingerprint), {kind: 'unexpected'});
	}
});
