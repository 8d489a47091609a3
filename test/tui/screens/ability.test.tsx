import {assert, Buffer, test, type TestContext} from '../../helpers/node.ts';
import {asked, dated, isGet} from '../helpers/abilities.ts';
import {isToggle, startDocumentedHome, startHome, storedState, togglesOf} from '../helpers/homes.ts';
import {includes, jsonAnswer, openApp, openHome, small, wide} from '../helpers/kit.ts';

/** What is shown of lamps, opened by one of its two ids. */
function lampsLines(id: string, otherLabel: string, otherId: string): readonly string[] {
	const line = (label: string, text: string): string => ` ${label.padEnd(otherLabel.length + 2)}${text}`;
	return [
		` lamps${(otherLabel === 'Installed id' ? 'ability · environment' : 'installed · environment').padStart(73)}`,
		'',
		line('State', 'on'),
		line('Id', id),
		line('Phrases', 'lamps please, it is dark'),
		line('Agents', 'not shown by this service'),
		line('Description', 'What lamps does'),
		line('Category', 'skill: runs on a trigger phrase'),
		line('Changed', 'DATE, 2 days ago'),
		line('Versions', '1.0.0 (in use)'),
		line(otherLabel, otherId),
		'',
	];
}

test('Enter opens an ability with the known fields at the top and the others folded below', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('enter').shows('Agents        not shown');
	const lines = await app.shows(shown => !includes('reading…')(shown));
	assert.deepEqual(dated(lines), [
		...lampsLines('21', 'Installed id', '301'),
		' Other fields (7): Enter shows them',
		'',
		' esc back  space switch  e edit  d delete  enter 7 more  y copy id  ? keys',
	]);
	assert.deepEqual(asked(service, isGet), ['GET /get-capability/21/']);
	await app.press('escape').shows('[2 Abilities]');
});

test('Enter opens an installed ability with the id that y copies, and Enter again shows the other fields, each once', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('enter').shows('Agents       not shown');
	await app.shows(shown => !includes('reading…')(shown));
	const lines = await app.press('enter').shows('shortcut');
	const wider = (line: string): string =>
		line.replace(/^ (?:State|Id|Phrases|Agents|Description|Category|Changed|Versions|Ability id) +(?=\S)/, label =>
			label.trimEnd().padEnd(20),
		);
	assert.deepEqual(dated(lines), [
		...lampsLines('301', 'Ability id', '21').map(line => wider(line)),
		' Other fields (7)',
		' image_file         –',
		' default            false',
		' system_capability  false',
		' agent_capability   true',
		' shortcut           –',
		' is_approved        true',
		' is_published       false',
		'',
		' esc back  space switch  t phrases  d uninstall  enter fewer fields  ? keys',
	]);
	await app.press('enter').shows(shown => !includes('shortcut')(shown));
	await app.press('y').shows('the id of lamps.');
	assert.deepEqual(app.written(), [`\u{1B}]52;c;${Buffer.from('301').toString('base64')}\u{7}`]);
});

test("an opened ability shows the installed record's phrases and time, and the ability's own below", async (t: TestContext) => {
	const service = await startHome(t);
	const record = service.installed.find(each => (each as {readonly name: string}).name === 'lamps') as Record<string, unknown>;
	record['trigger_words'] = ['wake the lamps'];
	record['last_updated'] = new Date(Date.now() - 3.5 * 60 * 60 * 1000).toISOString();
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	for (const [screen, key] of [
		['installed', '3'],
		['abilities', '2'],
	] as const) {
		await app.press(key).shows(screen === 'installed' ? '[3 Installed]' : '[2 Abilities]');
		await app.shows('> on   lamps');
		await app.press('enter').shows('Versions');
		const lines = dated(await app.press('enter').shows('trigger_words'));
		assert.deepEqual(
			lines
				.filter(line => /^ (?:Phrases|Changed|trigger_words|last_updated) /.test(line))
				.map(line => line.replaceAll(/ {2,}/g, ' ').replace(/20\d\d-\S+/, 'DATE')),
			[
				' Phrases wake the lamps',
				' Changed DATE, 3 hours ago',
				' trigger_words (ability) ["lamps please","it is dark"]',
				' last_updated (ability) DATE',
			],
			screen,
		);
		await app.press('escape').shows('Installed');
	}
});

test('an opened ability names the agents that use it', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {
			agents: [
				{id: 1, name: 'Hearth', description: '', matching_capabilities: [21]},
				{id: 2, name: 'Study', description: '', matching_capabilities: [21, 22]},
			],
		},
		size: wide,
		until: '> on   lamps',
	});
	await app.press('enter').shows(' Agents       Hearth, Study');
	await app.press('escape', 'G', 'enter').shows(' nightwatch', ' Agents       none');
});

