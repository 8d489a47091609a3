import {after, assert, existsSync, path, readdirSync, statSync, test} from '../../helpers/node.ts';
import {sessionFoldersOf} from '../../../source/settings/remote-session.ts';
import {presetAccountOfProfile} from '../../../source/settings/account.ts';
import {openPresets} from '../../../source/settings/presets.ts';
import {modeOf} from '../../helpers/temporary-folder.ts';
import {cursorLine, filterLine, fingerprintOf, includes, isGoingOn, startServer, waitUntil} from '../helpers/kit.ts';

const {enter, open, folders, relay} = await startServer({after}, {profileNames: ['home', 'upstairs', 'downstairs', 'office']});

test('somebody who comes over SSH sees the screens of their profile, and leaves with q', async t => {
	const session = await enter(t);
	assert.match(session.screen()[0]!, /Switchboard {2}. home · anna /);
	assert.equal(session.isAlternateScreen, true);
	assert.equal(await session.press('q').exitCode, 0);
	await waitUntil(() => !session.isAlternateScreen);
});

test('the header names the people who look at the same account, oneself first, until they leave', async t => {
	const person = (name: string) => ({fingerprint: fingerprintOf(name), person: {name, address: '203.0.113.7'}});
	const [anna, ben] = [
		await enter(t, {...person('anna'), profileName: 'office'}),
		await enter(t, {...person('ben'), profileName: 'office'}),
	];
	await anna.waitFor(lines => / office · anna, ben {2,}/.test(lines[0]!));
	await ben.waitFor(lines => / office · ben, anna {2,}/.test(lines[0]!));
	assert.equal(await ben.press('q').exitCode, 0);
	await anna.waitFor(lines => / office · anna {2,}/.test(lines[0]!));
});

test('two sessions at once have each their own size, colours, characters and profile', async t => {
	const [wide, small] = await Promise.all([
		enter(t, {profileName: 'upstairs', columns: 120, rows: 40, env: {TERM: 'xterm-256color', LANG: 'en_GB.UTF-8'}}),
		enter(t, {
			fingerprint: fingerprintOf('downstairs'),
			profileName: 'downstairs',
			columns: 40,
			rows: 10,
			env: {TERM: 'vt100', LANG: 'C', NO_COLOR: '1'},
		}),
	]);
	const [wideLines, smallLines] = [wide.screen(), small.screen()];
	assert.match(wideLines[0]!, /upstairs/);
	assert.match(smallLines[0]!, /downstairs/);
	assert.equal(wideLines.length, 40);
	assert.ok(includes('│')(wideLines), 'The details are beside the list.');
	assert.equal(smallLines.length, 10);
	assert.equal(wide.hasColors(), true);
	assert.equal(small.hasColors(), false);
	assert.match(small.output.text, /^[\u{0}-~]*$/u);

	const before = cursorLine(small.screen());
	await wide.press('j', 'j').waitFor(lines => cursorLine(lines) !== cursorLine(wideLines));
	assert.equal(cursorLine(small.screen()), before);
	assert.equal(await wide.press('q').exitCode, 0);
	await isGoingOn(small);
});

test('two who came over SSH hear the same conversation, and who may only read says nothing', async t => {
	const [ada, bob] = [await enter(t), await enter(t, {isReadOnly: true})];
	for (const session of [ada, bob]) {
		await session.press('1', 'T').waitFor('This is Hearth.');
	}

	bob.write('xyz\r');
	ada.write('good morning\r');
	for (const session of [ada, bob]) {
		await session.waitFor('This would start morninglights');
	}

	assert.ok(includes('Read-only: you cannot talk.')(bob.screen()), bob.screen().join('\n'));
	assert.ok([...ada.screen(), ...bob.screen()].every(line => !line.includes('xyz')));
	for (const session of [ada, bob]) {
		assert.equal(await session.press('escape', 'q').exitCode, 0);
	}
});

test('a change of size is followed at once', async t => {
	const session = await enter(t);
	session.resize(100, 30);
	await session.waitFor(lines => lines.length === 30 && lines.at(-1)!.includes('quit') && lines.some(line => line.length > 80));
	session.resize(12, 3);
	await session.waitFor('Need at');
	session.resize(40, 10);
	await session.waitFor(lines => lines.some(line => /^ > (?:on|off)/.test(line)) && lines.every(line => line.length <= 40));
});

