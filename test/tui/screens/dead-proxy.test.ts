import {assert, process, test, type TestContext} from '../../helpers/node.ts';
import {openLastSeen} from '../../../source/settings/last-seen.ts';
import {closedAddress} from '../../client/raw-server.ts';
import {cursorLine, includes, openApp, renderApp, says, temporaryFolders, wide} from '../helpers/kit.ts';

/** A name that no one can have (RFC 2606), in plain http, which is allowed here. */
const service = {baseAddress: ['http', 'voice.invalid'].join('://'), apiKey: 'a-key-0123456789'};

// A process takes its proxy once, from its environment: the tests of this file share one.
process.env['HTTP_PROXY'] = await closedAddress();
process.env['http_proxy'] = process.env['HTTP_PROXY'];

const {host} = new URL(process.env['HTTP_PROXY']);

test('a proxy that is not there is named in place of the list, and what to check', async (t: TestContext) => {
	const app = await openApp(t, {service, isInsecureHttpAllowed: true, isInsecureHttp: true, size: wide, until: '! proxy unreachable'});
	await app.says('r tries again. Check http_proxy, or name the host in NO_PROXY.');
	assert.ok(app.ui.requests.getEntries().every(({reason}) => reason === `proxy ${host}: connection refused (ECONNREFUSED)`));
});

test('it is named beside a list of before as well, which stays', async (t: TestContext) => {
	const folders = temporaryFolders();
	openLastSeen({...service, cacheFolder: folders.cacheFolder}).save('installed', {
		records: [{id: 301, name: 'lamps', enabled: true}],
		fetchedAt: Date.now() - 1000,
	});
	const app = await renderApp(t, {service, folders, isInsecureHttpAllowed: true, isInsecureHttp: true, size: wide});
	const lines = await app.says('could not be reached: connection refused. r tries again. Check http_proxy, or name the host in NO_PROXY.');
	assert.ok(says('! Could not refresh the installed abilities. The proxy 127.0.0.1:00000 could not be reached')(lines), lines.join('\n'));
	assert.ok(includes('! proxy unreachable, as of')(lines), lines.join('\n'));
	assert.match(cursorLine(lines)!, /on {3}lamps/);
});
