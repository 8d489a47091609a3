import {assert, Buffer, test, type TestContext} from '../../helpers/node.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {detectCapabilities} from '../../../source/terminal/capabilities.ts';
import {named, paths, shareTestService} from '../../service/running-service.ts';
import {findRecord} from '../../helpers/live-like/home.ts';
import {startForVisits, type OpenAppOptions} from '../helpers/open-home.ts';
import {renderApp, type RenderedApp} from '../../helpers/render-app.tsx';
import {installedRecord, startHome, togglesOf} from '../helpers/homes.ts';
import {createFrameRecorder, cursorLine, includes, openApp, openHome, says, small, temporaryFolders, wide} from '../helpers/kit.ts';

const prompt = [
	'You look after a house with four people, one dog and a front door that sticks in the rain.',
	'',
	'  - Say numbers and times as people say them, and never more than two sentences at once.',
].join('\n');

/** The lines beside the list, which has 60 of 100 columns. */
const pane = (lines: readonly string[]): readonly string[] => lines.slice(3, -3).map(line => line.slice(60));

async function openAgent(t: TestContext, rows: number) {
	const agents = [
		{id: 7, name: 'Hearth', description: prompt},
		{id: 8, name: 'Porch', description: `${prompt}\n\n${prompt}`},
	];
	const service = await startHome(t, {home: {agents}});
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 100, rows}});
	return {service, app, lines: await app.shows('reads every 15 s · 2 agents')};
}

test('the text beside the list breaks between words, and keeps its indentation', async (t: TestContext) => {
	const {lines} = await openAgent(t, 24);
	assert.deepEqual(pane(lines), [
		'│ Hearth',
		'│ Id         7',
		'│ Abilities  not shown by this service',
		'│',
		'│ You look after a house with four',
		'│ people, one dog and a front door that',
		'│ sticks in the rain.',
		'│',
		'│   - Say numbers and times as people',
		'│   say them, and never more than two',
		'│   sentences at once.',
		...Array.from({length: 7}, () => '│'),
	]);
});

test('J and K scroll the details by half pages, to their end and back, without a request', async (t: TestContext) => {
	const {service, app, lines} = await openAgent(t, 15);
	const requestCount = service.requests.length;
	const end = await app.press('J').shows('4–10 of 10');
	assert.deepEqual(pane(end), [
		'│ Hearth',
		'│ You look after a house with four',
		'│ people, one dog and a front door that',
		'│ sticks in the rain.',
		'│',
		'│   - Say numbers and times as people',
		'│   say them, and never more than two',
		'│   sentences at once.',
		'│ … 4–10 of 10, K scrolls back',
	]);
	assert.match(cursorLine(end)!, /^ > Hearth /);
	// A step beyond the end is none.
	assert.deepEqual(await app.write('JJK').shows('1–7 of 10'), lines);
	assert.equal(service.requests.length, requestCount);
});

test('the details of another record start at their top, also where both keys come in one chunk', async (t: TestContext) => {
	const {app, lines} = await openAgent(t, 15);
	await app.press('J').shows('4–10 of 10');
	app.press('j');
	assert.equal(pane(await app.shows('of 18, '))[0], '│ Porch');
	assert.equal(pane(app.lines()).at(-1), '│ … 1–7 of 18, J scrolls');
	assert.deepEqual(await app.press('k').shows('of 10'), lines);
	app.write('jJ');
	assert.equal(pane(await app.shows('4–10 of 18')).at(-1), '│ … 4–10 of 18, J scrolls');
});

test('the details stay scrolled under another screen', async (t: TestContext) => {
	const {app} = await openAgent(t, 15);
	const scrolled = await app.press('J').shows('4–10 of 10');
	await app.press('?').shows(lines => lines[0]!.startsWith(' Keys'));
	assert.deepEqual(await app.press('escape').shows('[1 Agents]'), scrolled);
});

test('where no details are shown, their keys say how to show them', async (t: TestContext) => {
	const {app} = await openAgent(t, 15);
	await app.press('p', 'p', 'J').says('The details are hidden. p shows them.');
	app.resize({columns: 99, rows: 15});
	const noRoom = 'No room for details: they need 18 lines or 100 columns. Enter opens them.';
	await app.press('K').says(noRoom);
	await app.press('escape').shows(lines => !says('No room')(lines));
	await app.press('p').says(noRoom);
	app.resize({columns: 100, rows: 15});
	app.write('p');
	app.write('/nothing\r');
	await app.write('J').says('Nothing is selected.');
});

