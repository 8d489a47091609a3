import {assert, test, type TestContext} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {loadWithForcedColor} from '../../../source/tui/terminal/capabilities.ts';
import {boxOf, cursorLine, isAnswered, says} from '../helpers/shown.ts';
import {asked, installedRecord, isDeletion, isRemoval, small, togglesOf, wide} from '../helpers/kit.ts';

// A test has no terminal, and Ink would leave looks out.
const {openHome} = await loadWithForcedColor(async () => import('../helpers/open-home.ts'));

test('a question is in a box above the list, which gets no keys', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 64, rows: 16}});
	const before = app.lines();
	assert.deepEqual(await app.press('d').says('Uninstall lamps'), [
		before[0],
		' 1 Agents  2 Abilities [3 Installed]',
		' state  name                               category   changed',
		' > on   lamps                              skill      2 days',
		'   on   pantry                             brain      2 days',
		'   off  nightwatch                         daemon     2 days',
		'                 ┌───────────────────────────┐',
		'                 │ Uninstall lamps?          │',
		'                 │                           │',
		'                 │ lamps (301, on)           │',
		'                 │ The ability itself stays. │',
		'                 │                           │',
		'                 │ y uninstall lamps  n no   │',
		'                 └───────────────────────────┘',
		'',
		'',
	]);
	// A pasted answer is none, and a key that is no answer means No: it is not for the list.
	app.paste('y');
	assert.deepEqual(await app.press('space').shows(isAnswered), before);
	for (const key of ['j', '2', 'q', 'escape']) {
		await app.press('d').says('Uninstall lamps');
		assert.deepEqual(await app.press(key).shows(isAnswered), before, key);
	}

	assert.equal(app.exitCode(), undefined);
	assert.deepEqual(togglesOf(service), []);
	assert.deepEqual(asked(service, isRemoval), []);
	// A Yes that came with the key that asks answers nothing: nobody can have read the question.
	app.write('dy\r');
	assert.ok(boxOf(await app.says('Uninstall lamps? Press y again.')).length > 0);
	assert.deepEqual(asked(service, isRemoval), []);
	await app.press('y').says('lamps is uninstalled.');
	assert.deepEqual(asked(service, isRemoval), ['DELETE /uninstall-capability/301/']);
});

test('a text that comes at once or is pasted on a list does nothing, and says so', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const before = app.lines();
	for (const pasteIn of [
		() => {
			app.write('Lady Gaga, daily\rday');
		},
		() => {
			app.paste('aDd');
		},
	]) {
		pasteIn();
		assert.equal((await app.says('That looks pasted: nothing was done. / filters.'))[3], before[3]);
		await app.press('escape').shows(lines => !says('That looks pasted')(lines));
	}

	// So it is on an opened record, which has no filter.
	await app.press('enter').shows('esc back');
	await app.write('Lady Gaga, daily\rday').shows(lines => says('That looks pasted: nothing was done.')(lines) && !says('/ filters')(lines));
	assert.deepEqual(asked(service, isRemoval), []);
	assert.deepEqual(togglesOf(service), []);
});

