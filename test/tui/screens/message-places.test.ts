import {assert, test, type TestContext} from '../../helpers/node.ts';
import {filterLine, includes, isToggle, openHome, says, togglesOf} from '../helpers/kit.ts';

const isCalm = (lines: readonly string[]): boolean => lines.at(filterLine(lines) === '' ? -2 : -3) === '';

test('Escape clears the marks, then the filter, and takes an info with it', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('/a\r');
	app.write('xu');
	await app.waitForFrame(lines => includes('1 marked')(lines) && says('Nothing to undo.')(lines));
	app.press('escape');
	await app.waitForFrame(lines => !includes('marked')(lines) && filterLine(lines) === '/a   3 of 3' && isCalm(lines));
	app.press('u');
	await app.waitForFrame(says('Nothing to undo.'));
	app.press('escape');
	await app.waitForFrame(lines => filterLine(lines) === '' && isCalm(lines));
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
	app.press('escape', 'S', 'S');
	await app.waitForFrame(says('Order reversed.'));
	app.press('G', 'space');
	await app.waitForFrame(lines => includes('> on   nightwatch')(lines) && !says('Order reversed.')(lines));
	app.press('p');
	await app.waitForFrame(says('Too narrow for details (100 columns)'));
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
