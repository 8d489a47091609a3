import {assert, test, type TestContext} from '../../helpers/node.ts';
import {filterLine, includes, isToggle, openHome, says, togglesOf} from '../helpers/kit.ts';

const isCalm = (lines: readonly string[]): boolean => lines.at(filterLine(lines) === '' ? -2 : -3) === '';

test('Escape clears the marks, then the filter, and takes an info with it', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('/a\r');
	await app.write('xu').shows('1 marked', says('Nothing to undo.'));
	await app.press('escape').shows(lines => !includes('marked')(lines) && filterLine(lines) === '/a   3 of 3' && isCalm(lines));
	await app.press('u').says('Nothing to undo.');
	await app.press('escape').shows(lines => filterLine(lines) === '' && isCalm(lines));
	await app.press('u').says('Nothing to undo.');
	await app.press('escape').shows(isCalm);
});

test('Escape dismisses an error first, then clears the marks', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, status: 403});
	await app.press('space').says('lamps stays on:');
	await app.press('x', 'escape').shows('1 marked', isCalm);
	await app.press('escape').shows(lines => !includes('marked')(lines));
});

test('Escape closes the sort prompt and the filter line, with an info that stands there', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('o').says('0 as listed.');
	app.ui.say('info', 'said meanwhile');
	await app.press('escape').shows(lines => isCalm(lines) && !says('0 as listed.')(lines));
	await app.press('/').shows('/_');
	app.ui.say('info', 'said meanwhile');
	await app.says('said meanwhile');
	await app.press('escape').shows(lines => isCalm(lines) && !includes('/_')(lines));
});

test('in an opened record one Escape goes back and takes an info with it', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('enter').shows('esc back');
	await app.press('y').says('The id of lamps is copied');
	await app.press('escape').shows('[3 Installed]', isCalm);
});

test('an info ends with the next switch, and one that there is no room once there is', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.write('xxE').says('All 2 marked are already on.');
	await app.press('D').says('2 switched off.');
	await app.press('escape', 'S', 'S').says('Order reversed.');
	await app.press('G', 'space').shows(lines => includes('> on   nightwatch')(lines) && !says('Order reversed.')(lines));
	await app.press('p').says('Too narrow for details (100 columns)');
	await app.resize({columns: 120, rows: 24}).shows(lines => lines.length === 24 && !says('100 columns')(lines));
});

test('a message that a list is not known ends when it is', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.ui.say('error', 'It is not known yet whether lamps is installed.', 'installed');
	await app.says('not known yet');
	await app.press('r').shows(isCalm);
	assert.deepEqual(togglesOf(service), []);
});

test('an error stays visible in an opened record until it is dismissed', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, status: 403});
	await app.press('space').says('lamps stays on:');
	await app.press('enter').shows('esc back', says('lamps stays on:'));
	await app.press('escape').shows(lines => includes('esc back')(lines) && !says('lamps stays on:')(lines));
	assert.equal(togglesOf(service).length, 1);
});
