import {test, type TestContext} from 'node:test';
import {jsonAnswer} from '../../helpers/answers.ts';
import {renderApp} from '../../helpers/render-app.tsx';
import {
	asked,
	dated,
	isGet,
	small,
	wide,
} from '../helpers/abilities.ts';
import {readSampleList, startSampleService} from '../helpers/agents.ts';
import {
	isToggle,
	startDocumentedHome,
	startHome,
	storedState,
	togglesOf,
} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';

const lampsLines = [
	' lamps                                                              environment',
	'',
	' Name               lamps',
	' Id                 21',
	' State              on',
	' Category           skill: runs on a trigger phrase',
	' Phrases            lamps please, it is dark',
	' Description        What lamps does',
	' Changed            DATE, 2 days ago',
	' Versions           1.0.0 (in use)',
	'',
	' Other fields',
	' is_approved        true',
	' is_published       false',
	'',
	' Installed record',
	' Id                 301',
	' image_file         –',
	' default            false',
	' system_capability  false',
	' agent_capability   true',
	' shortcut           –',
];

test('Enter opens an ability: what is known has labels, the rest stands below as it came', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'abilities', size: wide});
	await app.waitForFrame(includes('> on   lamps'));
	app.press('enter');
	await app.waitForFrame(includes('Versions'));
	const lines = await app.waitForFrame(shown => !includes('reading…')(shown));
	t.assert.deepStrictEqual(dated(lines), [...lampsLines, '', ' esc back  space switch  d delete  y copy id  ? keys']);
	t.assert.deepStrictEqual(asked(service, isGet), ['GET /get-capability/21/']);
	app.press('escape');
	await app.waitForFrame(includes('[2 Abilities]'));
});

test('Enter on an installed ability opens the ability that it belongs to', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: wide});
	await app.waitForFrame(includes('> on   lamps'));
	app.press('enter');
	await app.waitForFrame(includes('Versions'));
	const lines = await app.waitForFrame(shown => !includes('reading…')(shown));
	t.assert.deepStrictEqual(dated(lines), [...lampsLines, '', ' esc back  space switch  t phrases  d remove  y copy id  ? keys']);
});

test('where a service shows nothing but ids, the installed record has its own fields alone', async (t: TestContext) => {
	const service = await startDocumentedHome(t, {installed: [{installed_cap_id: 101, enabled: true, colour: 'green'}]});
	const app = await renderApp(t, {service, size: wide});
	await app.waitForFrame(includes('> on   #101'));
	app.press('enter');
	const lines = await app.waitForFrame(includes('Installed id'));
	t.assert.deepStrictEqual(dated(lines), [
		' #101                                                               environment',
		'',
		' Name          #101',
		' Installed id  101',
		' State         on',
		'',
		' Other fields',
		' colour        green',
		'',
		' esc back  space switch  t phrases  d remove  y copy id  ? keys',
	]);
	app.press('space');
	await app.waitForFrame(shown => shown.includes(' State         off'));
	t.assert.deepStrictEqual(togglesOf(service), [{id: 101, body: {enabled: false}}]);
	t.assert.strictEqual(service.installed[0]?.enabled, false);
});

test('on the bundled service an ability is read by its id', async (t: TestContext) => {
	const service = await startSampleService(t);
	const [first] = await readSampleList(service, 'abilities');
	const app = await renderApp(t, {service, screen: 'abilities', size: wide});
	await app.waitForFrame(includes('> '));
	app.press('enter');
	const lines = await app.waitForFrame(shown => includes(' Id')(shown) && !includes('reading…')(shown));
	t.assert.ok(lines.some(line => /^ Id +\d+$/.test(line) && line.endsWith(` ${first!.id}`)));
	t.assert.deepStrictEqual(app.program.requests.getEntries().filter(({path}) => path.includes('/get-capability/')).map(({status, path}) => [status, path]), [
		[200, `/api/capabilities/get-capability/${first!.id}/`],
	]);
});

test('Space switches the open ability, shown as pending until the service answers', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'abilities', size: small});
	await app.waitForFrame(includes('> on   lamps'));
	const release = service.hold({when: isToggle});
	app.press('enter', 'space');
	t.assert.deepStrictEqual((await app.waitForFrame(includes('saving…'))).slice(1), [
		' Name             lamps',
		' Id               21',
		' State            off~ saving…',
		' Category         skill: runs on a',
		'                  trigger phrase',
		' Phrases          lamps please, it is',
		'                  dark',
		' Description      What lamps does',
		' esc back  j/k scroll  space switch',
	]);
	release();
	await app.waitForFrame(lines => lines.includes(' State            off'));
	t.assert.strictEqual(storedState(service, 301), false);
});

