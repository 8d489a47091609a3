import {assert, Buffer, stripVTControlCharacters, test, type TestContext} from '../../helpers/node.ts';
import {detectCapabilities, loadWithForcedColor} from '../../../source/terminal/capabilities.ts';
import type {ScreenSize} from '../../../source/tui/state/app-state.ts';
import {createFrameRecorder, cursorLine, includes, installedRecord, isFresh, startHome, wide} from '../helpers/kit.ts';

// A test has no terminal, and Ink would leave looks out.
const {renderApp} = await loadWithForcedColor(async () => import('../../helpers/render-app.tsx'));
const {openHome} = await import('../helpers/open-home.ts');

const agents = [
	{id: 7, name: 'Hearth', description: 'You look after a house.'},
	{id: 8, name: 'Porch', description: ''},
];

/** What is drawn on cyan, row by row; nothing for rows without it. */
const onCyan = (frame: string): readonly string[] =>
	frame
		.split('\n')
		.map(line =>
			[...line.matchAll(/\u{1B}\[46m(?<text>.*?)\u{1B}\[49m/gu)].map(({groups}) => stripVTControlCharacters(groups!['text']!)).join(''),
		)
		.filter(text => text !== '');

test('the whole row under the cursor is highlighted', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {agents}, size: wide});
	assert.match(onCyan(app.rawFrame()).join('\n'), /^ > on {3}lamps .* $/);
	await app.press('G').shows(lines => cursorLine(lines)!.includes('nightwatch'));
	assert.match(onCyan(app.rawFrame()).join('\n'), /^ > off {2}nightwatch .* $/);
	await app.press('1').shows('Hearth');
	assert.match(onCyan(app.rawFrame()).join('\n'), /^ > Hearth .* $/);
	await app.write('3/watch\r').shows('1 of 3');
	assert.match(onCyan(app.rawFrame()).join('\n'), /^ > off {2}nightwatch .* $/, 'also where the filter highlights a part of it');
});

test('on has the same look in a row, in the details beside it and under lately', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {agents}, size: {columns: 120, rows: 40}});
	await app.press('G', 'space').shows('off → on');
	await app.press('g').shows('│ lamps');
	const lines = app.rawFrame().split('\n');
	const on = '\u{1B}[32mon';
	for (const [side, line] of [
		[0, / pantry /],
		[1, /State/],
		[1, / → /],
	] as const) {
		const part = lines.map(each => each.split('│')[side] ?? '').find(each => line.test(stripVTControlCharacters(each)));
		assert.ok(part?.includes(on), String(line));
	}
});

const rowOfCursor = (lines: readonly string[]): number => lines.findIndex(line => line.startsWith(' >'));

const terminals = {
	'256 colours': {TERM: 'xterm-256color', LANG: 'C.UTF-8'},
	'16 colours': {TERM: 'xterm', LANG: 'C.UTF-8'},
	'no colour': {TERM: 'xterm', LANG: 'C.UTF-8', NO_COLOR: '1'},
	'ASCII alone': {TERM: 'xterm', LANG: 'C'},
};

