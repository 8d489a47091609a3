import {assert, test, type TestContext} from '../../helpers/node.ts';
import {boxOf, cursorLine, escapeKeys, includes, says} from '../helpers/shown.ts';
import {keptTextIn} from '../../helpers/kept-text.ts';
import {findRecord} from '../../helpers/live-like/home.ts';
import {named, paths, type TestService} from '../../service/running-service.ts';
import {asked, isDeletion, isGet, isRemoval, storedNames, typeDelete} from '../helpers/abilities.ts';
import {editsOf, openEditorBench, storedAgent} from '../helpers/agents.ts';
import {boxes, openTies, startShownHome} from '../helpers/ties.ts';
import {type LiveLikeService, openApp, openHome, type RenderedApp, startHome, startTestService, togglesOf, wide} from '../helpers/kit.ts';

/** Changes what a service has, as somebody else does, and has the lists on the screen read, as a poll does. */
async function changeElsewhere(app: RenderedApp, change: () => void): Promise<void> {
	await app.until(() => app.session().records.queryClient.isFetching() === 0);
	change();
	await app.session().records.queryClient.refetchQueries({type: 'active', predicate: ({queryKey}) => queryKey[2] === 'list'});
}

const without = (entries: readonly unknown[], id: number): unknown[] => entries.filter(entry => entry !== findRecord(entries, id));

const installedLamps = ({installed}: LiveLikeService): Record<string, unknown> => findRecord(installed, 301)!;

/** The bundled service, and the screens on it. */
async function openBundled(
	t: TestContext,
	screen: 'agents' | 'abilities' | 'installed',
): Promise<{readonly service: TestService; readonly app: RenderedApp}> {
	const service = await startTestService();
	t.after(async () => service.close());
	const app = await openApp(t, {service: {baseAddress: service.baseAddress, apiKey: service.key}, screen, size: wide});
	await app.until(() => app.session().records.changeFeed.get().stream === 'open');
	return {service, app};
}

test('an opened record follows a change that the service tells of, whether it was opened as an ability, as an installed one or from an agent', async (t: TestContext) => {
	for (const [screen, keys] of [
		['installed', ['enter']],
		['abilities', ['enter']],
		['agents', ['enter', 'enter']],
	] as const) {
		const {service, app} = await openBundled(t, screen);
		for (const key of keys) {
			await app.press(key).shows('esc back');
			await app.shows(lines => !includes('reading…')(lines));
		}

		const name = (await app.shows(' State')).at(0)!.trim().split(' ', 1)[0]!;
		const record = named(await service.read(paths.installed), name);
		for (const isEnabled of [record['enabled'] !== true, record['enabled'] === true]) {
			const {status} = await service.ask('PUT', paths.editInstalled(record['id']), {body: {enabled: isEnabled}});
			assert.equal(status, 200);
			await app.shows(new RegExp(`^ State +${isEnabled ? 'on' : 'off'}$`));
		}

		await app.close();
	}
});

test('an opened ability that was read by itself shows what the list shows since, and is read again', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('enter').shows(lines => includes(' Versions      1.0.0')(lines) && !includes('reading…')(lines));
	const release = service.hold({when: isGet});
	await changeElsewhere(app, () => {
		findRecord(service.abilities, 21)!['description'] = 'It dims the lamps';
	});
	await app.shows(' Description   It dims the lamps', ' Versions      1.0.0');
	await app.until(() => service.heldCount() === 1);
	release();
	await app.shows(lines => !includes('reading…')(lines));
	await changeElsewhere(app, () => undefined);
	assert.equal(asked(service, isGet).length, 2);
});

test('an opened record that was deleted elsewhere says so, and q goes back', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('enter').shows(' Versions');
	await changeElsewhere(app, () => {
		service.abilities = without(service.abilities, 21);
		service.installed = without(service.installed, 301);
	});
	const lines = await app.shows('lamps no longer exists.');
	assert.match(lines[0]!, /^ lamps /);
	assert.equal(lines.at(-1), ' esc back  y copy id  ? keys');
	await app.press('space').says('lamps cannot be switched: this service does not list it.');
	await app.press('q').shows('[2 Abilities]');
	await app.press('3', 'g', 'enter').shows(lines_ => lines_[0]!.startsWith(' pantry') && includes(' Versions')(lines_));
	await changeElsewhere(app, () => {
		service.installed = without(service.installed, 302);
	});
	await app.shows('pantry is no longer installed.');
	await app.press('escape').shows('> off  nightwatch');
});