test('beside the list of abilities the details say why the last change failed', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: {columns: 120, rows: 24}, until: '> on   lamps'});
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	await app.press('space').shows(/Failed {4}\S/);
	assert.equal(service.requests.filter(({method}) => method === 'PUT').length, 1);
});

test('on the lowest screen the single line of details scrolls', async (t: TestContext) => {
	const {app, lines} = await openAgent(t, 5);
	assert.deepEqual(pane([...lines, '', '']).slice(0, 1), ['│ Id         7']);
	await app.press('J').shows('Abilities  not shown');
});

const size = {columns: 80, rows: 24};

const samples = await shareTestService();

const openSamples = async (t: TestContext, options: Parameters<typeof openApp>[1] = {}) =>
	openApp(t, {
		service: {baseAddress: samples.baseAddress, apiKey: samples.key},
		size,
		until: lines => includes('version 1')(lines) && includes('for Hearth')(lines),
		...options,
	});

/** The lines of the quiet parts beneath a list, without the time of day. */
const parts = (lines: readonly string[]): readonly string[] =>
	lines
		.slice(
			lines.findIndex(line => line.startsWith(' ── ')),
			-1,
		)
		.filter(line => line !== '')
		.map(line => line.replace(/^ \d\d:\d\d/, ' 00:00'));

const isLate =
	(what: string) =>
	(lines: readonly string[]): boolean =>
		parts(lines).some(line => line.includes(what));

test('beneath a short list the row under the cursor is told: description, agents, phrases, version and id', async (t: TestContext) => {
	const app = await openSamples(t);
	assert.deepEqual(parts(app.lines()), [
		' ── morninglights ──                                skill · version 1 · id 4 ──',
		' Brings up the lights room by room, as a sunrise would.',
		' for Hearth · listens for “good morning” and “wake the house”',
	]);
	await app.press('j').shows('── nightwatch ──');
	assert.match(cursorLine(app.lines())!, /nightwatch/);
});

test('a move sends few bytes for the rule with the name', async (t: TestContext) => {
	const app = await openSamples(t);
	await app.shows(lines => lines[0]!.includes(' live · ') && includes('for Hearth')(lines));
	const recorder = createFrameRecorder(size, detectCapabilities({TERM: 'xterm-256color', LANG: 'C.UTF-8'}));
	recorder.writer.repaint(size);
	recorder.writer.draw(app.rawFrame());
	await recorder.settle();
	recorder.forget();
	await app.press('j').shows('── nightwatch ──');
	recorder.writer.draw(app.rawFrame());
	await recorder.settle();
	const sent = recorder.sent.join('');
	assert.match(sent, /nightwatch/);
	assert.ok(Buffer.byteLength(sent) <= 450, `${Buffer.byteLength(sent)}: ${JSON.stringify(sent)}`);
});

test('what was switched stands under lately, the newest first, and says which key undoes it until it is undone', async (t: TestContext) => {
	const app = await openSamples(t);
	const once = await app.press('j', 'space').shows(isLate('off → on'));
	assert.deepEqual(parts(once).slice(-2), [
		' ── lately ────────────────────────────────────────────────────────────────────',
		' 00:00  you  nightwatch                    off → on                      u undo',
	]);
	const undone = await app.press('u').shows(isLate('on → off'));
	assert.deepEqual(
		parts(undone).filter(line => line.startsWith(' 00:00')),
		[' 00:00  you  nightwatch                    on → off', ' 00:00  you  nightwatch                    off → on'],
	);
});

test('the changes of one key are one line', async (t: TestContext) => {
	const app = await openSamples(t);
	await app.press('a', 'D').shows(isLate('morninglights and 8 more'));
	assert.equal(parts(app.lines()).filter(line => line.includes('you ') && line.includes('on → off')).length, 1);
	await app.press('u').says('switched back.');
});

