import {assert, test} from '../../helpers/node.ts';
import {AsyncLocalStorage} from 'node:async_hooks';
import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {ClientRequest} from 'node:http';
import {apiKeyHeader, bodyKeyFolder} from '../../../source/interface/endpoints.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {openSettings} from '../../../source/settings/settings.ts';
import {resolveTarget} from '../../../source/settings/target.ts';
import {openUiState} from '../../../source/settings/ui-state.ts';
import {createKeymap, type Keymap} from '../../../source/tui/keys/keymap.ts';
import {runUi} from '../../../source/tui/run-ui.tsx';
import {detectCapabilities} from '../../../source/tui/terminal/capabilities.ts';
import {createTerminalClipboard} from '../../../source/tui/terminal/clipboard.ts';
import {createRemoteHost} from '../../../source/tui/terminal/terminal-host.ts';
import {isGoingOn, startServer, type OpenSession, type Server} from '../helpers/remote.ts';
import {waitUntil} from '../../helpers/wait-until.ts';
import {fingerprintOf, RemoteTerminal} from '../../helpers/remote-terminal.ts';

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
		const {open} = await startServer(t);
		const [broken, other] = [open(), open()];
		await Promise.all([broken.waitFor('live'), other.waitFor('live')]);
		breakSession(broken);
		assert.equal(await broken.exitCode, 1);
		await broken.waitFor('An unexpected error has ended this session.');
		assert.doesNotMatch(broken.output.text, /TypeError|RangeError|broken|\/root/);
		await isGoingOn(other);
	});
}

/** Runs the screens with a key table that is broken from some moment on. */
const openWithKeymap = async (
	{folders}: Server,
	keymap: Keymap,
): Promise<{readonly terminal: RemoteTerminal; readonly exitCode: Promise<number>; readonly errors: readonly unknown[]}> => {
	const terminal = new RemoteTerminal();
	const {
		streams: {stdin, stdout},
		env,
	} = terminal.session;
	const errors: unknown[] = [];
	const settings = await openSettings(folders);
	const exitCode = runUi({
		loadTopics: async () => [],
		...folders,
		host: createRemoteHost(terminal.session),
		stdin,
		stdout,
		capabilities: detectCapabilities(env),
		isRemote: true,
		target: resolveTarget({settings, env: {}, profile: 'home', isInsecureHttpAllowed: false, isForUi: true}),
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
};

for (const [what, method, key] of [
	['while a screen is drawn', 'keysOf', 's'],
	['while a key is handled', 'actionOf', 'j'],
] as const) {
	test(`an error ${what} ends its own session and gives the terminal back`, async t => {
		const server = await startServer(t);
		const other = server.open();
		await other.waitFor('live');
		const error = new TypeError('broken');
		const keymap = createKeymap();
		let isBroken = false;
		const {terminal, exitCode, errors} = await openWithKeymap(server, {
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
		assert.match(terminal.output.text, /\u{1B}\[\?1049l/u);
		await isGoingOn(other);
	});
}

test('a service that fails in every way leaves the session open, and says so', async t => {
	const {open, relay} = await startServer(t);
	const session = open();
	await session.waitFor('live');
	relay.put(socket => {
		socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\nnot json!');
	});
	session.press('r');
	await session.waitFor('! ');
	relay.put();
	session.press('r');
	await session.waitFor('live');
});

test('what a session does belongs to it, whatever brings its keys and draws its screens', async t => {
	const {open, folders, relay} = await startServer(t);
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
		scope.run(profileName, () => open({profileName, fingerprint: fingerprintOf(String(index))})),
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
