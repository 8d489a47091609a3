import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {startLiveLikeService} from '../../helpers/live-like-service.ts';
import {
	isToggle,
	storedState,
	togglesOf,
} from '../helpers/homes.ts';
import {includes, isFresh, says} from '../helpers/shown.ts';
import {openHome} from '../helpers/open-home.ts';

const isCalm = (lines: readonly string[]): boolean => lines.at(-2) === '';

test('Escape clears the marks, then the filter, and takes an info with it', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('/a\rxu');
	await app.waitForFrame(lines => includes('1 marked, 3 of 3')(lines) && says('Nothing to undo.')(lines));
	app.press('escape');
	await app.waitForFrame(lines => !includes('marked')(lines) && includes('/a   3 of 3')(lines) && isCalm(lines));
	app.press('u');
	await app.waitForFrame(says('Nothing to undo.'));
	app.press('escape');
	await app.waitForFrame(lines => lines[1]!.endsWith('Installed]') && isCalm(lines));
	app.press('u');
	await app.waitForFrame(says('Nothing to undo.'));
	app.press('escape');
	await app.waitForFrame(isCalm);
});

test('Escape dismisses an error first, then clears the marks', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, status: 403});
	app.press('space');
	await app.waitForFrame(says('lamps stays on:'));
	app.press('x', 'escape');
	await app.waitForFrame(lines => includes('1 marked')(lines) && isCalm(lines));
	app.press('escape');
	await app.waitForFrame(lines => !includes('marked')(lines));
});

test('Escape closes the sort prompt and the filter line, with an info that stands there', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('o');
	await app.waitForFrame(says('0 as listed.'));
	app.ui.say('info', 'said meanwhile');
	app.press('escape');
	await app.waitForFrame(lines => isCalm(lines) && !says('0 as listed.')(lines));
	app.press('/');
	await app.waitForFrame(includes('/_'));
	app.ui.say('info', 'said meanwhile');
	await app.waitForFrame(says('said meanwhile'));
	app.press('escape');
	await app.waitForFrame(lines => isCalm(lines) && !includes('/_')(lines));
});

test('in an opened record one Escape goes back and takes an info with it', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('enter');
	await app.waitForFrame(includes('esc back'));
	app.press('y');
	await app.waitForFrame(says('The id of lamps is copied'));
	app.press('escape');
	await app.waitForFrame(lines => includes('[3 Installed]')(lines) && isCalm(lines));
});

test('an info ends with the next switch, and one that there is no room once there is', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('xxE');
	await app.waitForFrame(says('All 2 marked are already on.'));
	app.press('D');
	await app.waitForFrame(says('2 switched off.'));
	app.press('G', 'space');
	await app.waitForFrame(lines => includes('> on   nightwatch')(lines) && !says('2 switched off.')(lines));
	app.press('p');
	await app.waitForFrame(says('need at least 100 columns'));
	app.resize({columns: 120, rows: 24});
	await app.waitForFrame(lines => lines.length === 24 && !says('100 columns')(lines));
});

test('a message that a list is not known ends when it is', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.ui.say('error', 'It is not known yet whether lamps is installed.', 'installed');
	await app.waitForFrame(says('not known yet'));
	app.press('r');
	await app.waitForFrame(isCalm);
	assert.deepEqual(togglesOf(service), []);
});

test('a message stays on its screen, and is in the message log', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, status: 403});
	app.press('space');
	await app.waitForFrame(says('lamps stays on:'));
	app.press('1');
	await app.waitForFrame(lines => includes('[1 Agents]')(lines) && !includes('lamps stays on')(lines));
	app.press('M');
	await app.waitForFrame(lines => includes(' Messages')(lines) && says('lamps stays on:')(lines));
	app.press('escape');
	await app.waitForFrame(includes('[1 Agents]'));
	app.press('3');
	await app.waitForFrame(lines => includes('[3 Installed]')(lines) && says('lamps stays on:')(lines));
	assert.equal(togglesOf(service).length, 1);
});

test('an info disappears when a record, the next one or a question opens, and is in the message log', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const isTitled = (name: string) => (lines: readonly string[]): boolean => lines[0]!.startsWith(` ${name} `);
	const isFree = (lines: readonly string[]): boolean => lines.every(line => !line.includes('is copied'));
	app.press('y');
	await app.waitForFrame(says('The id of lamps is copied'));
	app.press('enter');
	await app.waitForFrame(lines => isTitled('lamps')(lines) && isFree(lines));
	app.press('y');
	await app.waitForFrame(says('The id of lamps is copied'));
	app.press('>');
	await app.waitForFrame(lines => isTitled('pantry')(lines) && isFree(lines));
	app.press('y');
	await app.waitForFrame(says('The id of pantry is copied'));
	app.press('d');
	await app.waitForFrame(lines => includes('Uninstall pantry')(lines) && isFree(lines));
	app.press('escape');
	await app.waitForFrame(lines => isTitled('pantry')(lines) && isFree(lines));
	app.press('M');
	await app.waitForFrame(lines => includes(' Messages')(lines) && says('The id of lamps is copied')(lines) && says('The id of pantry is copied')(lines));
	assert.notEqual(storedState(service, 302), undefined, 'nothing was removed');
});

test('an error stays visible in an opened record until it is dismissed', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, status: 403});
	app.press('space');
	await app.waitForFrame(says('lamps stays on:'));
	app.press('enter');
	await app.waitForFrame(lines => includes('esc back')(lines) && says('lamps stays on:')(lines));
	app.press('escape');
	await app.waitForFrame(lines => includes('esc back')(lines) && !says('lamps stays on:')(lines));
	assert.equal(togglesOf(service).length, 1);
});

test('the message that the service is unreachable stays until it answers', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const port = Number(new URL(service.baseAddress).port);
	await service.close();
	app.press('space');
	await app.waitForFrame(says('could not be reached'));
	const revived = await startLiveLikeService({port, home: {installed: service.installed}});
	t.after(async () => revived.close());
	app.press('r');
	await app.waitForFrame(lines => isFresh(lines) && isCalm(lines) && includes('!> on   lamps')(lines));
	app.press('M');
	await app.waitForFrame(lines => includes(' Messages')(lines) && says('could not be reached')(lines));
});

test('x marks and moves down, and stays on the last row', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('x', 'x');
	await app.waitForFrame(lines => includes('2 marked')(lines) && includes(' > off  nightwatch')(lines));
	app.press('x', 'x');
	await app.waitForFrame(lines => includes('2 marked')(lines) && includes(' > off  nightwatch')(lines));
});
