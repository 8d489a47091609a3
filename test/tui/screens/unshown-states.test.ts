import {assert, test, type TestContext} from '../../helpers/node.ts';
import {setVariables} from '../../helpers/set-variables.ts';
import {installedListCount, installedRecord, startHome, togglesOf} from '../helpers/homes.ts';
import {filterLine, openApp, openHome, screen, shown} from '../helpers/kit.ts';

/** An installed ability whose state the service keeps and never shows. */
const hiddenRecord = (id: number, name: string): Record<string, unknown> => {
	const record = installedRecord(id, name, false);
	Object.defineProperty(record, 'enabled', {enumerable: true, get: () => null, set: () => undefined});
	return record;
};

/** One that is on, one that is off, one whose state is null, one whose state is missing. */
const startHalfShownHome = async (t: TestContext) => {
	const {enabled: _, ...porch} = installedRecord(304, 'porch', false);
	return startHome(t, {
		home: {installed: [installedRecord(301, 'lamps', true), installedRecord(302, 'nightwatch', false), hiddenRecord(303, 'pantry'), porch]},
	});
};

const lamps = '   on   lamps                              skill      2 days';
const nightwatch = '   off  nightwatch                         skill      2 days';
const pantry = '   ?    pantry                             skill      2 days';
const porch = '   ?    porch                              skill      2 days';

const underCursor = (row: string): string => ` >${row.slice(2)}`;

const bodyOf = (name: string, isEnabled: boolean) => ({
	enabled: isEnabled,
	name,
	category: 'skill',
	trigger_words: [],
	system_capability: false,
	agent_capability: true,
});

const header = 'environment  every 15 s · 4 installed, 1 on, 2 unknown';
const tabs = '1 Agents  2 Abilities [3 Installed]';

test('a state that is null or missing shows as ?, is counted apart, and is neither on nor off', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	assert.deepEqual(shown(app.lines()), screen({header, tabs, rows: [underCursor(lamps), nightwatch, pantry, porch]}));
	for (const [filter, rows] of [
		['is:on', [lamps]],
		['is:off', [nightwatch]],
		['!is:on', [nightwatch, pantry, porch]],
	] as const) {
		const lines = await app.press('/', ...filter, 'enter').shows(frame => filterLine(frame).startsWith(`/${filter} `));
		assert.deepEqual(
			lines.filter(line => /(?:lamps|nightwatch|pantry|porch) /.test(line)).map(line => `   ${line.slice(3)}`),
			rows,
		);
		await app.press('escape').shows(frame => filterLine(frame) === '');
	}
});

test('Space on ? is refused and names the keys that switch on or off', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	assert.deepEqual(
		shown(await app.write('jj ').says("doesn't show")),
		screen({
			header,
			tabs,
			rows: [lamps, nightwatch, underCursor(pantry), porch],
			message: [" This service doesn't show whether pantry is on. E switches it", ' on, D off.'],
		}),
	);
	assert.deepEqual(togglesOf(service), []);
});

test('E and D without marks switch the row under the cursor, with exactly one request where the state is ?', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	await app.write('jjDD').says('pantry is off.');
	assert.deepEqual(togglesOf(service), [{id: 303, body: bodyOf('pantry', false)}]);
	await app.press('D').says('pantry is already off.');
	await app.press('r').until(() => installedListCount(service) === 2);
	await app.shows(underCursor(pantry));
	await app.press('E').says('pantry is on.');
	assert.deepEqual(togglesOf(service).slice(1), [{id: 303, body: bodyOf('pantry', true)}]);
	await app.write('gE').says('lamps is already on.');
	await app.press('D').says('lamps is off.');
	assert.deepEqual(togglesOf(service).slice(2), [{id: 301, body: bodyOf('lamps', false)}]);
});

test('a switch from ? cannot be undone and says why; in a bulk change the known states can', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	await app.write(' jjE').says('pantry is on.');
	await app
		.press('u')
		.says(
			'pantry was switched on, and that cannot be undone: the service did not show its state before. Undo again for the change before it.',
		);
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[301, 303],
		'lamps, which was switched before, is left alone',
	);
	await app.press('a', 'D').says('2 switched off.');
	await app
		.press('u')
		.says('Undone: pantry is on again. porch was switched off, and that cannot be undone: the service did not show its state before.');
});

test('an unknown state shows as ? on Abilities, in the details and in the opened ability too', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		home: {installed: [hiddenRecord(302, 'pantry')]},
		screen: 'abilities',
		size: {columns: 120, rows: 24},
		until: ' ?    pantry',
	});
	await app.press('j').shows(/State\s+\?$/);
	await app.press('space').says("This service doesn't show whether pantry is on. E switches it on, D off.");
	await app.press('enter').shows(/State\s+\?$/);
	assert.deepEqual(togglesOf(service), []);
});

test('the question for uninstalling does not call an unknown state off', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	await app.write('jjd').says('pantry (303, state not shown)');
});

test('a screen reader is told that a state is not shown', async (t: TestContext) => {
	setVariables(t, {INK_SCREEN_READER: 'true'});
	await openApp(t, {service: await startHalfShownHome(t), until: '  pantry, state not shown, '});
});
