import {assert, readFileSync, test} from '../helpers/node.ts';
import {closedAddress} from '../client/raw-server.ts';
import {createIsolatedHome, runCommand} from './kit.ts';

test('the debug log has the host, and the reason where no answer came', async () => {
	const home = createIsolatedHome();
	const address = await closedAddress();
	const {exitCode, stderr} = await runCommand(['installed', '--debug'], {
		env: {...home.env, SWITCHBOARD_BASE_URL: address, SWITCHBOARD_API_KEY: 'a-key-0123456789'},
	});
	assert.equal(exitCode, 5);
	assert.match(stderr, new RegExp(`${address} could not be reached: connection refused`));
	const log = readFileSync(/^Request log: (?<file>.+)$/m.exec(stderr)!.groups!['file']!, 'utf8');
	const lines = log
		.trimEnd()
		.split('\n')
		.map(line =>
			line
				.replace(/^\S+Z /, '')
				.replace(/\d+ ms/, '5 ms')
				.replace(address, 'ORIGIN'),
		);
	assert.deepEqual(
		lines,
		Array.from(
			{length: 3},
			() => 'GET ORIGIN/api/capabilities/get-installed-capabilities/ no answer 5 ms: connection refused (ECONNREFUSED)',
		),
	);
	assert.doesNotMatch(log, /a-key/);
});
