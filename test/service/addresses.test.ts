import {assert, test} from '../helpers/node.ts';
import {formatBaseAddress} from '../../source/service/http/listen.ts';
import {startService} from '../../source/service/service.ts';
import {startTestService, temporaryDataFolder} from './kit.ts';

test('the service listens on this machine only by default', async () => {
	await using service = await startTestService();
	assert.match(service.baseAddress, /^http:\/\/127\.0\.0\.1:\d+$/);
});

test('an IPv6 address is printed in brackets', () => {
	assert.equal(formatBaseAddress('http', '::1', 8787), 'http://[::1]:8787');
	assert.equal(formatBaseAddress('https', 'localhost', 443), 'https://localhost:443');
});

test('a used port or a foreign host is reported with what to do, and does not lock the folder', async () => {
	await using service = await startTestService();
	const dataFolder = temporaryDataFolder();
	const port = Number(new URL(service.baseAddress).port);
	await assert.rejects(startService({location: dataFolder, port}), {
		kind: 'usage',
		field: 'port',
		message: `Another program already listens on port ${port} of 127.0.0.1.`,
	});
	await assert.rejects(startService({location: dataFolder, host: '203.0.113.1'}), {kind: 'usage', field: 'host'});
	await assert.rejects(startService({location: dataFolder, tls: {cert: 'no certificate', key: 'no key'}}), {kind: 'usage', field: 'tls'});
	const working = await startService({location: dataFolder});
	await working.close();
});
