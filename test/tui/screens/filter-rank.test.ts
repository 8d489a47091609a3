import {assert, test, type TestContext} from '../../helpers/node.ts';
import {abilityHead, cursorLine, includes, says, screen, shown, filterLine} from '../helpers/shown.ts';
import {installedRecord, isToggle, keyBytes, openHome, renderApp, type RenderAppOptions, startHome, togglesOf} from '../helpers/kit.ts';

const header = 'environment · 127.0.0.1:00000  every 15 s · 3 of 4 on';

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
	app.write('/night\r ');
	assert.deepEqual(
		shown(await app.waitForFrame(includes('> on   nightwatch'))),
		screen({
			header: 'environment · 127.0.0.1:00000  every 15 s · 4 of 4 on',
			tabs: '1 Agents  2 Abilities [3 Installed]',
			filter: '/night   2 of 4',
			rows: [row('nightwatch', 'on ', ' > '), row('goodnight')],
		}),
	);
	await app.waitUntil(() => togglesOf(service).length > 0);
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[3],
	);
});

test('a refresh leaves the cursor on its record, even if a better match arrives', async (t: TestContext) => {
	const {service, app} = await openRankedHome(t);
	app.write('/mlt\r');
	await app.waitForFrame(includes(' > on   morninglights'));
	service.installed.push(installedRecord(9, 'mlt', true));
	app.press('r');
	assert.deepEqual(shown(await app.waitForFrame(includes('2 of 5'))).slice(3, 5), [
		row('mlt', 'on ', '^  '),
		row('morninglights', 'on ', ' > '),
	]);
	service.installed.shift();
	app.press('r');
	assert.match(cursorLine(await app.waitForFrame(includes('1 of 4')))!, /mlt /);
	assert.deepEqual(togglesOf(service), []);
});

test('an unknown state is named, with the known ones', async (t: TestContext) => {
	const {app} = await openRankedHome(t);
	app.write('/is:foo\r');
	assert.deepEqual(
		shown(await app.waitForFrame(says('Unknown filter “is:foo”'))),
		screen({
			header,
			tabs: '1 Agents  2 Abilities [3 Installed]',
			filter: '/is:foo   0 of 4',
			head: abilityHead,
			rows: ['   Unknown filter “is:foo”. Use is:on, is:off, is:marked,', '   is:failed or is:changed.', '   Esc clears the filter.'],
		}),
	);
});

test('an unknown field is named while it is typed, and once nothing matches', async (t: TestContext) => {
	const {app} = await openRankedHome(t);
	app.write('/!cat:skill');
	await app.waitForFrame(includes('cat: is not known: use is:, category: or agent:'));
	app.press('ctrl+u');
	app.write('cat:skill');
	await app.waitForFrame(says('Unknown filter “cat:skill”. Did you mean category:skill?'));
});

test('a condition that is not finished leaves the rows, and says so once it is kept', async (t: TestContext) => {
	const {app} = await openRankedHome(t);
	app.write('/is:of\r');
	await app.waitForFrame(says('“is:of” is not finished, and filters nothing yet. / goes on.'));
	assert.equal(filterLine(app.lines()), '/is:of   4 of 4');
});

test('is:failed matches failed rows, and a retried row stays under the cursor', async (t: TestContext) => {
	const {service, app} = await openRankedHome(t);
	app.write('/is:failed\r');
	await app.waitForFrame(includes('0 of 4'));
	app.press('escape');
	service.failNext({when: isToggle, status: 403});
	app.press('j', 'space');
	await app.waitForFrame(includes('!> on   goodnight'));
	app.press('escape');
	app.write('/is:failed\r');
	await app.waitForFrame(lines => includes('1 of 4')(lines) && includes('!> on   goodnight')(lines));
	app.press('space');
	await app.waitForFrame(lines => includes('1 of 4')(lines) && includes(' > off  goodnight')(lines));
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[2, 2],
	);
});

test('the filter line and the help explain the filter language', async (t: TestContext) => {
	const {app} = await openRankedHome(t, {size: {columns: 80, rows: 14}});
	app.press('/');
	assert.equal((await app.waitForFrame(includes('/_'))).at(-1), ' enter keep  esc clear  tab complete  !word without it');
	app.write('!is:');
	assert.equal(
		(await app.waitForFrame(includes('/!is:_'))).at(-1),
		' is: on, off, marked, failed, changed  enter keep  esc clear  tab complete',
	);
	app.write(keyBytes('ctrl+u', ...'category:'));
	assert.equal(
		(await app.waitForFrame(includes('/category:_'))).at(-1),
		' category: skill, brain, daemon, local  enter keep  esc clear  tab complete',
	);
	app.press('escape', '?');
	await app.waitForFrame(includes(' Keys'));
	app.write('/agent:hearth');
	await app.waitForFrame(includes(' > agent:  belongs to an agent, such as agent:hearth'));
});

test('the best match also gets the cursor when the keys come before the list', async (t: TestContext) => {
	const service = await startHome(t, {
		home: {installed: [installedRecord(1, 'morninglights', true), installedRecord(3, 'nightwatch', false)]},
	});
	const release = service.hold();
	const app = await renderApp(t, {service});
	app.write('/night\r ');
	await app.waitUntil(() => service.heldCount() === 1);
	release();
	await app.waitForFrame(includes(' > on   nightwatch'));
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[3],
	);
});