test('a long ability is scrolled with the keys of the lists', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'abilities', size: small});
	await app.waitForFrame(includes('> on   lamps'));
	app.press('enter', 'G');
	const lines = await app.waitForFrame(shown => includes('shortcut')(shown) && !includes('reading…')(shown));
	t.assert.deepStrictEqual(lines, [
		' lamps        environment · 16–23 of 23',
		'',
		' Installed record',
		' Id               301',
		' image_file       –',
		' default          false',
		' system_capabili… false',
		' agent_capability true',
		' shortcut         –',
		' esc back  j/k scroll  space switch',
	]);
});

test('keys of the list are explained in an ability, and those of other screens lead there', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: wide});
	await app.waitForFrame(includes('> on   lamps'));
	app.press('enter');
	await app.waitForFrame(includes('Versions'));
	app.press('x');
	await app.waitForFrame(includes('x (mark) acts on the list alone.'));
	app.press('P');
	await app.waitForFrame(includes(' Profiles'));
	app.press('escape');
	await app.waitForFrame(includes('Versions'));
	app.press('1');
	await app.waitForFrame(includes('[1 Agents]'));
	app.press('3');
	await app.waitForFrame(includes('[3 Installed]'));
	t.assert.deepStrictEqual(togglesOf(service), []);
});

test('an ability that is not installed says so, and Space has nothing to switch', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'abilities', size: wide});
	await app.waitForFrame(includes('> on   lamps'));
	app.press('G', 'enter');
	await app.waitForFrame(includes(' State         not installed'));
	app.press('space');
	await app.waitForFrame(says('There is nothing to switch: desk is not installed.'));
	t.assert.deepStrictEqual(togglesOf(service), []);
});

test('where an ability cannot be read, what the list has of it is shown with the reason', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({...jsonAnswer({detail: 'The shelf is empty'}, 500), when: isGet, times: 9});
	const app = await renderApp(t, {service, screen: 'abilities', size: wide});
	await app.waitForFrame(includes('> on   lamps'));
	app.press('enter');
	const lines = await app.waitForFrame(includes('! as the list has it'));
	t.assert.ok(includes(' Not read           ! The service failed: The shelf is empty.')(lines));
	t.assert.ok(includes(' Description        What lamps does')(lines));
});

test('leaving an ability while it is read cancels the request', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'abilities', size: wide});
	await app.waitForFrame(includes('> on   lamps'));
	const release = service.hold({when: isGet});
	app.press('enter');
	await app.waitForFrame(includes('reading…'));
	await app.waitUntil(() => service.heldCount() === 1);
	app.press('escape');
	await app.waitForFrame(includes('[2 Abilities]'));
	await app.waitUntil(() => app.program.requests.getEntries().some(({path, status}) => path.includes('/get-capability/') && status === undefined));
	release();
	t.assert.strictEqual(asked(service, isGet).length, 1);
});

test('unknown fields of any kind are shown, cleaned of what a terminal would obey', async (t: TestContext) => {
	const service = await startDocumentedHome(t, {
		abilities: [{
			capability_id: 11, name: 'odd', notes: 'one\u{1B}]52;c;eA==\u{7}two', nested: {deep: [1, true, null]}, 'strange\u{1B}[2Jname': 0, last_updated: 'some day',
		}],
	});
	const app = await renderApp(t, {service, screen: 'abilities', size: wide});
	await app.waitForFrame(includes('odd'));
	app.press('enter');
	const lines = await app.waitForFrame(shown => includes('Other fields')(shown) && !includes('reading…')(shown));
	t.assert.deepStrictEqual(dated(lines).slice(2, -2), [
		' Name          odd',
		' Id            11',
		' State         perhaps installed: this service does not show it',
		'',
		' Other fields',
		' notes         onetwo',
		' nested        {"deep":[1,true,null]}',
		' strangename   0',
		' last_updated  some day',
	]);
	t.assert.ok(!app.rawFrame().includes('52;c'));
});

test('a read-only run opens an ability and changes nothing', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {
		service, screen: 'abilities', size: wide, isReadOnly: true,
	});
	await app.waitForFrame(includes('> on   lamps'));
	app.press('enter');
	await app.waitForFrame(includes(' esc back  y copy id'));
	app.press('space');
	await app.waitForFrame(says('This run is read-only: nothing is changed.'));
	app.press('escape');
	await app.waitForFrame(lines => !says('This run is read-only')(lines));
	app.press('d');
	t.assert.ok(includes('Versions')(await app.waitForFrame(says('This run is read-only: nothing is changed.'))));
	t.assert.deepStrictEqual(togglesOf(service), []);
});
