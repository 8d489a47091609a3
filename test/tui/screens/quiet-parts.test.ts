import {assert, Buffer, test, type TestContext} from '../../helpers/node.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {detectCapabilities} from '../../../source/tui/terminal/capabilities.ts';
import {named, paths, startTestService} from '../../service/running-service.ts';
import {createFrameRecorder, cursorLine, includes, installedRecord, openApp, openHome, temporaryFolders} from '../helpers/kit.ts';

const size = {columns: 80, rows: 24};

const openSamples = async (t: TestContext, options: Parameters<typeof openApp>[1] = {}) =>
	openApp(t, {size, until: lines => includes('version 1')(lines) && includes('for Hearth')(lines), ...options});

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
		' 00:00  you        nightwatch                    off → on              u undoes',
	]);
	const undone = await app.press('u').shows(isLate('on → off'));
	assert.deepEqual(
		parts(undone).filter(line => line.startsWith(' 00:00')),
		[' 00:00  you        nightwatch                    on → off', ' 00:00  you        nightwatch                    off → on'],
	);
});

test('the changes of one key are one line', async (t: TestContext) => {
	const app = await openSamples(t);
	await app.press('a', 'D').shows(isLate('morninglights and 8 more'));
	assert.equal(parts(app.lines()).filter(line => line.includes('on → off')).length, 1);
});

test('what others change stands under lately with their name, which the row and an opened record have too', async (t: TestContext) => {
	const service = await startTestService();
	t.after(async () => service.close());
	const keys = await openApiKeys(service.dataFolder);
	const {key} = await keys.create({account: 'default', name: 'anna'});
	await keys.close();
	const app = await openSamples(t, {service: {baseAddress: service.baseAddress, apiKey: service.key}});
	await app.until(() => app.session().changeFeed.isOpen());
	const {id} = named(await service.read(paths.installed), 'nightwatch');
	await service.ask('PUT', paths.editInstalled(id), {body: {enabled: true}, key});
	const lines = await app.shows(isLate('by anna'));
	assert.equal(parts(lines).at(-1), ' 00:00  by anna    nightwatch                    off → on');
	await app.press('j').shows(frame => /── nightwatch ── +by anna, \d\d:\d\d · daemon · /.test(frame.join('\n')));
	assert.match((await app.press('enter').shows(frame => frame[0]!.startsWith(' nightwatch')))[0]!, / changed by anna, \d\d:\d\d · /);
	assert.equal(app.ui.requests.getEntries().filter(({path}) => path === '/history').length, 1);
});

test('the parts give way to a longer list, and come beside it from 100 columns', async (t: TestContext) => {
	const installed = Array.from({length: 30}, (_, index) => installedRecord(index + 1, `lamp${index + 1}`, true));
	const {app} = await openHome(t, {size, home: {installed}, until: includes('lamp1 ')});
	assert.ok(app.lines().every(line => !line.includes('──')));
	await app.resize({columns: 100, rows: 24}).shows('│ lamp1');
	await app.press('space').shows('│ ── lately');
	assert.ok(app.lines().some(line => /│ \d\d:\d\d {2}you {8}lamp1 {2}on → off/.test(line)));
});

test('p hides the parts and shows them, and the next start has them as they were left', async (t: TestContext) => {
	const folders = temporaryFolders();
	const app = await openSamples(t, {folders});
	await app.press('p').shows(lines => !includes('──')(lines));
	await app.close();
	const next = await openApp(t, {folders, size, until: includes('printerqueue')});
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
