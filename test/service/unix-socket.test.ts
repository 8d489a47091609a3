import assert from 'node:assert/strict';
import {once} from 'node:events';
import {type IncomingMessage, request} from 'node:http';
import path from 'node:path';
import process from 'node:process';
import {test} from 'node:test';
import {createFindCaller} from '../../source/service/callers.ts';
import {createApp} from '../../source/service/http/app.ts';
import {lineLimits} from '../../source/service/http/line-limits.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {temporaryDataFolder} from '../helpers/temporary-folder.ts';
import {paths} from './running-service.ts';

test('the other end of a Unix socket has no address: it is served, and its wrong keys are not counted', {skip: process.platform === 'win32'}, async () => {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	await store.accounts.ensure('default');
	const app = await createApp({
		store,
		findCaller: createFindCaller(store.accounts, 'sb_unix'),
		logError(error) {
			throw error;
		},
		requestsPerMinute: 1000,
		tls: undefined,
		trustedProxies: ['10.0.0.1'],
		limits: {...lineLimits, connectionsPerAddress: 1},
		isReadOnly: false,
		isOwn: false,
	});
	const socketPath = path.join(dataFolder, 'socket');
	await app.listen({path: socketPath});
	const ask = async (key: string): Promise<number | undefined> => {
		const sent = request({
			socketPath, path: paths.agents, headers: {'x-api-key': key, 'x-forwarded-for': '192.0.2.7'}, agent: false,
		});
		sent.end();
		const [answer] = await once(sent, 'response') as [IncomingMessage];
		answer.resume();
		return answer.statusCode;
	};

	try {
		const statuses = await Promise.all(Array.from({length: 40}, async () => ask('sb_wrong')));
		assert.deepEqual(new Set(statuses), new Set([401]));
		assert.equal(await ask('sb_unix'), 200);
	} finally {
		await app.close();
		await store.close();
	}
});
