import {test, type TestContext} from 'node:test';
import {renderApp, type RenderAppOptions} from '../../helpers/render-app.tsx';
import {startHome} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';

const prompt = [
	'You look after a house with four people, one dog and a front door that sticks in the rain.',
	'',
	'  - Say numbers and times as people say them, and never more than two sentences at once.',
].join('\n');

/** The lines beside the list, which has 60 of 100 columns. */
const pane = (lines: readonly string[]): readonly string[] => lines.slice(3, -2).map(line => line.slice(60));

const openAgent = async (t: TestContext, rows: number, options: Pick<RenderAppOptions, 'keys'> = {}) => {
	const agents = [{id: 7, name: 'Hearth', description: prompt}];
	const service = await startHome(t, {home: {agents}});
	const app = await renderApp(t, {
		service, screen: 'agents', size: {columns: 100, rows}, ...options,
	});
	return {app, lines: await app.waitForFrame(includes('Hearth'))};
};

test('the text beside the list is broken between words, and keeps its indentation', async (t: TestContext) => {
	const {lines} = await openAgent(t, 24);
	t.assert.deepStrictEqual(pane(lines), [
		'  Hearth',
		'  Id         7',
		'  Abilities  not shown by this service',
		'',
		'  You look after a house with four',
		'  people, one dog and a front door that',
		'  sticks in the rain.',
		'',
		'    - Say numbers and times as people',
		'    say them, and never more than two',
		'    sentences at once.',
		...Array.from({length: 8}, () => ''),
	]);
});

test('where the room ends before the text does, the last line says which key shows the rest', async (t: TestContext) => {
	const {lines} = await openAgent(t, 14);
	t.assert.deepStrictEqual(pane(lines).slice(-3), [
		'  sticks in the rain.',
		'',
		'  … Enter shows all of it.',
	]);
});

test('that key is the person\'s own', async (t: TestContext) => {
	const {app, lines} = await openAgent(t, 14, {keys: {open: ['o']}});
	t.assert.strictEqual(pane(lines).at(-1), '  … o shows all of it.');
	app.press('o');
	await app.waitForFrame(says('sentences at once.'));
});

test('why the last change failed stands beside the list of abilities as well', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'abilities', size: {columns: 120, rows: 24}});
	await app.waitForFrame(includes('> on   lamps'));
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	app.press('space');
	await app.waitForFrame(lines => lines.some(line => /Failed {5}\S/.test(line)));
	t.assert.strictEqual(service.requests.filter(({method}) => method === 'PUT').length, 1);
});