test('a terminal without cursor addressing gets lines', async t => {
	const session = open(t, {env: {TERM: 'dumb', LANG: 'C.UTF-8'}});
	await session.waitFor(/^> /m);
	assert.equal(await session.press('j', 'q').exitCode, 0);
	assert.doesNotMatch(session.output.text, /\u{1B}/u);
});

test('a key that may only read switches nothing, and the header says so', async t => {
	const reader = await enter(t, {isReadOnly: true});
	const writer = await enter(t, {fingerprint: fingerprintOf('writer')});
	const lines = reader.screen();
	assert.match(lines[0]!, /\[read-only\]/);
	const before = cursorLine(lines)!;
	assert.doesNotMatch(lines.at(-1)!, /switch/);
	await reader.press('space').waitFor('Not switched: your key is read-only.');
	assert.equal(cursorLine(reader.screen()), before);
	await writer.press('space').waitFor(shown => cursorLine(shown)!.slice(0, 6) !== before.slice(0, 6));
	// It is on the service, where the reader finds it.
	await reader.press('escape', 'r').waitFor(shown => cursorLine(shown)!.slice(3, 6) !== before.slice(3, 6));
});

test("the clipboard is that of the person's own terminal", async t => {
	const session = await enter(t);
	await session.press('y').waitFor('Copied ');
	await waitUntil(() => /\u{1B}\]52;c;[\d+/=A-Za-z]+\u{7}/u.test(session.output.text));
});

test('the screens come back where this key left them, and nowhere else', async t => {
	const first = await enter(t);
	await first
		.press('2', '/', 'i', 'enter')
		.waitFor(lines => filterLine(lines).startsWith('/i ') && cursorLine(lines)?.includes('morninglights') === true);
	// The filter may be on the screen before the list is.
	await first.press('j', 'j').waitFor(lines => filterLine(lines).startsWith('/i ') && cursorLine(lines)?.includes('goodnight') === true);
	const line = cursorLine(await first.press('j').waitFor(lines => cursorLine(lines)?.includes('shoppinglist') === true));
	assert.equal(await first.press('q').exitCode, 0);

	const lines = (await enter(t)).screen();
	assert.match(lines[1]!, /\[2 Abilities\]/);
	assert.match(filterLine(lines), /^\/i /);
	assert.equal(cursorLine(lines), line);

	const other = await enter(t, {fingerprint: fingerprintOf('elsewhere')});
	assert.match(other.screen()[1]!, /\[3 Installed\]/);
	// Nor is it the place of whoever runs the server.
	assert.equal(existsSync(path.join(folders.configFolder, 'ui-state.json')), false);
	assert.equal(existsSync(path.join(folders.cacheFolder, 'last-seen')), false);
});

test('presets are of all who use a profile, and those that a key had of its own join them', async t => {
	const [fingerprint, another] = [fingerprintOf('mine'), fingerprintOf('theirs')];
	const presetsIn = (configFolder: string) =>
		openPresets(presetAccountOfProfile({baseAddress: relay.baseAddress, profileName: 'home'}), {
			configFolder,
			note: text => assert.fail(text),
		});
	const shared = presetsIn(folders.configFolder);
	const own = presetsIn(sessionFoldersOf(fingerprint, folders).configFolder);
	await shared.save({name: 'night', on: [], off: ['pantry']}, {isReplacing: false});
	await own.save({name: 'Night', on: ['pantry'], off: []}, {isReplacing: false});
	await own.save({name: 'my day', on: ['pantry'], off: []}, {isReplacing: false});
	await enter(t, {fingerprint, isReadOnly: true});
	assert.equal((await own.list()).length, 2, 'a key that may only read moves nothing');
	const first = await enter(t, {fingerprint});
	await first.press('b').waitFor(lines => ['my day', 'night'].every(name => includes(` ${name} `)(lines)));
	assert.deepEqual(
		(await own.list()).map(({name}) => name),
		['Night'],
		'the name is taken, so it stays',
	);
	const other = await enter(t, {fingerprint: another});
	await other.press('b').waitFor('my day');
	await other.press('s').waitFor('Save the present state');
	await other.write('late\r').waitFor('Saved the preset late');
	await first.press('r').waitFor('late');
	const office = await enter(t, {fingerprint: another, profileName: 'office'});
	await office.press('b').waitFor('No presets yet.');
});

test('what is kept for a key lies in folders and files that nobody else can read', async t => {
	const session = await enter(t);
	assert.equal(await session.press('q').exitCode, 0);
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
