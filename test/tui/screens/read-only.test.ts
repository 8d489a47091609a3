import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {togglesOf} from '../helpers/homes.ts';
import {
	includes,
	says,
	screen,
	shown,
} from '../helpers/shown.ts';
import {openHome} from '../helpers/open-home.ts';

test('a read-only run says so in the header, and refuses every switch before a request', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	app.press('space');
	assert.deepEqual(shown(await app.waitForFrame(says('read-only: nothing was changed'))), screen({
		header: 'environment [read-only]  live · 3 installed, 2 on',
		tabs: '1 Agents  2 Abilities [3 Installed]',
		rows: [
			' > on   lamps                              skill      2 days',
			'   on   pantry                             brain      2 days',
			'   off  nightwatch                         daemon     2 days',
		],
		message: [' ! This run is read-only: nothing was changed. Restart without', ' --read-only to make changes.'],
	}));
	app.press('escape', '2', 'space');
	await app.waitForFrame(lines => includes('[2 Abilities]')(lines) && says('read-only: nothing was changed')(lines));
	assert.deepEqual(togglesOf(service), []);
	assert.deepEqual(service.requests.filter(({method}) => method !== 'GET'), []);
});

test('marks, undo and the rest change nothing either', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	app.write('aDEuR ');
	await app.waitForFrame(says('read-only: nothing was changed'));
	assert.ok(!app.frames().some(includes('~')), 'no row showed a change');
	assert.deepEqual(togglesOf(service), []);
});

test('reading, filtering and leaving work as ever', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	service.installed.pop();
	app.press('r');
	await app.waitForFrame(includes('2 installed'));
	app.write('/pan\r');
	await app.waitForFrame(includes('1 of 2'));
	app.press('q');
	assert.equal(app.exitCode(), 0);
});

test('the header says where the key travels in the open', async (t: TestContext) => {
	const {app} = await openHome(t, {isInsecureHttp: true, size: {columns: 90, rows: 14}});
	assert.match(app.lines()[0]!, /environment · 127\.0\.0\.1:00000 \[insecure http\]/);
	app.resize({columns: 40, rows: 14});
	assert.match((await app.waitForFrame(lines => lines[0]!.length <= 40))[0]!, /\[insecure http\]/, 'also where there is little room');
});
