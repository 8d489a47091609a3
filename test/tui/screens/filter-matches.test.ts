import {assert, stripVTControlCharacters, test, type TestContext} from '../../helpers/node.ts';
import {loadWithForcedColor} from '../../../source/terminal/capabilities.ts';
import {filterLine, installedRecord} from '../helpers/kit.ts';

// What is highlighted is underlined: a test has no terminal, and Ink would leave looks out.
const {openHome} = await loadWithForcedColor(async () => import('../helpers/open-home.ts'));

/** What is underlined in the list, row by row; nothing for rows without it. */
const highlights = (frame: string): readonly string[] =>
	frame
		.split('\n')
		.slice(3)
		.map(line =>
			[...line.matchAll(/\u{1B}\[4m(?<text>.*?)\u{1B}\[24m/gu)].map(({groups}) => stripVTControlCharacters(groups!['text']!)).join(' '),
		)
		.filter(text => text !== '');

async function open(t: TestContext, screen: 'installed' | 'agents' = 'installed') {
	const installed = [
		installedRecord(301, 'morninglights', true, {trigger_words: ['good morning', 'wake the house']}),
		installedRecord(302, 'nightwatch', false, {category: 'background_daemon'}),
	];
	const {app} = await openHome(t, {home: {installed}, screen, size: {columns: 80, rows: 14}});
	return app;
}

const matches = [
	['light', ['light']],
	['wake', ['wake']],
	['good wake', ['good wake']],
	['daemon', ['daemon']],
	['wake !night category:skill is:on', ['wake']],
	['zebra', []],
] as const;

test('the filter highlights what it matched', async (t: TestContext) => {
	const app = await open(t);
	for (const [filter, places] of matches) {
		await t.test(`${filter}: ${places.join(', ') || 'nothing'}`, async () => {
			await app.write(`/${filter}\r`).shows(lines => filterLine(lines) === `/${filter}   ${places.length} of 2`);
			assert.deepEqual(highlights(app.rawFrame()), places);
			await app.press('escape').shows(lines => filterLine(lines) === '');
		});
	}
});

test('highlights disappear with the filter', async (t: TestContext) => {
	const app = await open(t);
	await app.write('/house\r').shows(lines => filterLine(lines).endsWith('1 of 2'));
	assert.deepEqual(highlights(app.rawFrame()), ['house']);
	await app.press('escape').shows(lines => lines[4]!.includes('nightwatch'));
	assert.deepEqual(highlights(app.rawFrame()), []);
});

test("a word of an agent's prompt matches and is highlighted", async (t: TestContext) => {
	const app = await open(t, 'agents');
	await app.write('/guests\r').shows(lines => filterLine(lines).endsWith('1 of 2'));
	assert.deepEqual(highlights(app.rawFrame()), ['guests']);
});

test('a subsequence of a name finds it', async (t: TestContext) => {
	const app = await open(t);
	await app.write('/mlt\r').shows(lines => filterLine(lines) === '/mlt   1 of 2');
	assert.match(app.lines()[3]!, /^ > on {3}morninglights/);
	assert.deepEqual(highlights(app.rawFrame()), ['m l t']);
});
