import {assert, test, type TestContext} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {installedRecord, isToggle, startHome, togglesOf} from '../helpers/homes.ts';
import {cursorLine, filterLine, openHome, renderApp, type RenderedApp, says, shown} from '../helpers/kit.ts';

const escape = '\u{1B}';

const hostileNames = {
	'colour and conceal': `${escape}[31mred${escape}[8mhidden${escape}[0m`,
	'window title': `${escape}]0;owned\u{7}title`,
	clipboard: `${escape}]52;c;b3duZWQ=\u{7}copied`,
	link: `${escape}]8;;http://192.0.2.1\u{7}link${escape}]8;;\u{7}`,
	'device control': String.raw`${escape}P+q544e${escape}\device`,
	'unfinished sequence': `open${escape}]0;never ends`,
	'eight-bit controls': 'c1\u{9B}2Jcleared',
	'moves of the cursor': `up${escape}[5A${escape}[2K\rover`,
	'line breaks': 'one\ntwo\r\nthree\u{2028}four',
	'direction override': 'abc\u{202E}fed\u{202C}\u{2066}ghi\u{2069}',
	'invisible characters': 'zero\u{200B}width\u{FEFF}\u{E0041}tags',
	'wide characters': '夜の見張り番',
	emoji: '👨‍👩‍👧‍👦👍🏽🇩🇪',
	'combining marks': `z${'\u{301}'.repeat(30)}algo`,
	'half a character': 'half\u{D83D}',
	'very long': 'long'.repeat(100),
	'bell and backspace': 'be\u{7}ll\u{8}\u{8}\u{7F}',
};

const records = Object.values(hostileNames).map((name, index) =>
	installedRecord(index + 1, name, true, {category: name, trigger_words: [name]}),
);

/** What may never be drawn: control characters but for line breaks, direction controls, invisible characters, halves. */
const forbidden = /(?!\n)\p{Control}|[\p{Surrogate}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2069}\u{FEFF}\u{E0000}-\u{E007F}]/u;

/** The looks that the screens themselves have. */
const looks = /\u{1B}\[(?:[01247]|2[2-9]|[34]\d|38;5;242|58;5;\d|59)m/gu;

const isClean = (app: RenderedApp): boolean => !forbidden.test(app.rawFrame().replaceAll(looks, ''));

test('hostile names stay on one line at any width, without escape sequences', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {installed: records}, size: {columns: 130, rows: 24}});
	for (const columns of [130, 90, 64, 40]) {
		await t.test(`${columns} columns`, async () => {
			const lines = await app.resize({columns, rows: 24}).shows(frame => frame.every(line => stringWidth(line) <= columns));
			assert.equal(lines.length, 24);
			const rows = lines.slice(3, Math.min(3 + records.length, 17));
			assert.deepEqual(
				rows.filter(row => !/^ [ >] on {3}\S/.test(row)),
				[],
			);
			assert.ok(isClean(app));
		});
	}
});

test('the columns of wide and joined names stay straight', async (t: TestContext) => {
	const service = await startHome(t, {
		home: {
			installed: [
				'plain',
				hostileNames['wide characters'],
				hostileNames.emoji,
				hostileNames['combining marks'],
				hostileNames['very long'],
				hostileNames['direction override'],
			].map((name, index) => installedRecord(index + 1, name, true)),
		},
	});
	const app = await renderApp(t, {service});
	const lines = await app.shows('of 6 on');
	const places = lines.slice(3, 9).map(line => stringWidth(line.slice(0, line.indexOf('skill '))));
	assert.equal(new Set(places).size, 1, lines.join('\n'));
});

test('only the text of a hostile name is drawn', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {installed: records}, size: {columns: 64, rows: 24}});
	const lines = app.lines();
	const names = lines.slice(3, 3 + records.length).map(line =>
		line
			.slice(8)
			.replace(/ {2}.*/, '')
			.trim(),
	);
	assert.deepEqual(names.slice(0, 2), ['redhidden', 'title']);
	assert.ok(names.includes('one two three four'));
	assert.ok(names.includes('abcfedghi'));
	assert.ok(names.includes('link'));
	assert.ok(!lines.join('').includes('owned'));
});

test('a hostile name is cleaned in messages too, and sent back to the service unchanged', async (t: TestContext) => {
	const {service, app} = await openHome(t, {home: {installed: records}, size: {columns: 64, rows: 24}});
	service.failNext({
		when: isToggle,
		status: 500,
		body: JSON.stringify({detail: `${hostileNames.clipboard}\n${hostileNames['direction override']}`}),
	});
	const lines = await app.press('j', 'space').says('Space retries.');
	assert.ok(says('! title stays on: the service answered “copied abcfedghi”. Space retries.')(lines), lines.join('\n'));
	assert.ok(isClean(app));
	const {body} = togglesOf(service)[0]!;
	assert.equal((body as {readonly name: string}).name, hostileNames['window title'], 'what is sent back is the original');
});

test('a hostile prompt, description and error page are cleaned too', async (t: TestContext) => {
	const everything = Object.values(hostileNames).join(' ');
	const {service, app} = await openHome(t, {
		home: {
			agents: [{id: 1, name: everything, description: everything}],
			abilities: [
				{id: 1, name: everything, description: everything, category: everything, trigger_words: [everything], last_updated: everything},
			],
		},
		size: {columns: 120, rows: 30},
		screen: 'agents',
		until: 'redhidden',
	});
	assert.ok(isClean(app), 'agents');
	await app.press('2').shows('[2 Abilities]', 'redhidden');
	assert.ok(isClean(app), 'abilities');
	assert.equal(shown(app.lines()).filter(line => line.startsWith(' > ')).length, 1);
	service.failNext({status: 403, body: JSON.stringify({detail: everything}), times: 4});
	await app.press('3').shows('[3 Installed]');
	await app.press('r').shows('! not allowed');
	assert.ok(isClean(app), 'an error');
});

test('a hostile filter typed or pasted draws nothing but text', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('/');
	assert.equal(
		filterLine(await app.paste(`ni${escape}]0;owned\u{7}ght\u{202E}`).shows(lines => filterLine(lines).endsWith('1 of 3'))),
		'/night_   1 of 3',
	);
	assert.match(cursorLine(app.lines())!, /nightwatch/);
	assert.ok(isClean(app));
});