test('what others change stands under lately with their name, which the row and an opened record have too', async (t: TestContext) => {
	const keys = await openApiKeys(samples.dataFolder);
	const {key} = await keys.create({account: 'default', name: 'anna'});
	await keys.close();
	const app = await openSamples(t);
	await app.until(() => app.session().records.changeFeed.get().stream === 'open');
	const {id} = named(await samples.read(paths.installed), 'nightwatch');
	await samples.ask('PUT', paths.editInstalled(id), {body: {enabled: true}, key});
	const lines = await app.shows(isLate('anna '));
	assert.match(parts(lines).join('\n'), /^ 00:00 {2}anna +nightwatch {20}off → on$/m);
	assert.match((await app.press('M').shows(' Messages')).join('\n'), / anna: nightwatch was switched on \(it was off\)\./);
	await app.press('escape').shows('[3 Installed]');
	await app.press('j').shows(frame => /── nightwatch ── +by anna, \d\d:\d\d · daemon · /.test(frame.join('\n')));
	assert.match((await app.press('enter').shows(frame => frame[0]!.startsWith(' nightwatch')))[0]!, / changed by anna, \d\d:\d\d · /);
	assert.equal(app.ui.requests.getEntries().filter(({path}) => path === '/history').length, 2);
});

test('a conflict names the person who changed the prompt', async (t: TestContext) => {
	const keys = await openApiKeys(samples.dataFolder);
	const {key} = await keys.create({account: 'default', name: 'dora'});
	await keys.close();
	const app = await openSamples(t, {screen: 'agents', until: ' > Hearth'});
	await app.until(() => app.session().records.changeFeed.get().stream === 'open');
	await app.press('e').shows(' Prompt of Hearth');
	await app.press('x').shows(' changed · ');
	await samples.ask('PUT', paths.editAgent, {body: {personality_id: 1, description: 'Be brief.'}, key});
	await app.says('The prompt of Hearth was changed elsewhere.');
	await app.press('ctrl+s').shows(' ! Conflict: dora changed the prompt of Hearth.');
});

test('a change that somebody else makes just after one did the same is theirs, also at the next start', async (t: TestContext) => {
	const keys = await openApiKeys(samples.dataFolder);
	const {key} = await keys.create({account: 'default', name: 'berta'});
	await keys.close();
	const folders = temporaryFolders();
	const high = {columns: 80, rows: 40};
	const app = await openSamples(t, {folders, size: high});
	await app.until(() => app.session().records.changeFeed.get().stream === 'open');
	const {id} = named(await samples.read(paths.installed), 'goodnight');
	await app.write('/goodnight\r').shows(' > on   goodnight');
	await app.press('space').shows(' > off  goodnight');
	await app.press('u').says('Undone: goodnight is on again.');
	await app.session().changes.log.entriesOf([]);
	await samples.ask('PUT', paths.editInstalled(id), {body: {enabled: false}, key});
	const late = ['00:00 berta goodnight on → off', '00:00 you goodnight off → on'];
	const lateIn = (lines: readonly string[]): readonly string[] =>
		parts(lines)
			.filter(line => line.startsWith(' 00:00'))
			.map(line => line.trim().replaceAll(/ +/g, ' '));
	assert.deepEqual(lateIn(await app.shows(isLate('berta '))).slice(0, 2), late);
	await app.close();
	const next = await openSamples(t, {folders, size: high, until: isLate('berta ')});
	assert.deepEqual(lateIn(next.lines()).slice(0, 2), late);
	// The log of this machine is written later after a change than it is read after the first list.
	const {length} = next.session().changes.log.entries();
	next.press('space');
	await next.until(() => next.session().changes.log.entries().length > length);
	assert.deepEqual(lateIn(next.lines()).slice(1, 3), late);
});

test('beneath a longer list the parts keep four rows, and they come beside it from 100 columns', async (t: TestContext) => {
	const installed = Array.from({length: 30}, (_, index) =>
		installedRecord(index + 1, `lamp${index + 1}`, true, {trigger_words: ['light']}),
	);
	const {app} = await openHome(t, {size, home: {installed}, until: includes('lamp14 ')});
	assert.deepEqual(
		parts(app.lines()),
		[
			` ── lamp1 ──${' '.repeat(52)}skill · id 1 ──`,
			' listens for “light”',
			' space switch  d uninstall  enter open  / filter  x mark  ? keys  q quit  T talk',
		].slice(0, -1),
	);
	assert.equal(
		app.lines().findIndex(line => line.startsWith(' ── ')),
		17,
	);
	await app.press('space').shows(isLate('on → off'));
	assert.deepEqual(parts(app.lines()), [
		` ── lamp1 ── listens for “light”${' '.repeat(48)}`.trimEnd(),
		` 00:00  you  lamp1                         on → off${' '.repeat(22)}u undo`,
	]);
	assert.equal(
		app.lines().findIndex(line => line.startsWith(' ── ')),
		17,
	);
	for (let index = 2; index <= 14; index++) {
		app.press('j');
	}

	// The last row is above the parts.
	await app.shows(' > on   lamp14 ');
	await app.resize({columns: 100, rows: 24}).shows('│ lamp14');
	await app.shows(/│ \d\d:\d\d {2}you {2}lamp1 {2}on → off/);
});

