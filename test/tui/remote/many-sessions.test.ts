import {assert, test} from '../../helpers/node.ts';
import {isGoingOn, startServer} from '../helpers/remote.ts';
import {cursorLine, fingerprintOf, waitUntil} from '../helpers/kit.ts';

test('two sessions at once have each their own size, colours, characters and profile', async t => {
	const {open} = await startServer(t, {profileNames: ['upstairs', 'downstairs']});
	const wide = open({profileName: 'upstairs', columns: 120, rows: 40, env: {TERM: 'xterm-256color', LANG: 'en_GB.UTF-8'}});
	const small = open({
		fingerprint: fingerprintOf('b'),
		profileName: 'downstairs',
		columns: 40,
		rows: 10,
		env: {TERM: 'vt100', LANG: 'C', NO_COLOR: '1'},
	});
	const [wideLines, smallLines] = await Promise.all([wide.waitFor('live'), small.waitFor('live')]);
	assert.match(wideLines[0]!, /upstairs/);
	assert.match(smallLines[0]!, /downstairs/);
	assert.equal(wideLines.length, 40);
	assert.ok(
		wideLines.some(line => line.includes('│')),
		'The details are beside the list.',
	);
	assert.equal(smallLines.length, 10);
	assert.equal(wide.hasColors(), true);
	assert.equal(small.hasColors(), false);
	assert.match(small.output.text, /^[\u{0}-~]*$/u);

	const before = cursorLine(small.screen());
	wide.press('j', 'j');
	await wide.waitFor(lines => cursorLine(lines) !== cursorLine(wideLines));
	assert.equal(cursorLine(small.screen()), before);
	wide.press('q');
	assert.equal(await wide.exitCode, 0);
	await isGoingOn(small);
});

test('a change of size is followed at once', async t => {
	const {open} = await startServer(t);
	const session = open();
	await session.waitFor('live');
	session.resize(100, 30);
	await session.waitFor(lines => lines.length === 30 && lines.at(-1)!.includes('quit') && lines.some(line => line.length > 80));
	session.resize(12, 3);
	await session.waitFor('Need at');
	session.resize(40, 10);
	await session.waitFor(lines => lines.some(line => /^ > (?:on|off)/.test(line)) && lines.every(line => line.length <= 40));
});

test('a terminal without cursor addressing gets lines', async t => {
	const {open} = await startServer(t);
	const session = open({env: {TERM: 'dumb', LANG: 'C.UTF-8'}});
	await session.waitFor(/^> /m);
	session.press('j');
	session.press('q');
	assert.equal(await session.exitCode, 0);
	assert.doesNotMatch(session.output.text, /\u{1B}/u);
});

test('a key that may only read switches nothing, and the header says so', async t => {
	const {open} = await startServer(t);
	const reader = open({isReadOnly: true});
	const writer = open({fingerprint: fingerprintOf('b')});
	const lines = await reader.waitFor('live');
	await writer.waitFor('live');
	assert.match(lines[0]!, /\[read-only\]/);
	const before = cursorLine(lines)!;
	assert.doesNotMatch(lines.at(-1)!, /switch/);
	reader.press('space');
	await reader.waitFor('Not switched: your key is read-only.');
	assert.equal(cursorLine(reader.screen()), before);
	writer.press('space');
	await writer.waitFor(shown => cursorLine(shown)!.slice(0, 6) !== before.slice(0, 6));
	// It is on the service, where the reader finds it.
	reader.press('escape', 'r');
	await reader.waitFor(shown => cursorLine(shown)!.slice(3, 6) !== before.slice(3, 6));
});

test("the clipboard is that of the person's own terminal", async t => {
	const {open} = await startServer(t);
	const session = open();
	await session.waitFor('live');
	session.press('y');
	await session.waitFor('through the terminal (OSC 52)');
	await waitUntil(() => /\u{1B}\]52;c;[\d+/=A-Za-z]+\u{7}/u.test(session.output.text));
});
