import {assert, test, type TestContext} from '../../helpers/node.ts';
import {named, paths, startTestService, type JsonRecord, type TestService} from '../../service/running-service.ts';
import {savePreset} from '../helpers/presets.ts';
import {boxOf, cursorLine, includes} from '../helpers/shown.ts';
import {openApp, startHome, wide, type RenderedApp} from '../helpers/kit.ts';

/** Opens the screens on the bundled service, with the cursor on pantry, which is on. */
async function openOnPantry(t: TestContext, options: Parameters<typeof openApp>[1] = {}) {
	const service = await startTestService();
	t.after(async () => service.close());
	const app = await openApp(t, {size: wide, service: {baseAddress: service.baseAddress, apiKey: service.key}, ...options});
	await app.press('j', 'j').shows(/> on {3}pantry/);
	return {service, app};
}

/** The timers that the service keeps, each as “pantry off 1 printer repaired”: the state to come, the days until then, and the note. */
async function timersOf(service: TestService): Promise<readonly string[]> {
	const {timers} = await service.read<{readonly timers: readonly JsonRecord[]}>('/timers');
	return timers.map(({name, enabled, at, note}) => {
		const days = Math.round((Date.parse(String(at)) - Date.now()) / 86_400_000);
		return `${String(name)} ${enabled === true ? 'on' : 'off'} ${days} ${String(note)}`.trim();
	});
}

async function stateOf(service: TestService, name: string): Promise<unknown> {
	return named(await service.read(paths.installed), name)['enabled'];
}

/** Types the time of a timer in the field that is open, and waits until that has closed. */
async function setTimer(app: RenderedApp, text: string): Promise<void> {
	await app.press(...text).shows(`until: ${text}_`);
	await app.press('enter').shows(isClosed);
}

const isClosed = (lines: readonly string[]): boolean => !includes('until: ')(lines);

test('+ asks for the end of the present state, in a box that leaves the row in view', async (t: TestContext) => {
	const {app} = await openOnPantry(t);
	const lines = await app.press('+').shows('until: _');
	assert.deepEqual(boxOf(lines), ['pantry is on', 'until: _   30m  1h  2h  8h  07:00', 'enter 1h  tab next  esc cancel']);
	assert.match(lines.join('\n'), /> on {3}pantry/);
	await app.press('escape').shows(isClosed);
});

test('a timer of a row has a time and a note, and u and Ctrl+R go back and forth', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press('+').shows('until: _');
	await setTimer(app, '2 days printer repaired');
	assert.match(cursorLine(await app.says('pantry is on until'))!, /pantry .* until (?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)$/);
	assert.deepEqual(await timersOf(service), ['pantry off 2 printer repaired']);
	await app.press('u').says('Undone: the timer of pantry is cancelled.');
	assert.deepEqual(await timersOf(service), []);
	await app.press('ctrl+r').says('Redone: pantry is on until');
	assert.deepEqual(await timersOf(service), ['pantry off 2 printer repaired']);
});

test('Enter takes the last time used without its note, typing replaces a given time, and Tab goes through the usual ones', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press('+').shows('until: _');
	await app.press('tab').shows('until: 30m_');
	await app.press('shift+tab').shows('until: 07:00_');
	await app.press('ctrl+u').shows('until: _');
	await setTimer(app, '3 days');
	await app.says('pantry is on until');
	await app.press('+').shows('until: ');
	await app.press(...'3', ...'days noisy').shows('until: 3days noisy_');
	await app.press('enter').says('Before: off ');
	await app.press('k', '+').shows('enter 3days ');
	await app.press('enter').shows(isClosed);
	await app.says('nightwatch is off until');
	assert.deepEqual(await timersOf(service), ['pantry off 3 noisy', 'nightwatch on 3']);
});

test('a time that is not one keeps the field and what was typed', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press('+').shows('until: _');
	await app.press(...'tomorrow', 'enter').shows('! “tomorrow” has no time of day.', 'until: tomorrow_');
	await app.press('space', ...'18:00').shows('until: tomorrow 18:00_');
	await app.press('enter').shows(isClosed);
	await app.says('pantry is on until');
	assert.equal((await timersOf(service)).length, 1);
	await app.press('+').shows('until: ');
	await app.press('backspace').shows('until: _', 'enter removes it');
	await app.press('enter').says('The timer of pantry is cancelled.');
	assert.deepEqual(await timersOf(service), []);
});

test('a switch cancels a timer and says so; u brings back the state and the timer', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press('+').shows('until: _');
	await setTimer(app, '30 days');
	await app.says('pantry is on until');
	const lines = await app.press('space').says('The timer of pantry is cancelled: off ');
	assert.match(lines.join('\n'), /> off {2}pantry/);
	assert.deepEqual(await timersOf(service), []);
	await app.press('u').says('Undone: pantry is on again.');
	assert.deepEqual(await timersOf(service), ['pantry off 30']);
	assert.equal(await stateOf(service, 'pantry'), true);
});

test('+ on marked rows sets the end of each of their states, as one step for u', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press('k', 'x', 'x').shows('2 marked');
	await app.press('+').shows('2 abilities stay as they are');
	await setTimer(app, '1 day');
	await app.says('nightwatch and 1 more stay as they are until');
	assert.deepEqual((await timersOf(service)).toSorted(), ['nightwatch on 1', 'pantry off 1']);
	await app.press('u').says('Undone: the timers of nightwatch and 1 more are cancelled.');
	assert.deepEqual(await timersOf(service), []);
	await app.press('escape', 'k', '+').shows('pantry is on');
	await setTimer(app, '5 days');
	await app.says('pantry is on until');
	await app.press('k', 'x', 'x', '+').shows('2 abilities stay as they are');
	await setTimer(app, '1 day');
	await app.says('nightwatch and 1 more stay as they are until');
	await app.press('u').says('Undone: the timers of nightwatch and 1 more are as they were before.');
	assert.deepEqual(await timersOf(service), ['pantry off 5']);
});

