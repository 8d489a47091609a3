import {assert, test, type TestContext} from '../../helpers/node.ts';
import {asked, isDeletion, storedNames, typeDelete} from '../helpers/abilities.ts';
import {isInstalledList, startDocumentedHome} from '../helpers/homes.ts';
import {boxOf, includes, isAnswered, jsonAnswer, openApp, openHome, type RenderedApp, says, small, wide} from '../helpers/kit.ts';

const messagesOf = (app: RenderedApp): readonly string[] =>
	app.state().messages.history.map(({level, text}) => (level === 'error' ? `! ${text}` : text));

test('deletion asks first, lists what else is lost, and needs the word', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const lines = await app.press('d').shows(says("doesn't say which"), says('back, with'), 'type delete: _');
	assert.deepEqual(boxOf(lines), [
		'! Delete lamps?',
		'',
		'u can bring it back, with a new id.',
		'It is installed and on.',
		'Deleting it also uninstalls it.',
		"Agents that use it lose it; this service doesn't say which.",
		'',
		'type delete: _        enter delete lamps  esc no',
	]);
	for (const text of ['y\r', 'delete\r', 'n']) {
		app.paste(text);
	}

	await app.shows(says('? Type delete, then press Enter.'), 'type delete: _');
	await app.press('escape').shows(isAnswered);
	assert.deepEqual(asked(service, isDeletion), []);
	assert.deepEqual(storedNames(service, 'abilities'), ['lamps', 'pantry', 'nightwatch', 'desk']);
});

test('keys that come with d answer nothing, another word says what to type, and Backspace and Ctrl+U work', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.write('ddelete\r').shows('type delete: _');
	assert.ok(!says('then press Enter')(app.lines()));
	await app.press('enter').shows(says('Type delete, then press Enter.'), 'type delete: _');
	await app.press(...'qy delete now', 'enter').shows('type delete: …e now_  enter');
	await app.press('ctrl+u', ...'deletr').shows('type delete: deletr_  enter');
	await app.press('backspace', 'j', 'down', 'enter', 'backspace').shows('type delete: delet_   enter');
	assert.equal(app.exitCode(), undefined);
	assert.deepEqual(asked(service, isDeletion), []);
	await app.press('E', 'enter').says('lamps is deleted.');
	assert.equal(storedNames(service, 'abilities').includes('pantry'), true);
});

test('what was typed stays when the text of the question changes, and is gone with the question', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const release = service.hold({when: ({path}) => path.includes('source')});
	await app.press('d').shows('type delete: _', says('Reading its source'));
	await app.press(...'dele').shows('type delete: dele_');
	release();
	await app.shows(says('u can bring it back'), 'type delete: dele_');
	await app.press('escape').shows(isAnswered);
	await app.press('d').shows('type delete: _');
	await app.press(...'te', 'enter').shows('type delete: te_');
	assert.deepEqual(asked(service, isDeletion), []);
});

test('the word is asked for at 40 and at 20 columns too', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: {columns: 20, rows: 5}, until: 'lamps'});
	await app.press('d').shows(' delete: _');
	assert.equal((await app.press(...'delete').shows('delete_'))[0], ' delete: delete_');
	await app.resize({columns: 40, rows: 10}).shows(' type delete: delete_  enter  esc no');
	await app.press('enter').says('lamps is deleted.');
	assert.equal(asked(service, isDeletion).length, 2);
});

test('the word deletes the ability, removes its row and refreshes the lists', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const listCount = service.requests.filter(request => isInstalledList(request)).length;
	await app.press('d').says('Delete lamps');
	await typeDelete(app);
	const lines = await app.says('lamps is deleted.');
	assert.ok(!includes('on   lamps')(lines));
	assert.ok(includes(' > on   pantry')(lines));
	assert.deepEqual(asked(service, isDeletion), ['POST /delete-capability/21/', 'POST /delete-capability/ {"capability_ids":[21]}']);
	assert.deepEqual(storedNames(service, 'installed'), ['pantry', 'nightwatch']);
	await app.shows('3 abilities, 2 installed');
	await app.until(() => service.requests.filter(request => isInstalledList(request)).length > listCount);
});

test('marked abilities are deleted after one question that lists each', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: small, until: '> on   lamps'});
	assert.deepEqual(await app.press('x', 'j', 'x', 'd').shows(says("doesn't say which"), says('back, with'), 'type delete: _'), [
		' ! Delete 2 abilities?',
		'',
		'   u can bring them back, with new ids.',
		'   lamps, installed and on',
		'   nightwatch, installed and off',
		'   Deleting them also uninstalls them.',
		'   Agents that use them lose them; this',
		"   service doesn't say which.",
		'',
		' type delete: _        enter  esc no',
	]);
	await typeDelete(app);
	await app.says('2 abilities deleted.');
	assert.deepEqual(storedNames(service, 'abilities'), ['pantry', 'desk']);
	assert.deepEqual(messagesOf(app), ['2 abilities: deleted']);
	assert.equal(app.state().views.abilities.marks.size, 0);
});

test("the question says when the service doesn't tell whether an ability is installed", async (t: TestContext) => {
	const service = await startDocumentedHome(t, {agents: [{id: 1, matching_capabilities: []}]});
	const app = await openApp(t, {service, size: wide, until: 'of 3 on'});
	await app.press('2').shows('#11');
	app.press('d');
	const isKnown = (lines: readonly string[]): boolean =>
		includes('type delete: _')(lines) && !says('Checking')(lines) && !says('Reading')(lines);
	assert.deepEqual(boxOf(await app.shows(says('Delete #11'), isKnown)), [
		'! Delete #11?',
		'',
		'This cannot be undone: The service does not send the source of #11 (HTTP',
		'404).',
		"This service doesn't say whether it is installed.",
		'',
		'type delete: _        enter delete #11  esc no',
	]);
	assert.deepEqual(boxOf(await app.press('escape', 'a', 'd').shows(says('Delete 3'), isKnown)), [
		'! Delete 3 abilities?',
		'',
		'Lost for good: #11, #12, #13: The service does not send the source of',
		'#11 (HTTP 404).',
		'#11',
		'#12',
		'#13',
		"This service doesn't say which of them are installed.",
		'',
		'type delete: _        enter delete 3 abilities  esc no',
	]);
});