test('as many changes since the last visit as there are rows take all of them, the newest first', async (t: TestContext) => {
	const installed = Array.from({length: 30}, (_, index) => installedRecord(index + 1, `lamp${index + 1}`, true));
	const {visit} = await startForVisits(t, {home: {installed}, size});
	await (await visit()).close();
	const app = await visit();
	for (const name of ['lamp1', 'lamp2', 'lamp3']) {
		await app.press('space').shows(` > off  ${name} `);
		app.press('j');
	}

	await app.shows(isLate('lamp3 '));
	assert.deepEqual(
		parts(app.lines())
			.slice(1)
			.map(line => line.slice(0, 18).trim()),
		['00:00  you  lamp3', '00:00  you  lamp2', '00:00  you  lamp1'],
	);
});

test('a message takes its rows from the parts, and below 18 rows there are none', async (t: TestContext) => {
	const installed = Array.from({length: 30}, (_, index) => installedRecord(index + 1, `lamp${index + 1}`, true));
	const {app} = await openHome(t, {size: {columns: 80, rows: 18}, home: {installed}, until: includes('lamp8 ')});
	assert.ok(!includes('lamp9 ')(app.lines()));
	app.ui.say('error', 'word '.repeat(30).trim());
	await app.shows(lines => lines.filter(line => line.includes('word word')).length === 2);
	assert.equal(includes('lamp8 ')(app.lines()), true);
	await app.resize({columns: 80, rows: 17}).shows('lamp9 ');
	assert.ok(!includes('──')(app.lines()));
});

test('p goes through both parts, the changes only and none, and the next start has them as they were left', async (t: TestContext) => {
	const folders = temporaryFolders();
	const app = await openSamples(t, {folders});
	await app.press('p').shows(lines => includes('── lately')(lines) && !includes('── morninglights')(lines));
	await app.press('p').shows(lines => !includes('──')(lines));
	await app.close();
	const next = await openSamples(t, {folders, until: 'printerqueue'});
	assert.ok(!includes('──')(next.lines()));
	await next.press('p').shows('── morninglights ──');
});

test('a filter leaves the list and the parts in their places', async (t: TestContext) => {
	const app = await openSamples(t);
	const ruleRow = (lines: readonly string[]): number => lines.findIndex(line => line.startsWith(' ── '));
	const before = ruleRow(app.lines());
	app.write('/pantry');
	assert.equal(ruleRow(await app.shows('── pantry ──')), before);
});

test('a prompt that is cut ends in one ellipsis, and keeps to the width', async (t: TestContext) => {
	for (const length of [9, 77, 78, 79, 200]) {
		const agents = [{id: 7, name: 'Hearth', description: `${'b'.repeat(length)}\n`.repeat(30)}];
		const {app} = await openHome(t, {size, screen: 'agents', home: {agents}, until: includes('J scrolls ──')});
		const last = parts(app.lines()).at(-1)!;
		assert.match(last, /^ b+ ?…$/);
		assert.ok(last.length <= 79, `${last.length}: ${last}`);
	}
});

test('control characters in a prompt reach neither the part nor the terminal', async (t: TestContext) => {
	const agents = [{id: 7, name: 'He\u{1B}[31marth', description: 'Be\u{1B}]0;owned\u{7} kind.\u{1B}[2J\u{202E}evil'}];
	const {app} = await openHome(t, {size, screen: 'agents', home: {agents}, until: includes('id 7 ──')});
	const told = parts(app.lines()).join('\n');
	assert.match(told, /Be.* kind/);
	assert.doesNotMatch(app.rawFrame(), /\u{1B}\]0|\u{1B}\[2J|[\u{7}\u{202E}]/u);
});

const agent = (id: number, name: string, abilityIds: readonly number[]) => ({
	id,
	name,
	description: `You are ${name}.`,
	image: null,
	matching_capabilities: abilityIds,
});

const createHome = () => ({
	agents: [agent(1, 'Hearth', [21, 22, 23]), agent(2, 'Porch', [22])],
	installed: [
		installedRecord(301, 'lamps', true, {capability_id: 21, trigger_words: ['lamps please', 'it is dark']}),
		installedRecord(302, 'candles', true, {capability_id: 22, trigger_words: ['It is dark!']}),
		installedRecord(303, 'nightwatch', false, {capability_id: 23, trigger_words: ['guard the house']}),
		installedRecord(304, 'radio', true, {capability_id: 25, trigger_words: ['some music']}),
	],
});