test('a timer that was done meanwhile is nothing to undo: the next u takes back the change before it', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press('space').shows(/> off {2}pantry/);
	await app.until(async () => (await stateOf(service, 'pantry')) === false);
	await app.press('+').shows('until: _');
	await setTimer(app, '1s');
	await app.shows(/> on\^? +pantry/);
	await app.press('u').says('The timer of pantry ended or changed meanwhile. Undo again for the change before it.');
	assert.equal(await stateOf(service, 'pantry'), true);
});

test("somebody else's switch cancels a timer, and the row shows no timer any more", async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press('+').shows('until: _');
	await setTimer(app, '10 days');
	await app.says('pantry is on until');
	const {id} = named(await service.read(paths.installed), 'pantry');
	await service.ask('PUT', `/api/capabilities/edit-installed-capability/${String(id)}/`, {body: {enabled: false}});
	const lines = await app.shows(/> off.? +pantry/);
	assert.doesNotMatch(cursorLine(lines)!, /until/);
});

test('the row says until when at every width from 37 columns on, in place of the change or of the agents', async (t: TestContext) => {
	const {app} = await openOnPantry(t);
	await app.press('+').shows('until: _');
	await setTimer(app, '300 days');
	await app.says('pantry is on until');
	for (const columns of [37, 40, 60, 80, 120, 160]) {
		app.resize({columns, rows: 24});
		const lines = await app.shows(
			shown => Math.max(...shown.map(line => line.length)) <= columns && /> on {3}pantry/.test(shown.join('\n')),
		);
		assert.match(cursorLine(lines)!, /^ > on {3}pantry .*until \d\d-\d\d/, `${columns} columns`);
	}

	app.resize({columns: 30, rows: 24});
	assert.doesNotMatch(cursorLine(await app.shows(shown => Math.max(...shown.map(line => line.length)) <= 30))!, /until/);
});

test('a preset is applied until a time: each ability that it switches gets a timer back', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await savePreset(app, {name: 'night', on: ['nightwatch'], off: ['pantry', 'deskmusic']});
	await app.press('b').shows('night');
	await app.press('enter').shows('+ until');
	await app.press('+').shows('until: _');
	await setTimer(app, '1 day');
	await app.says('Applied night: 2 switched.');
	assert.deepEqual((await timersOf(service)).toSorted(), ['nightwatch off 1', 'pantry on 1']);
	await app.press('u').says('again.');
	assert.deepEqual(await timersOf(service), []);
});

test('the palette switches until a time', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press(':').shows('enter run');
	await app.press(...'off pantry for 5 days').shows('switch off pantry until 5 days');
	await app.press('enter').says('pantry is off until');
	await app.until(async () => (await timersOf(service)).length === 1);
	assert.deepEqual(await timersOf(service), ['pantry on 5']);
	await app.press(':').shows('enter run');
	await app.press(...'off pantry for 5 days', 'enter').says('pantry is already off: no timer was set.');
});

test('a key that may only read is refused before anything is asked', async (t: TestContext) => {
	const {app} = await openOnPantry(t, {isReadOnly: true});
	await app.press('+').says('Not switched: this run is read-only.');
});

test('for a service without timers the screens keep them, and ask once whether that is enough', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	await app.press('+').shows('until: _');
	await setTimer(app, '1s');
	await app.shows('Nothing happens at that time unless Switchboard stays open.');
	await app.press('y').says('lamps is on until');
	await app.shows(/> off\^? +lamps/);
	await app.press('j', '+').shows('until: _');
	await setTimer(app, '1h');
	await app.says('is on until');
});

test('the time of a timer is replaced by what is typed', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.press('+').shows('until: _');
	await setTimer(app, '2 days');
	await app.press('+').shows(/until: \S+ \d\d:\d\d_|until: \S+_/);
	await app.press('3').shows('until: 3_');
	await app.press(...' days', 'enter').shows(isClosed);
	await app.says('Before: off');
	assert.deepEqual(await timersOf(service), ['pantry off 3']);
});

test('the palette says why a time is none, and keeps what was typed', async (t: TestContext) => {
	const {app} = await openOnPantry(t);
	await app.press(':').shows('enter run');
	const lines = await app.press(...'off pantry until 25:00').shows('> switch off pantry until 25:00');
	assert.match(lines.at(-2)!, /“25:00” is not a time/);
	await app.press('enter').shows(':off pantry until 25:00_', '> switch off pantry until 25:00');
});

test('leaving says which timers only the screens kept', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	await app.press('+').shows('until: _');
	await app.press(...'2 days', 'enter').shows('Nothing happens at that time unless Switchboard stays open.');
	await app.press('y').says('lamps is on until');
	assert.match(app.afterwords().join('\n'), /^Nothing keeps the timer of lamps now \(off .*\)\. To keep timers: switchboard timers run$/);
});

test('a time, a note and Enter in one chunk are typed, and Alt with a letter loses nothing', async (t: TestContext) => {
	const {service, app} = await openOnPantry(t);
	await app.write('+').shows('until: _');
	await app.write('4 days by hand\u{1B}b').shows('until: 4 days by hand_');
	await app.press('ctrl+u').shows('until: _');
	await app.write('4 days by hand\r').shows(isClosed);
	await app.says('pantry is on until');
	assert.deepEqual(await timersOf(service), ['pantry off 4 by hand']);
});
