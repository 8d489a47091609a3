import {test, type TestContext} from 'node:test';
import {renderApp} from '../../helpers/render-app.tsx';
import {editsOf, isEdit, storedAgent} from '../helpers/agents.ts';
import {startHome} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';
import {
	boxes,
	openTies,
	small,
	startShownHome,
	wide,
} from '../helpers/ties.ts';

test('what would be tied and what would be taken away is shown before it is saved', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.write(' j jj j ');
	t.assert.deepStrictEqual(await app.waitForFrame(includes(' + pantry, desk  - lamps, #99')), [
		' Abilities of Hearth                                                   3 chosen',
		'',
		'   [ ]  lamps               skill      lamps please, it is dark',
		'   [x]  pantry              brain      –',
		'   [x]  nightwatch          daemon     –',
		'   [x]  desk                local      open the desk',
		' > [ ]  #99                 –          –',
		...Array.from({length: 14}, () => ''),
		' + pantry, desk  - lamps, #99',
		'',
		' space choose  enter save  esc leave  / filter  a all',
	]);
	// What is chosen back is no change.
	app.write(' k ');
	await app.waitForFrame(includes(' + pantry  - lamps'));
	app.press('enter');
	await app.waitForFrame(says('Saved: 3 abilities are tied to Hearth.'));
	t.assert.deepStrictEqual((await editsOf(service)).map(fields => fields['matching_capabilities']), [['22', '23', '99']]);
});

test('on a low screen the changes have one line, with as many names as there is room for', async (t: TestContext) => {
	const service = await startHome(t, {
		home: {
			agents: [{
				id: 1, name: 'Hearth', description: '', matching_capabilities: Array.from({length: 12}, (_, index) => 80 + index),
			}],
		},
	});
	const app = await renderApp(t, {service, screen: 'agents', size: small});
	await openTies(app);
	t.assert.strictEqual(boxes(app.lines()).length, 8);
	app.write('aa');
	const lines = await app.waitForFrame(includes('0 chosen'));
	t.assert.strictEqual(lines.at(-2), ' - #80, #81, #82, #83, #84, #85, 6 more');
	t.assert.strictEqual(boxes(lines).length, 7);
	app.press('a');
	t.assert.strictEqual((await app.waitForFrame(includes('16 chosen'))).at(-2), ' + lamps, pantry, nightwatch, desk');
});

test('after a change by somebody else the changes are those to what is tied now', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	storedAgent(service, 1)['matching_capabilities'] = [24];
	app.press('space');
	await app.waitForFrame(includes(' - lamps'));
	app.press('enter');
	await app.waitForFrame(says('was changed on the service meanwhile'));
	await app.waitForFrame(includes(' + nightwatch  - desk'));
	t.assert.deepStrictEqual(service.requests.filter(request => isEdit(request)), []);
});

test('where the service does not show what is tied, no change is claimed', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.press('space');
	const lines = await app.waitForFrame(includes('1 chosen'));
	t.assert.ok(!includes(' + lamps')(lines), lines.join('\n'));
});