test('phrases follow the list until something is typed; then a change made elsewhere is a conflict', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('t').shows('> Phrases  lamps please, it is dark');
	await changeElsewhere(app, () => {
		installedLamps(service)['trigger_words'] = ['light it down'];
	});
	await app.shows('> Phrases  light it down');
	await app.press(...', more').shows('> Phrases  light it down, more');
	await changeElsewhere(app, () => {
		installedLamps(service)['trigger_words'] = ['light it up'];
	});
	await app.press(...' light', 'enter').says('They are now: light it up. Press Ctrl+S to overwrite them.');
	assert.ok(includes('> Phrases  light it down, more light')(app.lines()));
	// The question was about those phrases: others that came since are another conflict.
	await changeElsewhere(app, () => {
		installedLamps(service)['trigger_words'] = ['light it all'];
	});
	await app.press('enter').says('They are now: light it all. Press Ctrl+S to overwrite them.');
	assert.deepEqual(togglesOf(service), []);
	await app.press('enter').says('Saved: lamps listens for “light it down” and “more light”.');
});

test('the name of an agent follows the list until something is typed; then a change made elsewhere is a conflict', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: wide});
	await app.press('c').shows('> Name  Hearth');
	await changeElsewhere(app, () => {
		storedAgent(service, 1)['name'] = 'Hob';
	});
	await app.shows('> Name  Hob');
	await app.press('b').shows('> Name  Hobb');
	await changeElsewhere(app, () => {
		storedAgent(service, 1)['name'] = 'Hall';
	});
	await app.press('y', 'enter').says('Somebody else changed the name of Hall in the meantime. Press Ctrl+S to overwrite it.');
	assert.ok(includes('> Name  Hobby')(app.lines()));
	await app.press('enter').says('Saved: the agent is called Hobby.');
	assert.equal((await editsOf(service)).length, 1);
	await app.press('c', 'x').shows('> Name  Hobbyx');
	await changeElsewhere(app, () => {
		service.agents = without(service.agents, 1);
	});
	assert.ok(includes('> Name  Hobbyx')(await app.says('! Hobby no longer exists.')));
	await app.press(...escapeKeys(app)).shows('[1 Agents]', says('Hobby no longer exists. You had typed: Hobbyx'));
});

test('the choice of abilities follows the list until something is chosen; then a change made elsewhere is a conflict', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	await changeElsewhere(app, () => {
		storedAgent(service, 1)['matching_capabilities'] = [22];
	});
	await app.shows('[x]  pantry');
	assert.deepEqual(
		boxes(app.lines()).map(line => line.slice(3).split(/ {2,}/, 2).join(' ')),
		['[ ] lamps', '[x] pantry', '[ ] nightwatch', '[ ] desk'],
	);
	await app.press('space').shows('> [x]  lamps');
	await changeElsewhere(app, () => {
		storedAgent(service, 1)['matching_capabilities'] = [23];
	});
	assert.ok(includes(' + lamps')(app.lines()));
	assert.ok(includes('[x]  pantry')(app.lines()));
	await app.press('enter').says('Press Ctrl+S to overwrite them.');
	await changeElsewhere(app, () => {
		service.agents = without(service.agents, 1);
	});
	const lines = await app.says('! Hearth no longer exists.');
	assert.ok(includes('> [x]  lamps')(lines));
	await app.press('q').shows('[1 Agents]');
	assert.deepEqual(await editsOf(service), []);
});

