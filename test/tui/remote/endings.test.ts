import {after, assert, path, process, rmSync, symlinkSync, test} from '../../helpers/node.ts';
import {AsyncLocalStorage} from 'node:async_hooks';
import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {ClientRequest} from 'node:http';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {apiKeyHeader, bodyKeyFolder} from '../../../source/interface/endpoints.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {openSettings} from '../../../source/settings/settings.ts';
import {resolveTarget} from '../../../source/settings/target.ts';
import {openUiState} from '../../../source/settings/ui-state.ts';
import {createKeymap, type Keymap} from '../../../source/words/keymap.ts';
import {runUi} from '../../../source/tui/run-ui.tsx';
import {detectCapabilities} from '../../../source/terminal/capabilities.ts';
import {createTerminalClipboard} from '../../../source/terminal/clipboard.ts';
import {createRemoteHost} from '../../../source/terminal/terminal-host.ts';
import {RemoteTerminal} from '../../helpers/remote-terminal.ts';
import {cursorLine, fingerprintOf, isGoingOn, type OpenSession, startServer, waitUntil} from '../helpers/kit.ts';

const {enter, open, folders, relay} = await startServer({after});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const listenerCounts = (): Readonly<Record<string, number>> =>
	Object.fromEntries(process.eventNames().map(name => [String(name), process.listenerCount(name)]));

const timerCount = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout' || name === 'Immediate').length;

/** Opens six sessions at once and ends them in as many ways as there are; keeps nothing of them. */
async function openSix(): Promise<void> {
	const sessions = Array.from({length: 6}, (_, index) =>
		open({fullName: 'leftovers', after: () => undefined}, {fingerprint: fingerprintOf(String(index))}),
	);
	await Promise.all(sessions.map(async session => session.waitFor('live')));
	for (const [index, session] of sessions.entries()) {
		session.press('j', 'space', '?');
		if (index % 3 === 0) {
			session.cut();
		} else if (index % 3 === 1) {
			session.end(new SwitchboardError('terminated', 'The server is being stopped.'));
		} else {
			session.press('ctrl+c');
		}
	}

	const codes = await Promise.all(sessions.map(async session => session.exitCode));
	assert.deepEqual(codes, [129, 143, 0, 129, 143, 0]);
}

test('many sessions leave nothing behind: no listener of the process, no timer, no memory', async () => {
	const before = listenerCounts();
	await openSix();
	collect();
	const {heapUsed} = process.memoryUsage();
	const timers = timerCount();
	await openSix();
	await openSix();

	assert.deepEqual(listenerCounts(), before);
	// Messages disappear by timers that hold nothing up.
	await waitUntil(() => timerCount() <= timers);
	await waitUntil(() => {
		collect();
		return process.memoryUsage().heapUsed - heapUsed < 12 * 250_000;
	});
});

test('a session listens to no signal, and changes nothing of the process', async t => {
	const before = listenerCounts();
	const {write} = process.stderr;
	const {exitCode, env} = process;
	const envBefore = {...env};
	const session = await enter(t);
	assert.deepEqual(listenerCounts(), before);
	assert.equal(process.stderr.write, write);
	assert.equal(await session.press('q').exitCode, 0);
	assert.deepEqual(listenerCounts(), before);
	assert.equal(process.exitCode, exitCode);
	assert.deepEqual({...process.env}, envBefore);
});

function assertGivenBack({isAlternateScreen, output: {text}}: OpenSession): void {
	assert.equal(isAlternateScreen, false);
	assert.ok(text.lastIndexOf('\u{1B}[?2004l') > text.lastIndexOf('\u{1B}[?2004h'));
	assert.ok(text.lastIndexOf('\u{1B}[?25h') > text.lastIndexOf('\u{1B}[?25l'));
}

test('a session that has to end gives the terminal back and says why', async t => {
	const session = await enter(t);
	session.end(new SwitchboardError('forbidden', 'The server is being stopped.', {nextStep: 'Come back later.'}));
	assert.equal(await session.exitCode, 3);
	// What it says comes in several pieces, and this one last.
	const said = await session.waitFor('Come back later.');
	assert.ok(said.join('\n').includes('The server is being stopped.'));
	assertGivenBack(session);
});

