import {assert, test, type TestContext} from '../../helpers/node.ts';
import {openApp} from '../helpers/open-home.ts';
import {isFresh, says, startHome, storedNames, wide} from '../helpers/kit.ts';

/*
The screens with a key that the service refuses for some operations, and with the session token that stands in for it.
*/

const sessionToken = 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl';

const refusal = 'The service refused the API key in OPENHOME_API_KEY. Authentication credentials were not provided.';

async function start(t: TestContext, token?: string) {
	const service = await startHome(t, {keys: {isHalf: true, sessionToken}});
	const app = await openApp(t, {service, size: wide, keyVariable: 'OPENHOME_API_KEY', ...(token !== undefined && {sessionToken: token})});
	return {service, app};
}

test('one list that refuses the key names the dashboard session, and the other two work on', async (t: TestContext) => {
	const {app} = await start(t);
	const lines = await app.press('2').shows('! key refused');
	assert.ok(
		says(
			`${refusal} It accepts the key elsewhere, so this probably needs a session token of the dashboard. r tries again. See OPENHOME_JWT in: switchboard help environment`,
		)(lines),
		lines.join('\n'),
	);
	await app.press('1').shows(lines_ => isFresh(lines_) && lines_.some(line => line.includes('> Hearth')));
	await app.press('3').shows('> on   lamps');
	await app.press('space').shows('> off  lamps');
	// The key is not one to replace.
	await app.press('C').shows(' > Address  https://app.openhome.com');
});

test('with a session token the list is shown and abilities are installed, and its first use is said', async (t: TestContext) => {
	const {service, app} = await start(t, sessionToken);
	await app
		.press('2')
		.says('The service refuses the API key in OPENHOME_API_KEY for “List abilities”: using the session token in OPENHOME_JWT there.');
	await app.press('G').shows('> –    desk');
	await app.press('i').says('desk is installed.');
	assert.ok(storedNames(service, 'installed').includes('desk'));
	const withToken = service.requests.filter(({headers}) => headers.authorization !== undefined);
	assert.ok(withToken.every(({headers}) => headers['x-api-key'] === undefined));
});
