import {assert, test, type TestContext} from '../../helpers/node.ts';
import {includes, openHome, type RenderedApp, small} from '../helpers/kit.ts';

const timeless = (lines: readonly string[]): readonly string[] => lines.map(line => line.replace(/\d\d:\d\d:\d\d/, '00:00:00'));

const openMessages = async (app: RenderedApp): Promise<readonly string[]> => {
	app.press('M');
	return timeless(await app.shows(' Messages'));
};

test('past messages are listed with their times, newest first, in full', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	await app.press('space').shows('lamps stays on');
	await app.press('u').shows('Nothing to undo');
	assert.deepEqual(await openMessages(app), [
		' Messages',
		' 00:00:00   Nothing to undo.',
		' 00:00:00 ! lamps stays on: the service does not allow this',
		'            with your key (HTTP 403). Space retries.',
		...Array.from({length: 9}, () => ''),
		' esc back  / search',
	]);
});

test("the person's own switches are listed, each with its time, and an info that is repeated once", async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('u', 'j', 'space').shows(lines => includes('> off  pantry')(lines) && !includes('~')(lines));
	await app.write('kxxxE').says('2 switched on.');
	await app.press('u').says('Undone: 2 switched back.');
	await app.press('u').says('Undone: pantry is on again.');
	await app.press('u').says('Nothing to undo.');
	assert.deepEqual(
		(await openMessages(app)).slice(1, -1).filter(line => line !== ''),
		[
			' 00:00:00   Nothing to undo.',
			' 00:00:00   Undone: pantry is on again.',
			' 00:00:00   pantry: off → on',
			' 00:00:00   Undone: 2 switched back.',
			' 00:00:00   pantry, nightwatch: on → off',
			' 00:00:00   2 switched on.',
			' 00:00:00   pantry, nightwatch: off → on',
			' 00:00:00   pantry: on → off',
		],
	);
});

test('a message shows the time when it appeared', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.ui.store.dispatch({type: 'say', level: 'info', text: 'long ago', at: new Date(2026, 0, 2, 3, 4, 5).getTime()});
	app.ui.store.dispatch({type: 'say', level: 'error', text: 'now', at: new Date(2026, 0, 3, 13, 14, 15).getTime()});
	assert.deepEqual((await app.press('M').shows(' Messages')).slice(1, 4), [' 13:14:15 ! now', ' 2026-01-02 03:04:05   long ago', '']);
});

test('many messages scroll with the keys of the lists', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	for (let number = 1; number <= 30; number++) {
		app.ui.say('info', `message ${number}`);
	}

	app.press('M');
	const texts = (lines: readonly string[]): readonly string[] => lines.map(line => line.replace(/\d\d:\d\d:\d\d {3}/, ''));
	const first = texts(await app.shows(' Messages'));
	assert.deepEqual(first, [
		' Messages                     1–8 of 30',
		...Array.from({length: 8}, (_, index) => ` message ${30 - index}`),
		' esc back  j/k scroll  / search',
	]);
	app.press('j', 'ctrl+d');
	assert.deepEqual(texts(await app.shows('6–13 of 30')).slice(1, 3), [' message 25', ' message 24']);
	app.press('G');
	assert.deepEqual(texts(await app.shows('23–30 of 30')).slice(-3, -1), [' message 2', ' message 1']);
	app.press('g');
	assert.deepEqual(texts(await app.shows('1–8 of 30')), first);
});

test('without messages the screen says so, and the same key goes back', async (t: TestContext) => {
	const {app} = await openHome(t);
	const before = app.lines();
	assert.deepEqual((await openMessages(app)).slice(0, 3), [' Messages', '   No messages yet.', '']);
	assert.deepEqual(await app.press('M').shows('lamps'), before);
});
