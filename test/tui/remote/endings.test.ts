import {assert, path, rmSync, symlinkSync, test} from '../../helpers/node.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {isGoingOn, startServer, type OpenSession} from '../helpers/remote.ts';
import {cursorLine, waitUntil} from '../helpers/kit.ts';

const assertGivenBack = ({isAlternateScreen, output: {text}}: OpenSession): void => {
	assert.equal(isAlternateScreen, false);
	assert.ok(text.lastIndexOf('\u{1B}[?2004l') > text.lastIndexOf('\u{1B}[?2004h'));
	assert.ok(text.lastIndexOf('\u{1B}[?25h') > text.lastIndexOf('\u{1B}[?25l'));
};

for (const [kind, exitCode] of [
	['terminated', 143],
	['interrupted', 130],
	['forbidden', 3],
	['unexpected', 1],
] as const) {
	test(`a session that has to end (${kind}) gives the terminal back and says why`, async t => {
		const {open} = await startServer(t);
		const session = open();
		await session.waitFor('live');
		session.end(new SwitchboardError(kind, 'The server is being stopped.', {nextStep: 'Come back later.'}));
		assert.equal(await session.exitCode, exitCode);
		// What it says comes in several pieces, and this one last.
		const said = await session.waitFor('Come back later.');
		assert.ok(said.join('\n').includes('The server is being stopped.'));
		assertGivenBack(session);
	});
}

test('a session that has to end while it is opened says so as well', async t => {
	const {open} = await startServer(t);
	const session = open();
	session.end(new SwitchboardError('terminated', 'The server is being stopped.'));
	assert.equal(await session.exitCode, 143);
	await session.waitFor('The server is being stopped.');
	assert.doesNotMatch(session.output.text, /\u{1B}\[\?1049h/u);
});

test('a line that is cut ends its session alone', async t => {
	const {open} = await startServer(t);
	const [lost, other] = [open(), open()];
	await Promise.all([lost.waitFor('live'), other.waitFor('live')]);
	lost.cut();
	assert.equal(await lost.exitCode, 129);
	await isGoingOn(other);
});

test('the end of what is typed is a hangup, and gives the terminal back', async t => {
	const {open} = await startServer(t);
	const session = open();
	await session.waitFor('live');
	session.session.streams.stdin.push(null);
	assert.equal(await session.exitCode, 129);
	await session.waitFor('The session has ended.');
	assertGivenBack(session);
});

test('a session whose line is dead ends as soon as it has to', async t => {
	const {open} = await startServer(t);
	const session = open();
	await session.waitFor('live');
	session.stall();
	session.press('j', 'j');
	session.end(new SwitchboardError('terminated', 'The server is being stopped.'));
	assert.equal(await session.exitCode, 143);
});

test('a stalled line costs a bounded number of bytes, and gets the newest frame when it reads again', async t => {
	const {open} = await startServer(t);
	const session = open({rows: 30});
	const names = (await session.waitFor('live')).filter(line => /^ [ >] (?:on|off)/.test(line)).map(line => line.slice(3));
	session.stall();
	const before = session.output.text.length;
	for (let count = 0; count < 100; count++) {
		session.press('G', 'g', '2', '3', 'ctrl+l');
	}

	session.press('g', 'j', 'j', 'j');
	await waitUntil(() => session.queuedBytes > 0);
	// Every key was handled, and one frame is under way.
	assert.ok(session.output.text.length + session.queuedBytes - before < 20_000, `${session.output.text.length - before} bytes`);
	session.unstall();
	await session.waitFor(lines => cursorLine(lines)?.slice(3) === names[3]);
});

test('a change whose outcome is not known is named at the end', async t => {
	const {open, relay} = await startServer(t);
	const session = open();
	await session.waitFor('live');
	// It gets what is sent, and never answers.
	let connectionCount = 0;
	relay.put(socket => {
		connectionCount++;
		socket.resume();
	});
	// The connections before it are known to be cut once there is another one.
	await waitUntil(() => connectionCount > 0);
	session.press('space');
	await session.waitFor(lines => cursorLine(lines)?.startsWith(' > off') === true);
	session.end(new SwitchboardError('terminated', 'The server is being stopped.'));
	assert.equal(await session.exitCode, 143);
	await session.waitFor(/It is not known whether .+ is (?:on|off) now/);
});

test('settings that cannot be read end a session, which does not learn where they are', async t => {
	const {open, folders} = await startServer(t);
	const file = path.join(folders.configFolder, 'config.json');
	rmSync(file);
	symlinkSync('config.json', file);
	const session = open();
	assert.equal(await session.exitCode, 1);
	await session.waitFor('The profile “home” cannot be used. Tell whoever runs this server.');
	assert.doesNotMatch(session.output.text, /config|link/);
});