test('the prompt in the editor follows the list until something is typed; then a change made elsewhere is a conflict', async (t: TestContext) => {
	const {promptFolder} = openEditorBench(t);
	const service = await startHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await app.press('e').shows(' Prompt of Hearth');
	await changeElsewhere(app, () => {
		Object.assign(storedAgent(service, 1), {name: 'Lantern', description: 'You keep the lantern.'});
	});
	await app.shows(' Prompt of Lantern', ' You keep the lantern.');
	await app.press('X').shows(' XYou keep the lantern.');
	await changeElsewhere(app, () => {
		storedAgent(service, 1)['description'] = 'You keep the keys.';
	});
	await app.says('The prompt of Lantern was changed elsewhere. Switchboard asks before it saves yours.');
	assert.ok(includes(' XYou keep the lantern.')(app.lines()));
	const lines = await app.press('ctrl+s').says('Conflict: somebody else changed the prompt of Lantern.');
	assert.ok(includes('   You keep the keys.')(lines));
	assert.ok(includes('   XYou keep the lantern.')(lines));
	await app.press('q').shows('[1 Agents]');
	assert.equal(keptTextIn(promptFolder), 'XYou keep the lantern.\n');
	assert.deepEqual(await editsOf(service), []);
});

test('a prompt that was taken over from the list is saved without a conflict', async (t: TestContext) => {
	openEditorBench(t);
	const service = await startHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await app.press('e').shows(' Prompt of Hearth');
	await changeElsewhere(app, () => {
		storedAgent(service, 1)['description'] = 'You keep the lantern.';
	});
	await app.shows(' You keep the lantern.');
	await app.press('X', 'ctrl+s').says('Saved: the prompt of Hearth.');
	assert.equal(storedAgent(service, 1)['description'], 'XYou keep the lantern.');
});

test('the text for an agent that was deleted elsewhere is kept when the person leaves it', async (t: TestContext) => {
	const {promptFolder} = openEditorBench(t);
	const service = await startHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await app.press('e', 'X').shows(' XYou look after a house.');
	await changeElsewhere(app, () => {
		service.agents = without(service.agents, 1);
	});
	await app.shows('the agent no longer exists');
	await app.press('escape').shows('[1 Agents]', says('not saved: Hearth no longer exists.'));
	assert.equal(keptTextIn(promptFolder), 'XYou look after a house.\n');
});

test('a question about a record follows the lists, and asks nothing more once the record is gone', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('d').says('It is on.');
	await changeElsewhere(app, () => {
		installedLamps(service)['enabled'] = false;
	});
	await app.says('It is off.');
	await changeElsewhere(app, () => {
		service.installed = without(service.installed, 301);
	});
	await app.shows(lines => boxOf(lines).includes('lamps is no longer installed.'));
	await app.press('y').shows(lines => boxOf(lines).length === 0 && says('lamps is no longer installed.')(lines));
	assert.deepEqual(asked(service, isRemoval), []);
});

test('a question about several records leaves out those that were deleted since', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('x', 'x', 'd').says('Delete 2 abilities?');
	await changeElsewhere(app, () => {
		service.abilities = without(service.abilities, 21);
	});
	await app.shows(lines => says('Delete pantry?')(lines) && boxOf(lines).includes('lamps no longer exists.'));
	await typeDelete(app);
	await app.says('pantry is deleted.');
	assert.deepEqual(storedNames(service, 'abilities'), ['nightwatch', 'desk']);
	assert.ok(asked(service, isDeletion).every(line => !line.includes('21')));
	assert.match(cursorLine(app.lines())!, /nightwatch/);
});

test('an opened agent follows the list, and e edits the prompt that it shows', async (t: TestContext) => {
	openEditorBench(t);
	const {service, app} = await openBundled(t, 'agents');
	await app.shows('> Hearth');
	await app.press('enter').shows(' Prompt');
	const {id} = named(await service.read(paths.agents), 'Hearth');
	const {status} = await service.ask('PUT', paths.editAgent, {
		body: {personality_id: id, name: 'Lantern', description: 'You keep the lantern.'},
	});
	assert.equal(status, 200);
	await app.shows(lines => lines[0]!.startsWith(' Lantern ') && includes(' You keep the lantern.')(lines));
	await app.press('e').shows(lines => lines[0]!.startsWith(' Prompt of Lantern') && includes(' You keep the lantern.')(lines));
});