test('the question says when an ability is not installed and no agent uses it', async (t: TestContext) => {
	const service = await startDocumentedHome(t, {
		agents: [{id: 1, matching_capabilities: []}],
		abilities: [{capability_id: 11, is_installed: false}, {capability_id: 12}, {capability_id: 13, is_installed: true}],
	});
	const app = await openApp(t, {service, size: wide, until: 'of 3 on'});
	await app.press('2').shows('#11');
	await app.press('d').says('It is not installed, and no agent uses it.');
	await app.press('escape', 'G', 'd').says('It is installed. Deleting it also uninstalls it.');
	const lines = await app.press('escape', 'a', 'd').says("This service doesn't say which of the others are installed.");
	assert.ok(boxOf(lines).includes('#13, installed'), lines.join('\n'));
});

test('the question says when the installed abilities could not be read', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	service.failNext({when: isInstalledList, status: 403, times: 20});
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: '#11'});
	await app.press('d').says('It is not known whether it is installed: the installed abilities were not read.');
});

test('an ability that could not be deleted shows why, stays marked and can be retried', async (t: TestContext) => {
	const {service, app} = await openHome(t, {deletion: 'documented', screen: 'abilities', size: wide, until: '> on   lamps'});
	service.failNext({...jsonAnswer({detail: 'pantry is in use'}, 409), when: ({path}) => path.endsWith('/delete-capability/22/')});
	await app.press('a', 'd').says('Delete 4 abilities?');
	await typeDelete(app);
	const lines = await app.says('3 of 4 abilities deleted; the rest stay marked.');
	assert.ok(includes('pantry')(lines));
	assert.deepEqual([...app.state().views.abilities.marks], [22]);
	assert.deepEqual(storedNames(service, 'abilities'), ['pantry']);
	assert.ok(messagesOf(app).some(text => text.startsWith('! Could not delete pantry: The service reports a conflict: pantry is in use.')));
	await app.press('d').says('Delete pantry?');
	await typeDelete(app);
	await app.says('No abilities yet.');
	assert.deepEqual(storedNames(service, 'abilities'), []);
});

test('at most four deletions are under way at a time, and none is sent twice', async (t: TestContext) => {
	const service = await startDocumentedHome(t, {abilities: Array.from({length: 9}, (_, index) => ({capability_id: index + 1}))});
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: '#9'});
	const release = service.hold({when: isDeletion});
	await app.press('a', 'd').says('Delete 9 abilities?');
	await typeDelete(app);
	await app.until(() => service.heldCount() === 4);
	assert.equal(asked(service, isDeletion).length, 4);
	// Also those that wait for their turn are being deleted.
	await app.press('d').says('Delete 9 abilities?');
	await typeDelete(app);
	await app.says('Still deleting 9 abilities.');
	release();
	await app.says('9 abilities deleted.');
	assert.equal(asked(service, isDeletion).length, 9);
	assert.equal(service.abilities.length, 0);
});

test('the list confirms a deletion after its screen was left, and beside another deletion', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: '#11'});
	service.failNext({cut: 'connection', isCarriedOut: true, when: ({path}) => path.includes('/delete-capability/11/')});
	const releaseDeletion = service.hold({when: ({path}) => path.includes('/delete-capability/12/')});
	const releaseList = service.hold({when: ({path}) => path.includes('/get-all-capability/')});
	await app.press('x', 'x', 'd').says('Delete 2 abilities?');
	await typeDelete(app);
	// The list that is to tell of the first, and the second.
	await app.until(() => service.heldCount() === 2);
	await app.press('3').shows('[3 Installed]');
	releaseDeletion();
	await app.says('#12 is deleted (1 of 2).');
	releaseList();
	await app.says('2 abilities deleted.');
	assert.deepEqual(
		service.abilities.map(({capability_id: id}) => id),
		[13],
	);
});

test('an open ability closes when it is deleted, and stays open when the answer is no; the question names the agents that use it', async (t: TestContext) => {
	const agents = ['Hearth', 'Study'].map((name, index) => ({id: index + 1, name, description: '', matching_capabilities: [21]}));
	const {app} = await openHome(t, {home: {agents}, screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('enter').shows('Versions');
	await app.press('d').says('It is installed and on, used by Hearth, Study.');
	await app.press('escape').shows(isAnswered, 'Versions');
	app.press('d');
	await typeDelete(app);
	const lines = await app.says('lamps is deleted.');
	assert.ok(includes('[2 Abilities]')(lines));
});

test('q waits for a deletion under way; a second q leaves and reports the unknown outcome', async (t: TestContext) => {
	const {service, app} = await openHome(t, {deletion: 'documented', screen: 'abilities', size: wide, until: '> on   lamps'});
	const release = service.hold({when: isDeletion});
	t.after(release);
	await app.press('d').says('Delete lamps');
	await typeDelete(app);
	await app.until(() => service.heldCount() === 1);
	await app.press('q').says('Quitting once 1 change finishes.');
	assert.equal(app.exitCode(), undefined);
	await app.press('q').until(() => app.exitCode() === 0);
	assert.deepEqual(app.afterwords(), ['It is not known whether lamps is deleted.']);
});