// Looks are the same at any size.
for (const [what, env] of Object.entries(terminals)) {
	for (const size of what === '256 colours' ? [wide, {columns: 40, rows: 10}, {columns: 120, rows: 40}] : [wide]) {
		test(`a move sends few bytes with ${what} at ${size.columns}×${size.rows}, and the row is in the look of the cursor`, async (t: TestContext) => {
			const names = [
				'short',
				'another',
				'a name that is longer than any column is wide, and then some more',
				'a name that is longer than any column is wide, and then some less',
			];
			const installed = Array.from({length: 60}, (_, index) =>
				installedRecord(index + 1, `${names[index % 4]!} ${index}`, index % 3 === 0),
			);
			const service = await startHome(t, {home: {installed}});
			const app = await renderApp(t, {service, size, isColorless: 'NO_COLOR' in env});
			const recorder = createFrameRecorder(size, detectCapabilities(env));
			recorder.writer.repaint(size);
			// The details beside the list are another record's with each move.
			await app.press('p', 'p', 'j').shows(lines => isFresh(lines) && cursorLine(lines)?.includes('another 1 ') === true);
			recorder.writer.draw(app.rawFrame());
			await recorder.settle();
			for (let row = 2; row < 12; row++) {
				recorder.forget();
				const before = app.lines();
				await app.press('j').shows(lines => lines.some((line, index) => line !== before[index]));
				recorder.writer.draw(app.rawFrame());
				await recorder.settle();
				if (rowOfCursor(app.lines()) === rowOfCursor(before)) {
					// The list scrolls: all of its rows are others now.
					continue;
				}

				const sent = recorder.sent.join('');
				assert.match(sent, 'NO_COLOR' in env ? /[;[]7[;m]/ : /[;[]30;46[;m]/);
				assert.ok(Buffer.byteLength(sent) <= 300, `${Buffer.byteLength(sent)}: ${JSON.stringify(sent)}`);
			}
		});
	}
}

/** The text up to the terminal's cursor and from there on, on its line, after this frame was drawn. */
async function cursorIn(frame: string, size: ScreenSize): Promise<readonly [before: string, after: string]> {
	const recorder = createFrameRecorder(size);
	recorder.writer.repaint(size);
	recorder.writer.draw(frame);
	const lines = await recorder.settle();
	const {cursorX, cursorY} = recorder.emulator.buffer.active;
	const line = lines[cursorY]!.padEnd(cursorX);
	return [line.slice(0, cursorX), line.slice(cursorX)];
}

/** Keys one after the other, what the screen shows then, and the text around the terminal's cursor. */
const places: ReadonlyArray<readonly [keys: readonly string[], shows: string, before: RegExp, after: RegExp]> = [
	[['j'], '> on   pantry', /^$/, /^ > on {3}pantry/],
	[['/', 'l'], '/l_', /^\/l$/, /^_ /],
	[['escape', '"', 'h', 'i'], '"hi_', /^"hi$/, /^_ /],
	[['escape', '/', 'q', 'x', 'q', 'enter'], 'No installed', /^ {3}$/, /^No/],
	[['escape', '?'], 'Keys', /^$/, /^ > /],
	[['/', 'u', 'n'], '/un_', /\/un$/, /^_ {2}\d+ found$/],
	[['escape', 'escape', ':', 'p', 'r'], ':pr_', /^ :pr$/, /^_ /],
	[['escape'], '3 Installed', /^$/, /^ > on {3}lamps/],
	[['P'], 'Profiles', /^ $/, /^> 1 local/],
	[['escape', 'C'], '> Address', /^ > Address {2}$/, /^https/],
	[['tab'], '> API key', /^ > API key {2}$/, /^$/],
	[['escape', 'escape', 'b'], 'Presets', /^ +$/, /^\S/],
	[['s', 'o', 'n'], '> Name  on', /^ > Name  on$/, /^$/],
	[['escape'], 'Leave without saving?', /│ $/, /^Leave/],
	[['y', 'escape', '1'], 'Hearth', /^$/, /^ > Hearth/],
	[['enter'], 'Prompt', /^ $/, /^You look/],
	[['/', 'h', 'o'], '/ho_', /\/ho$/, /^_ 1 of 1$/],
	[['enter'], '/ho 1', /You look after a $/, /^house/],
	[['escape', 't'], 'choose', /^$/, /^ > /],
	[['escape', 'e'], 'Prompt of', /^ $/, /^You look/],
	[['end'], 'Prompt of', /house\.$/, /^$/],
	[['escape', 'escape', '2', 'U'], '> Path', /^ > Path {6}$/, /^$/],
	[['down', 'down', 'down'], '> Category', /^ $/, /^> Category/],
	[['escape', '3', 'd'], 'Uninstall', /^.*│ $/, /^! Uninstall|^Uninstall/],
	[['n', 'H'], 'No changes', /^ {3}$/, /^No/],
];

for (const size of [wide, {columns: 40, rows: 12}]) {
	test(`the terminal's cursor is in the field, or on the row, at ${size.columns} columns`, async (t: TestContext) => {
		const service = await startHome(t, {home: {agents}});
		const app = await renderApp(t, {service, size});
		await app.shows(isFresh);
		for (const [keys, shows, before, after] of places) {
			await app.press(...keys).until(async () => {
				const [start, end] = await cursorIn(app.rawFrame(), size);
				return includes(shows)(app.lines()) && before.test(start) && after.test(end);
			});
		}
	});
}
