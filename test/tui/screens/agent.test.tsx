import {assert, test, type TestContext} from '../../helpers/node.ts';
import {includes, isFresh, openApp, openHome, type RenderedApp, small, startDocumentedHome, wide} from '../helpers/kit.ts';

/** Twelve lines, the second of them longer than a narrow screen. */
const longPrompt = [
	'You look after a house.',
	'Say what came of it, in one sentence, and say which lamp does not answer.',
	...Array.from({length: 10}, (_, index) => `  - rule ${index + 1}`),
].join('\n');

const withoutBlankEnd = (lines: readonly string[]): readonly string[] => lines.slice(0, lines.findLastIndex(line => line !== '') + 1);

async function openFirst(app: RenderedApp): Promise<void> {
	await app.shows(isFresh);
	await app.press('enter').shows(lines => lines.some(line => line.startsWith(' Abilities  ')));
}

async function openLong(t: TestContext): Promise<RenderedApp> {
	const home = {agents: [{id: 1, name: 'Hearth', description: longPrompt}]};
	const {app} = await openHome(t, {home, screen: 'agents', size: small});
	await openFirst(app);
	return app;
}

test('Enter opens an agent: name, id, its abilities with their states, the whole prompt', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {agents: [{id: 1, name: 'Hearth', description: 'You look after a house.\n\nBe brief.', matching_capabilities: [21, 23, 99]}]},
		screen: 'agents',
		size: wide,
	});
	await openFirst(app);
	const lines = await app.shows('1 of 3 on');
	assert.deepEqual(lines, [
		' Hearth  #1                                                         environment',
		'',
		' Abilities  1 of 3 on',
		' > on   lamps               skill      lamps please, it is dark       2 days',
		'   off  nightwatch          daemon     – always listening             2 days',
		'   –    #99                 –          –',
		'',
		' Prompt',
		' You look after a house.',
		'',
		' Be brief.',
		...Array.from({length: 12}, () => ''),
		' esc back  space switch  enter open  c rename  e prompt  t abilities  ? keys',
	]);
	await app.press('escape').shows('[1 Agents]');
});

test("the screen says what the service doesn't show", async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: {columns: 60, rows: 14}});
	await openFirst(app);
	assert.deepEqual(withoutBlankEnd(app.lines().slice(0, -1)), [
		' #1                                             environment',
		'',
		' Abilities  not shown by this service',
		'',
		' Prompt',
		" This service doesn't show the prompt.",
	]);
});

test('a long prompt scrolls by lines, half pages and pages, to its ends and no further', async (t: TestContext) => {
	const app = await openLong(t);
	const all = [
		' You look after a house.',
		' Say what came of it, in one sentence,',
		' and say which lamp does not answer.',
		...Array.from({length: 10}, (_, index) => `   - rule ${index + 1}`),
	];
	const framed = (top: number): readonly string[] => [
		' Hearth  #1                 environment',
		' Abilities  not shown by this service',
		` Prompt  ${top + 1}–${top + 6} of 13`,
		...all.slice(top, top + 6),
		' esc back  c rename  e prompt  t ties  ?',
	];
	assert.deepEqual(await app.shows('1–6 of 13'), framed(0));
	const steps: ReadonlyArray<readonly [keys: readonly string[], top: number]> = [
		[['j'], 1],
		[['down', 'j'], 3],
		[['k'], 2],
		[['up', 'up', 'up'], 0],
		[['ctrl+d'], 3],
		[['ctrl+u'], 0],
		[['J'], 3],
		[['K'], 0],
		[['pagedown'], 5],
		[['pageup'], 0],
		[['G'], 7],
		[['j', 'pagedown'], 7],
		[['g'], 0],
		[['end'], 7],
		[['home'], 0],
	];
	for (const [keys, top] of steps) {
		assert.deepEqual(await app.press(...keys).shows(`${top + 1}–${top + 6} of 13`), framed(top), keys.join(' '));
	}

	assert.deepEqual(await app.write('jjjk').shows('3–8 of 13'), framed(2), 'four keys in one chunk');
});

test('a scrolled prompt stays where it was under another screen', async (t: TestContext) => {
	const app = await openLong(t);
	await app.shows('1–6 of 13');
	const scrolled = await app.press('j', 'j', 'j').shows('4–9 of 13');
	for (const key of ['?', 'M', '!', ':', 't']) {
		await app.press(key).shows(lines => !includes(' of 13')(lines));
		assert.deepEqual(await app.press('escape').shows('Hearth  #1'), scrolled, key);
	}

	// Opened anew it begins at the top.
	await app.press('escape').shows('[1 Agents]');
	await app.press('enter').shows('1–6 of 13');
});

test('the agent is drawn again when the terminal is resized', async (t: TestContext) => {
	const app = await openLong(t);
	await app.press('G').shows('8–13 of 13');
	const lines = await app.resize(wide).shows(' Say what came of it, in one sentence, and say which lamp does not answer.');
	assert.equal(lines.length, 24);
	assert.ok(lines.includes('   - rule 10'));
	await app.resize(small).shows('8–13 of 13');
});

test('a deleted agent is reported', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: small});
	await openFirst(app);
	service.agents = service.agents.slice(1);
	assert.deepEqual(await app.press('r').shows('no longer exists'), [
		' Hearth  #1                 environment',
		' This agent no longer exists.',
		...Array.from({length: 7}, () => ''),
		' esc back  ? keys  / search',
	]);
	await app.press('c').shows('Nothing is selected.');
	await app.press('escape', 'escape').shows('> Porch');
});

test('a long name leaves room for the badge', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {agents: [{id: 1, name: 'The voice of the whole house and garden', description: 'line\n'.repeat(40)}]},
		screen: 'agents',
		size: {columns: 60, rows: 10},
		isReadOnly: true,
		until: 'The voice',
	});
	await app
		.press('enter')
		.shows(lines => lines[0] === ' The voice of the whole house and…  environment [read-only]' && lines[2] === ' Prompt  1–6 of 41');
});

test('an opened agent shows that the run is read-only, and offers no key that edits', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents', size: wide, isReadOnly: true});
	await openFirst(app);
	assert.deepEqual(
		[app.lines()[0], app.lines().at(-1)],
		[' Hearth  #1                                             environment [read-only]', ' esc back  ? keys  T talk  / search'],
	);
});