const open = async (t: TestContext, options: OpenAppOptions = {}) => openHome(t, {home: createHome(), size: wide, ...options});

const line = (lines: readonly string[]): string => lines.findLast(each => /^["…]/u.test(each)) ?? '';

const waitForLine = async (app: RenderedApp, wanted: string): Promise<readonly string[]> => app.shows(lines => line(lines) === wanted);

const rowsIn = (lines: readonly string[]): readonly string[] =>
	lines.filter(each => /^[ !*^][ >][ +=|](?:on|off|Hearth|Porch)[ ~]/.test(each));

test('as a sentence is typed, the rows say what it would start for which agent, and so does the line', async (t: TestContext) => {
	const {app} = await open(t);
	app.write('"');
	app.write('Now it is');
	assert.ok(
		includes('This is how the bundled service matches phrases; others may differ.')(await waitForLine(app, '"Now it is_   starts nothing')),
	);
	app.write(' dark, q3 ');
	assert.deepEqual(rowsIn(await waitForLine(app, '"Now it is dark, q3 _   would start lamps for Hearth, candles for Porch; colli…')), [
		' >+on   lamps               starts: Hearth                            2 days',
		'  +on   candles             starts: Porch                             2 days',
		'   off  nightwatch          Hearth     guard the house                2 days',
		'   on   radio               –          some music                     2 days',
	]);
	app.press('enter', '1');
	assert.deepEqual(rowsIn(await app.shows('[1 Agents]')), [
		' >+Hearth              ●●○         starts lamps, collides with candles',
		'  +Porch               ●           starts candles',
	]);
	app.press('2', '"');
	app.press('ctrl+u');
	app.write('open the desk');
	// The list of abilities has it, but it is not installed.
	await waitForLine(app, '"open the desk_   starts nothing');
});

test('each switch is followed, before and after the service has answered, and each refresh', async (t: TestContext) => {
	const {service, app} = await open(t);
	app.write('"');
	app.write('it is dark\r');
	await waitForLine(app, '"it is dark   would start lamps for Hearth, candles for Porch; collides with c…');
	const release = service.hold();
	app.press('space');
	const lines = await waitForLine(app, '"it is dark   would start candles for every agent; lamps has it, but is off');
	assert.deepEqual(rowsIn(lines).slice(0, 2), [
		' >|off~ lamps               has it: Hearth                            2 days',
		'  +on   candles             starts: every agent                       2 days',
	]);
	release();
	await app.shows(' >|off  lamps');
	assert.equal(togglesOf(service).length, 1);
	findRecord(service.installed, 302)!['trigger_words'] = ['light a candle'];
	app.press('r');
	await waitForLine(app, '"it is dark   starts nothing: lamps has it, but is off');
});

test('a sentence is kept beside a filter while one moves and marks, and Escape clears it last', async (t: TestContext) => {
	const {app} = await open(t);
	app.write('"');
	app.write('some music\r');
	const lines = await app.write('/ra\r').shows('/ra   1 of 4');
	assert.deepEqual(lines.slice(-3, -1), ['/ra   1 of 4', '"some music   would start radio for every agent']);
	app.press('x');
	assert.deepEqual(rowsIn(await app.shows('*>+on   radio')), [
		'*>+on   radio               starts: every agent                       2 days',
	]);
	app.press('escape', 'escape');
	assert.equal(
		rowsIn(await app.shows(lines_ => rowsIn(lines_).length === 4)).at(-1),
		' >+on   radio               starts: every agent                       2 days',
	);
	app.press('"', 'backspace');
	await waitForLine(app, '"some musi_   starts nothing');
	app.press('escape');
	assert.equal(
		rowsIn(await app.shows(each => line(each) === '')).at(-1),
		' > on   radio               –          some music                     2 days',
	);
});

test('on a narrow and low screen a sign before the state says it', async (t: TestContext) => {
	const {app} = await open(t, {size: {...small, columns: 34}});
	app.write('"');
	app.write('guard the house\r');
	const lines = await waitForLine(app, '…uard the house   starts nothing…');
	assert.deepEqual(lines.slice(2), [
		' > on   lamps',
		'   on   candles',
		'  |off  nightwatch',
		'   on   radio',
		'',
		'',
		' space switch  / filter  ? keys',
		'…uard the house   starts nothing…',
	]);
});