test('a session that has to end while it is opened says so as well', async t => {
	const session = open(t);
	session.end(new SwitchboardError('terminated', 'The server is being stopped.'));
	assert.equal(await session.exitCode, 143);
	await session.waitFor('The server is being stopped.');
	assert.doesNotMatch(session.output.text, /\u{1B}\[\?1049h/u);
});

test('a line that is cut ends its session alone', async t => {
	const [lost, other] = await Promise.all([enter(t), enter(t)]);
	lost.cut();
	assert.equal(await lost.exitCode, 129);
	await isGoingOn(other);
});

test('the end of what is typed is a hangup, and gives the terminal back', async t => {
	const session = await enter(t);
	session.session.streams.stdin.push(null);
	assert.equal(await session.exitCode, 129);
	await session.waitFor('The session has ended.');
	assertGivenBack(session);
});

test('a session whose line is dead ends as soon as it has to', async t => {
	const session = await enter(t);
	session.stall();
	session.press('j', 'j');
	session.end(new SwitchboardError('terminated', 'The server is being stopped.'));
	assert.equal(await session.exitCode, 143);
});

test('a stalled line costs a bounded number of bytes, and gets the newest frame when it reads again', async t => {
	const session = await enter(t, {rows: 30});
	const names = session
		.screen()
		.filter(line => /^ [ >] (?:on|off)/.test(line))
		.map(line => line.slice(3));
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
	const session = await enter(t);
	// It gets what is sent, and never answers.
	let connectionCount = 0;
	t.after(() => relay.put());
	relay.put(socket => {
		connectionCount++;
		socket.resume();
	});
	// The connections before it are known to be cut once there is another one.
	await waitUntil(() => connectionCount > 0);
	await session.press('space').waitFor(lines => cursorLine(lines)?.startsWith(' > off') === true);
	session.end(new SwitchboardError('terminated', 'The server is being stopped.'));
	assert.equal(await session.exitCode, 143);
	await session.waitFor(/It is not known whether .+ is (?:on|off) now/);
});

test('settings that cannot be read end a session, which does not learn where they are', async t => {
	const server = await startServer(t);
	const file = path.join(server.folders.configFolder, 'config.json');
	rmSync(file);
	symlinkSync('config.json', file);
	const session = server.open(t);
	assert.equal(await session.exitCode, 1);
	await session.waitFor('The profile “home” cannot be used. Tell the administrator of this server.');
	assert.doesNotMatch(session.output.text, /config|link/);
});

for (const [what, breakSession] of [
	[
		'a terminal that cannot be written',
		(session: OpenSession): void => {
			const {output} = session;
			const write = output.write.bind(output) as (...words: readonly unknown[]) => boolean;
			let isBroken = true;
			output.write = (...words: readonly unknown[]): boolean => {
				if (isBroken) {
					isBroken = false;
					throw new TypeError('broken in /root');
				}

				return write(...words);
			};

			session.press('j');
		},
	],
	[
		'input that cannot be read as keys',
		({session}: OpenSession): void => {
			session.streams.stdin.emit('data', 5);
		},
	],
	[
		'a terminal that has no size',
		({output}: OpenSession): void => {
			// From here on the size is read a little later.
			output.emit('resize');
			Object.defineProperty(output, 'columns', {
				get() {
					throw new RangeError('no columns');
				},
			});
			output.emit('resize');
		},
	],
] as const) {
	test(`${what} ends its own session, with a sentence`, async t => {
		const [broken, other] = await Promise.all([enter(t), enter(t)]);
		breakSession(broken);
		assert.equal(await broken.exitCode, 1);
		await broken.waitFor('An unexpected error has ended this session.');
		assert.doesNotMatch(broken.output.text, /TypeError|RangeError|broken|\/root/);
		await isGoingOn(other);
	});
}

/** Runs the screens with a key table that is broken from some moment on. */
async function openWithKeymap(keymap: Keymap) {
	const terminal = new RemoteTerminal();
	const {streams, env} = terminal.session;
	const errors: unknown[] = [];
	const settings = await openSettings(folders);
	const exitCode = runUi({
		loadTopics: async () => [],
		...folders,
		host: createRemoteHost(terminal.session),
		...streams,
		capabilities: detectCapabilities(env),
		isRemote: true,
		target: resolveTarget({settings, env: {}, profile: 'home', isInsecureHttpAllowed: false, isForUi: true}),
		storedProfiles: settings,
		isReadOnly: false,
		isInsecureHttpAllowed: false,
		findEditor: () => undefined,
		keymap,
		uiState: openUiState(folders),
		clipboard: createTerminalClipboard(() => undefined),
		notices: [],
		print: () => undefined,
		explainEnd({error}) {
			errors.push(error);
			return undefined;
		},
		closingMilliseconds: 400,
	});
	return {terminal, exitCode, errors};
}

for (const [what, method, key] of [
	['while a screen is drawn', 'keysOf', 's'],
	['while a key is handled', 'actionOf', 'j'],
] as const) {
	test(`an error ${what} ends its own session and gives the terminal back`, async t => {
		const other = await enter(t);
		const error = new TypeError('broken');
		const keymap = createKeymap();
		let isBroken = false;
		const {terminal, exitCode, errors} = await openWithKeymap({
			...keymap,
			[method](...words: readonly [never, never]) {
				if (isBroken) {
					throw error;
				}

				return keymap[method](...words);
			},
		});
		await terminal.waitFor('live');
		isBroken = true;
		terminal.press(key);
		assert.equal(await exitCode, 1);
		assert.deepEqual(errors, [error]);
		// The frame before may still be on its way.
		await waitUntil(() => terminal.output.text.includes('\u{1B}[?1049l'));
		await isGoingOn(other);
	});
}

test('a service that fails in every way leaves the session open, and says so', async t => {
	const session = await enter(t);
	relay.put(socket => {
		socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\nnot json!');
	});
	await session.press('r').waitFor('! ');
	relay.put();
	await session.press('r').waitFor('live');
});

test('what a session does belongs to it, whatever brings its keys and draws its screens', async t => {
	const names = Array.from({length: 5}, (_, index) => `person-${index}`);
	const settings = await openSettings(folders);
	const keys = await openApiKeys(folders.dataFolder);
	const nameByKey = new Map<string, string>();
	for (const name of names) {
		const {key} = await keys.create({name});
		nameByKey.set(key, name);
		await settings.saveProfile({name, baseAddress: relay.baseAddress, apiKey: key});
	}

	await keys.close();

	const scope = new AsyncLocalStorage<string>();
	const requests: Array<{readonly key: string; readonly scope: string | undefined}> = [];
	const onRequest = (message: unknown): void => {
		const {request} = message as {readonly request: ClientRequest};
		// The question whether the service wants to know the person has the key in its body.
		if (!request.path.startsWith(bodyKeyFolder)) {
			requests.push({key: String(request.getHeader(apiKeyHeader)), scope: scope.getStore()});
		}
	};

	subscribe('http.client.request.start', onRequest);
	t.after(() => {
		unsubscribe('http.client.request.start', onRequest);
	});
	const sessions = names.map((profileName, index) =>
		scope.run(profileName, () => open(t, {profileName, fingerprint: fingerprintOf(String(index))})),
	);
	await Promise.all(sessions.map(async session => session.waitFor('live')));
	for (const tab of ['[1 Agents]', '[2 Abilities]']) {
		for (const session of sessions) {
			session.press(tab[1]!, 'r');
		}

		await Promise.all(sessions.map(async session => session.waitFor(tab)));
	}

	await waitUntil(() => names.every(name => requests.filter(({key}) => nameByKey.get(key) === name).length > 2));
	assert.deepEqual(
		requests.filter(({key, scope: name}) => nameByKey.get(key) !== name),
		[],
	);
});