test('the question for deleting looks different from that for uninstalling, with and without colour', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const lines = await app.press('d').shows(says("doesn't say which"), says('a new id'), 'type delete: _');
	assert.deepEqual(lines.slice(12, 22), [
		'        ╔═════════════════════════════════════════════════════════════╗',
		'        ║ ! Delete lamps (21) for ever?                               ║',
		'        ║                                                             ║',
		'        ║ It is installed (301, on).                                  ║',
		'        ║ Deleting it also uninstalls it.                             ║',
		"        ║ Agents that use it lose it; this service doesn't say which. ║",
		'        ║ u uploads it again, with a new id.                          ║',
		'        ║                                                             ║',
		'        ║ type delete: _        enter delete lamps  esc no            ║',
		'        ╚═════════════════════════════════════════════════════════════╝',
	]);
	assert.match(app.rawFrame(), /\u{1B}\[31m╔/u);
	await app.press('escape', '3').shows('[3 Installed]');
	await app.press('d').says('Uninstall lamps');
	assert.match(app.rawFrame(), /\u{1B}\[33m┌/u);
	assert.deepEqual(asked(service, isDeletion), []);
});

for (const size of [{columns: 64, rows: 16}, small, {columns: 20, rows: 5}]) {
	test(`at ${size.columns}×${size.rows} Enter repeats a question and answers nothing`, async (t: TestContext) => {
		const {service, app} = await openHome(t, {size, until: 'lamps'});
		for (const [answer, removals] of [
			['n', []],
			['y', ['DELETE /uninstall-capability/301/']],
		] as const) {
			app.press('d');
			assert.ok(!says('y or n')(await app.says('Uninstall lamps?')));
			await app.press('enter', 'enter').says('Uninstall lamps? Press y or n.');
			await app.press(answer).shows(lines => !says('Uninstall lamps')(lines) && lines.some(line => line.includes(' > ')));
			await app.until(() => asked(service, isRemoval).length === removals.length);
			assert.deepEqual(asked(service, isRemoval), removals);
		}
	});
}

test('over an opened record the question is in a box too, and the details keep their scroll position', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 64, rows: 16}});
	// Unfolded it is longer than the screen.
	const before = await app.press('enter', 'enter', 'j').shows(lines => / installed · environment · 2–\d+ of 18$/.test(lines[0]!));
	const lines = await app.press('d').says('Uninstall lamps');
	assert.deepEqual(lines.slice(0, 5), before.slice(0, 5));
	assert.equal(lines.at(-1), '');
	assert.deepEqual(await app.press('n').shows(isAnswered), before);
});

test('where the box has no room for its details, the question gets a screen of its own', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: small});
	const lines = await app.press('d').says('Uninstall lamps');
	assert.deepEqual(lines.slice(2), [
		' > on   lamps                skill',
		'   on   pantry               brain',
		'   of┌───────────────────────────┐n',
		'     │ Uninstall lamps?          │',
		'     │ lamps (301, on)           │',
		'     │ The ability itself stays. │',
		'     │ y uninstall lamps  n no   │',
		'     └───────────────────────────┘',
	]);
	assert.deepEqual(await app.press('n', 'a', 'd').says('Uninstall 3 abilities'), [
		' Uninstall 3 abilities?',
		'',
		'   lamps (301, on)',
		'   pantry (302, on)',
		'   nightwatch (303, off)',
		'   The abilities themselves stay.',
		'',
		'',
		'',
		' y uninstall 3 abilities  n no',
	]);
	assert.match(cursorLine(await app.press('n').shows('[3 Installed]'))!, /lamps/);
	assert.deepEqual(boxOf(app.lines()), []);
	assert.deepEqual(asked(service, isRemoval), []);
});

test('at 20×5 a question shows its keys first, both of them', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {installed: [installedRecord(301, 'a rather long name of an ability', true)]},
		size: {columns: 20, rows: 5},
	});
	const lines = await app.press('d').shows('n no');
	assert.deepEqual(lines, [' y uninstall  n no', ' Uninstall a rather', ' long name of an', ' ability?', '   … and 2 more']);
	await app.press('n').shows(' > on   a rather');
});

test('wide characters beneath the box move nothing', async (t: TestContext) => {
	const installed = Array.from({length: 12}, (_, index) =>
		installedRecord(index + 1, index === 0 ? 'desk' : `${'x'.repeat(index % 3)}東京本社の音声エージェント`, true),
	);
	const {app} = await openHome(t, {home: {installed}, size: {columns: 64, rows: 16}});
	const before = app.lines();
	const lines = await app.press('d').says('Uninstall desk');
	assert.deepEqual(lines.map(line => line.slice(-4)).slice(2, 12), before.map(line => line.slice(-4)).slice(2, 12), lines.join('\n'));
	assert.deepEqual(
		lines.slice(6, 13).map(line => stringWidth(/^.*?(?=[│┌└])/u.exec(line)![0])),
		Array.from({length: 7}, () => 17),
	);
});
