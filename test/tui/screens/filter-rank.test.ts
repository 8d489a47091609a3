import {assert, test, type TestContext} from '../../helpers/node.ts';
import {abilityHead, cursorLine, assertScreen, shown, filterLine} from '../helpers/shown.ts';
import {
	installedRecord,
	isToggle,
	keyBytes,
	openHome,
	renderApp,
	type RenderAppOptions,
	startHome,
	toggledIds,
	togglesOf,
} from '../helpers/kit.ts';

const header = 'Switchboard  environment  reads every 15 s · 3 of 4 on';

const row = (name: string, state = 'on ', start = ' '.repeat(3)): string => `${start}${state}  ${name.padEnd(35)}skill      2 days`;

const openRankedHome = async (t: TestContext, options: RenderAppOptions = {}) =>
	openHome(t, {
		home: {
			installed: [
				installedRecord(1, 'morninglights', true, {trigger_words: ['good morning']}),
				installedRecord(2, 'goodnight', true, {trigger_words: ['good night']}),
				installedRecord(3, 'nightwatch', false),
				installedRecord(4, 'watch', true),
			],
		},
		...options,
	});

test('the best match gets the cursor: /night Enter Space switches nightwatch, and never morninglights', async (t: TestContext) => {
	const {service, app} = await openRankedHome(t);
	assertScreen(await app.write('/night\r ').shows('> on   nightwatch'), {
		header: 'Switchboard  environment  reads every 15 s · 4 of 4 on',
		tabs: '1 Agents  2 Abilities [3 Installed]',
		filter: '/night   2 of 4',
		rows: [row('nightwatch', 'on ', ' > '), row('goodnight')],
	});
	await app.until(() => togglesOf(service).length > 0);
	assert.deepEqual(toggledIds(service), [3]);
});

test('a refresh leaves the cursor on its record, even if a better match arrives', async (t: TestContext) => {
	const {service, app} = await openRankedHome(t);
	await app.write('/mlt\r').shows(' > on   morninglights');
	service.installed.push(installedRecord(9, 'mlt', true));
	assert.deepEqual(shown(await app.press('r').shows('2 of 5')).slice(3, 5), [row('mlt', 'on ', '^  '), row('morninglights', 'on ', ' > ')]);
	service.installed.shift();
	assert.match(cursorLine(await app.press('r').shows('1 of 4'))!, /mlt /);
	assert.deepEqual(togglesOf(service), []);
});

test('an unknown state is named, with the known ones', async (t: TestContext) => {
	const {app} = await openRankedHome(t);
	assertScreen(await app.write('/is:foo\r').says('Unknown filter “is:foo”'), {
		header,
		tabs: '1 Agents  2 Abilities [3 Installed]',
		filter: '/is:foo   0 of 4',
		head: abilityHead,
		rows: [
			'   Unknown filter “is:foo”. Use is:on, is:off, is:marked,',
			'   is:timed, is:failed or is:changed.',
			'   Esc clears the filter.',
		],
	});
});

test('an unknown field is named while it is typed, and once nothing matches', async (t: TestContext) => {
	const {app} = await openRankedHome(t);
	await app.write('/!cat:skill').shows('cat: is not known: use is:, category:, agent: or changed:');
	app.press('ctrl+u');
	await app.write('cat:skill').says('Unknown filter “cat:skill”. Did you mean: category:skill');
});

test('a condition that is not finished leaves the rows, and says so once it is kept', async (t: TestContext) => {
	const {app} = await openRankedHome(t);
	await app.write('/is:of\r').says('“is:of” is not finished, and filters nothing yet. / goes on.');
	assert.equal(filterLine(app.lines()), '/is:of   4 of 4');
});

test('is:failed matches failed rows, and a retried row stays under the cursor', async (t: TestContext) => {
	const {service, app} = await openRankedHome(t);
	await app.write('/is:failed\r').shows('0 of 4');
	app.press('escape');
	service.failNext({when: isToggle, status: 403});
	await app.press('j', 'space').shows('!> on   goodnight');
	app.press('escape');
	await app.write('/is:failed\r').shows('1 of 4', '!> on   goodnight');
	await app.press('space').shows('1 of 4', ' > off  goodnight');
	assert.deepEqual(toggledIds(service), [2, 2]);
});

test('the filter line and the help explain the filter language', async (t: TestContext) => {
	const {app} = await openRankedHome(t, {size: {columns: 80, rows: 14}});
	assert.equal((await app.press('/').shows('/_')).at(-1), ' enter keep  esc clear  ctrl+t switch  tab complete  !word without it');
	assert.equal((await app.write('!is:').shows('/!is:_')).at(-1), ' is: on, off, marked, timed, failed, changed  enter keep  esc clear');
	assert.equal(
		(await app.write(keyBytes('ctrl+u', ...'category:')).shows('/category:_')).at(-1),
		' category: skill, brain, daemon, local  enter keep  esc clear  ctrl+t switch',
	);
	await app.press('escape', '?').shows(' Keys');
	await app.write('/agent:hearth').shows(' > agent:  belongs to an agent, such as agent:hearth');
});

test('the best match also gets the cursor when the keys come before the list', async (t: TestContext) => {
	const service = await startHome(t, {
		home: {installed: [installedRecord(1, 'morninglights', true), installedRecord(3, 'nightwatch', false)]},
	});
	const release = service.hold();
	const app = await renderApp(t, {service});
	await app.write('/night\r ').until(() => service.heldCount() === 1);
	release();
	await app.shows(' > on   nightwatch');
	assert.deepEqual(toggledIds(service), [3]);
});
