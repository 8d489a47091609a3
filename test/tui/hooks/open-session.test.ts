import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import {test} from 'node:test';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {openSession} from '../../../source/tui/hooks/open-session.ts';
import {installedAbility} from '../helpers/held-service.ts';
import {temporaryFolders} from '../../helpers/temporary-folder.ts';

const ignore = (): void => undefined;

test('a service that is closed cuts the changes that it has not answered, and sends nothing more', async t => {
	const received = Promise.withResolvers<void>();
	let requestCount = 0;
	// It gets what is sent, and never answers.
	const server = createServer(socket => {
		socket.on('error', () => undefined);
		socket.once('data', () => {
			requestCount++;
			received.resolve();
		});
	}).listen(0, '127.0.0.1');
	t.after(() => {
		server.close();
	});
	await once(server, 'listening');
	const session = openSession({
		target: {
			kind: 'remote', profileName: 'home', baseAddress: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key-of-the-test', isInsecureHttp: false,
		},
		...temporaryFolders(),
		isReadOnly: false,
		isInsecureHttpAllowed: false,
		// Far longer than the test may take.
		timeoutMilliseconds: 3_600_000,
		refreshKey: 'r',
		report: {
			cursorKey: () => 'r', onStart: ignore, onSwitched: ignore, onFailed: ignore, onProgress: ignore, onSummary: ignore, onUndo: ignore, confirm: async () => false,
		},
	});
	const change = session.client.setEnabled(installedAbility(1, false), true);
	change.catch(() => undefined);
	await received.promise;
	await session.close();
	await assert.rejects(change, (error: unknown) => error instanceof SwitchboardError && error.kind === 'interrupted' && error.isOutcomeUnknown);
	await assert.rejects(session.client.list('installed'), (error: unknown) => error instanceof SwitchboardError && error.kind === 'interrupted');
	assert.equal(requestCount, 1);
});