test('on a service that lists only ids, an opened record has only its own fields', async (t: TestContext) => {
	const service = await startDocumentedHome(t, {installed: [{installed_cap_id: 101, enabled: true, colour: 'green'}]});
	const app = await openApp(t, {service, size: wide, until: '> on   #101'});
	await app.press('enter').shows('Agents  not shown');
	const lines = await app.press('enter').shows('colour');
	assert.deepEqual(dated(lines), [
		' #101                                                   installed · environment',
		'',
		' State   on',
		' Id      101',
		' Agents  not shown by this service',
		'',
		' Other fields (1)',
		' colour  green',
		'',
		' esc back  space switch  t phrases  d uninstall  enter fewer fields  ? keys',
	]);
	await app.press('space').shows(shown => shown.includes(' State   off'));
	assert.deepEqual(togglesOf(service), [{id: 101, body: {enabled: false}}]);
	assert.equal(service.installed[0]?.enabled, false);
});

test('Space switches the open ability, shown as pending until the service answers', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: small, until: '> on   lamps'});
	const release = service.hold({when: isToggle});
	assert.deepEqual((await app.press('enter', 'space').shows('saving…', 'not shown')).slice(1), [
		' State         off~ saving…',
		' Id            21',
		' Phrases       lamps please, it is dark',
		' Agents        not shown by this',
		'               service',
		' Description   What lamps does',
		' Category      skill: runs on a trigger',
		'               phrase',
		' esc back  space switch  e edit  ? keys',
	]);
	release();
	await app.shows(lines => lines.includes(' State         off'));
	assert.equal(storedState(service, 301), false);
});

test('in an open ability, keys of the list are explained and keys of other screens go there', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('enter').shows('Versions');
	await app.press('x').shows('x works on the list, not here.');
	await app.press('c').shows('c works on Agents, not here.');
	await app.press('P').shows(' Profiles');
	await app.press('escape').shows('Versions');
	await app.press('1').shows('[1 Agents]');
	await app.press('3').shows('[3 Installed]');
	assert.deepEqual(togglesOf(service), []);
});

test('an ability that is not installed says so, and Space names the key that installs it', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('G', 'enter').shows(' State        not installed');
	await app.press('space').says('desk is not installed: i installs it.');
	assert.deepEqual(togglesOf(service), []);
});

test('an ability that cannot be read is shown as in the list, with the reason', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({...jsonAnswer({detail: 'The shelf is empty'}, 500), when: isGet, times: 9});
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: '> on   lamps'});
	const lines = await app.press('enter').shows('! as the list has it');
	assert.ok(includes(' Not read      ! The service answered “The shelf is empty”.')(lines));
	assert.ok(includes(' Description   What lamps does')(lines));
});

test('leaving an ability cancels its request', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const release = service.hold({when: isGet});
	await app.press('enter').shows('reading…');
	await app.until(() => service.heldCount() === 1);
	await app.press('escape').shows('[2 Abilities]');
	await app.until(() => app.ui.requests.getEntries().some(({path, status}) => path.includes('/get-capability/') && status === undefined));
	release();
	assert.equal(asked(service, isGet).length, 1);
});

test('unknown fields of any type are shown, without control characters', async (t: TestContext) => {
	const service = await startDocumentedHome(t, {
		abilities: [
			{
				capability_id: 11,
				name: 'odd',
				notes: 'one\u{1B}]52;c;eA==\u{7}two',
				nested: {deep: [1, true, null]},
				'strange\u{1B}[2Jname': 0,
				last_updated: 'some day',
			},
		],
	});
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: 'odd'});
	await app.press('enter').shows(shown => includes('Other fields')(shown) && !includes('reading…')(shown));
	const lines = await app.press('enter').shows('nested');
	assert.deepEqual(dated(lines).slice(2, -2), [
		" State         perhaps installed: this service doesn't show it",
		' Id            11',
		' Agents        not shown by this service',
		'',
		' Other fields (4)',
		' notes         onetwo',
		' nested        {"deep":[1,true,null]}',
		' strangename   0',
		' last_updated  some day',
	]);
	assert.ok(!app.rawFrame().includes('52;c'));
});

test('a name too long for the title is shown in full above the other fields', async (t: TestContext) => {
	const name = 'themorninglightsofthewholehouseandthegarden';
	const service = await startDocumentedHome(t, {installed: [{installed_cap_id: 101, name, enabled: true}]});
	const app = await openApp(t, {service, size: small, until: '> on   themorning'});
	const lines = await app.press('enter').shows(' State   on');
	assert.deepEqual(lines.slice(0, 4), [
		' themorninglightsofthewho…  environment',
		' Name    themorninglightsofthewholehous',
		'         eandthegarden',
		' State   on',
	]);
});

test('a long ability scrolls with the keys of the lists', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'abilities', size: small, until: '> on   lamps'});
	await app.press('enter', 'enter').shows(lines => includes('not shown by')(lines) && !includes('reading…')(lines));
	assert.equal((await app.press('G').shows('is_published'))[0], ' lamps        environment · 15–22 of 22');
	await app.press('g').shows('Category');
});
