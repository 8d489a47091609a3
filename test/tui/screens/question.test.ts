import {assert, test, type TestContext} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {loadWithForcedColor} from '../../../source/terminal/capabilities.ts';
import {boxOf, cursorLine, isAnswered, says, screen, shown} from '../helpers/shown.ts';
import {type ActionName, actionNames, keyTable, openedScopesOf, scopesOf} from '../../../source/words/key-table.ts';
import {createKeymap} from '../../../source/words/keymap.ts';
import {type ScreenName, screenNames} from '../../../source/tui/state/view.ts';
import {asked, installedRecord, isDeletion, isRemoval, small, startHome, togglesOf, wide, writesTo} from '../helpers/kit.ts';

// A test has no terminal, and Ink would leave looks out.
const {openHome} = await loadWithForcedColor(async () => import('../helpers/open-home.ts'));
const {renderApp} = await import('../../helpers/render-app.tsx');

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
		'              ┌─────────────────────────────────┐',
		'              │ Uninstall lamps?                │',
		'              │                                 │',
		'              │ It is on.                       │',
		'              │ The ability itself stays.       │',
		'              │                                 │',
		'              │ y uninstall lamps  n no         │',
		'              └─────────────────────────────────┘',
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
		'        ║ ! Delete lamps?                                             ║',
		'        ║                                                             ║',
		'        ║ u can bring it back, with a new id.                         ║',
		'        ║ It is installed and on.                                     ║',
		'        ║ Deleting it also uninstalls it.                             ║',
		"        ║ Agents that use it lose it; this service doesn't say which. ║",
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
		'  ┌─────────────────────────────────┐',
		'  │ Uninstall lamps?                │',
		'  │ It is on.                       │',
		'  │ The ability itself stays.       │',
		'  │ y uninstall lamps  n no         │',
		'  └─────────────────────────────────┘',
	]);
	assert.deepEqual(await app.press('n', 'a', 'd').says('Uninstall 3 abilities'), [
		' Uninstall 3 abilities?',
		'',
		'   lamps: on',
		'   pantry: on',
		'   nightwatch: off',
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

test('the row of a question, or as many marked ones as fit, are above its box', async (t: TestContext) => {
	const installed = Array.from({length: 30}, (_, index) => installedRecord(index + 1, `lamp${index + 1}`, true));
	const {app} = await openHome(t, {home: {installed}, size: {columns: 64, rows: 24}});
	const lines = await app.press('G', 'd').says('Uninstall lamp30?');
	const box = lines.findIndex(line => line.includes('┌'));
	assert.ok(lines.findIndex(line => line.includes(' > on   lamp30 ')) < box, lines.join('\n'));
	await app.press('n').shows(isAnswered);
	const marked = await app.press('g', 'x', 'x', 'G', 'x', 'k', 'x', 'd').says('Uninstall 4 abilities?');
	const rows = marked.slice(
		0,
		marked.findIndex(line => line.includes('┌')),
	);
	assert.ok(rows.filter(line => line.includes('*')).length >= 2, marked.join('\n'));
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
		Array.from({length: 7}, () => 15),
	);
});

test('a read-only run says so in the header, and how to make changes', async (t: TestContext) => {
	const {app} = await openHome(t, {isReadOnly: true});
	assert.deepEqual(
		shown(await app.press('space').says('Not switched: this run is read-only')),
		screen({
			header: 'Switchboard  environment [read-only]  reads every 15 s',
			tabs: '1 Agents  2 Abilities [3 Installed]',
			rows: [
				' > on   lamps                              skill      2 days',
				'   on   pantry                             brain      2 days',
				'   off  nightwatch                         daemon     2 days',
			],
			message: [' ! Not switched: this run is read-only. Start it without', ' --read-only to make changes.'],
		}),
	);
});

test('a key that may only read makes the screens read-only once the service has said so, and a refused key says why', async (t: TestContext) => {
	const {service, app} = await openHome(t, {keyRights: 'read-only; name=desk'});
	assert.match(app.lines()[0]!, /environment \[read-only\]/);
	await app.press('space').says('Not switched: the key “desk” may only read.');
	await app.press('t').says('Not changed: the key “desk” may only read.');
	await app.press('1', 'c').shows('[1 Agents]', says('Not changed: the key “desk” may only read.'));
	assert.deepEqual(
		service.requests.filter(({method, path}) => method !== 'GET' && !path.startsWith('/api/sdk/')),
		[],
	);
});

test('a key that may only switch does, and its other keys say why they do nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t, {keyRights: 'switch; name=ci'});
	assert.doesNotMatch(app.lines()[0]!, /read-only/);
	await app.press('space').until(() => togglesOf(service).length === 1);
	await app.shows(' > off  lamps');
	await app.press('t').says('Not changed: the key “ci” may only list and switch.');
	await app.press('1', 'e').shows('[1 Agents]', says('Not changed: the key “ci” may only list and switch.'));
	assert.equal(service.requests.filter(({method}) => method !== 'GET').length, 1);
});

test('reading, filtering and leaving work as ever', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	service.installed.pop();
	await app.press('r').shows(lines => lines.every(line => !line.includes('nightwatch')));
	await app.write('/pan\r').shows('1 of 2');
	app.press('q');
	assert.equal(app.exitCode(), 0);
});

test('the header says where the key travels in the open', async (t: TestContext) => {
	const {app} = await openHome(t, {isInsecureHttp: true, size: {columns: 90, rows: 14}});
	assert.match(app.lines()[0]!, /environment · 127\.0\.0\.1:00000 \[insecure http\]/);
	assert.match(
		(await app.resize({columns: 40, rows: 14}).shows(lines => lines[0]!.length <= 40))[0]!,
		/\[insecure http\]/,
		'also where there is little room',
	);
});

function writesOf(screenName: ScreenName, scopes: typeof scopesOf): ReadonlyArray<readonly [ActionName, string]> {
	const keymap = createKeymap();
	return actionNames
		.filter(name => keyTable[name].writes === true && scopes[screenName].includes(keyTable[name].scope))
		.map(name => [name, keymap.keysOf(name)[0]!] as const);
}

for (const screenName of screenNames) {
	test(`on ${screenName} every key that changes something is refused before anything is typed or asked, also in an opened record and while the list is read`, async (t: TestContext) => {
		const service = await startHome(t);
		const release = service.hold();
		const app = await renderApp(t, {service, screen: screenName, isReadOnly: true});
		const pressAll = async (scopes: typeof scopesOf): Promise<void> => {
			const {overlays} = app.state();
			for (const [name, key] of writesOf(screenName, scopes)) {
				app.ui.store.dispatch({type: 'dismiss'});
				await app.press(key).until(() => app.state().messages.shown?.text.includes('this run is read-only') === true);
				assert.equal(app.state().overlays, overlays, name);
			}

			app.ui.store.dispatch({type: 'dismiss'});
		};

		await app.until(() => service.heldCount() > 0);
		await pressAll(scopesOf);
		release();
		await app.shows(lines => cursorLine(lines) !== undefined);
		await pressAll(scopesOf);
		await app.press('enter').shows('esc back');
		await pressAll(openedScopesOf);
		assert.deepEqual(writesTo(service), []);
	});
}
