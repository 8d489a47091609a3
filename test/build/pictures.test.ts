import {assert, assertNone, assertSome, path, test} from '../helpers/node.ts';
import {readdir, readFile} from 'node:fs/promises';
import xterm from '@xterm/headless';
import {pictureOf} from '../../source/build/pictures.ts';

/** The picture of what a terminal shows after this was written to it, as its lines of text. */
async function draw(output: string): Promise<readonly string[]> {
	const terminal = new xterm.Terminal({cols: 20, rows: 3, allowProposedApi: true});
	await new Promise<void>(resolve => {
		terminal.write(output, resolve);
	});
	const lines = pictureOf(terminal, 'A “title” & more').split('\n');
	terminal.dispose();
	return lines;
}

test('a picture has a title and the text of the screen, each run where its cells are', async () => {
	const lines = await draw('plain \u{1B}[1;32mgreen\u{1B}[m\r\n  a<b>&c');
	assert.match(lines[0]!, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="196" height="82" /);
	assert.equal(lines[1], '<title>A “title” &amp; more</title>');
	assert.equal(lines[2], '<style>text{white-space:pre}</style>');
	assert.deepEqual(lines.slice(4), [
		'<text x="14.0" y="27" textLength="42.0" fill="#d8dee9">plain</text>',
		'<text x="64.4" y="27" textLength="42.0" fill="#8fbf7f" font-weight="bold">green</text>',
		'<text x="30.8" y="45" textLength="50.4" fill="#d8dee9">a&lt;b&gt;&amp;c</text>',
		'</svg>',
		'',
	]);
});

test('texts hold single spaces of their style alone, and cells with a colour behind are one block', async () => {
	const lines = await draw(
		' one two  three\u{1B}[4m \u{1B}[m4\r\n\u{1B}[46m  \u{1B}[1ma\u{1B}[22m b \u{1B}[45m \u{1B}[m  \u{1B}[46m \u{1B}[m',
	);
	assert.deepEqual(lines.slice(4, -2), [
		'<text x="22.4" y="27" textLength="58.8" fill="#d8dee9">one two</text>',
		'<text x="98.0" y="27" textLength="42.0" fill="#d8dee9">three</text>',
		'<text x="148.4" y="27" textLength="8.4" fill="#d8dee9">4</text>',
		'<rect x="14.0" y="32" width="50.4" height="18" fill="#6cc7d1"/>',
		'<rect x="64.4" y="32" width="8.4" height="18" fill="#c792ea"/>',
		'<rect x="89.6" y="32" width="8.4" height="18" fill="#6cc7d1"/>',
		'<text x="30.8" y="45" textLength="8.4" fill="#d8dee9" font-weight="bold">a</text>',
		'<text x="47.6" y="45" textLength="8.4" fill="#d8dee9">b</text>',
	]);
});

test('no picture of the README has a text with spaces that browsers draw in different ways', async () => {
	const folder = path.resolve(import.meta.dirname, '../../media');
	const names = await readdir(folder);
	assert.deepEqual(names, ['agent.svg', 'filter.svg', 'installed.svg', 'switchboard.svg']);
	for (const name of names) {
		const picture = await readFile(path.join(folder, name), 'utf8');
		const texts = [...picture.matchAll(/<text (?<attributes>[^>]*)>(?<text>[^<]*)<\/text>/g)].map(({groups}) => groups!);
		assert.ok(texts.length > 20, name);
		assert.equal(texts.length, picture.split('<text').length - 1, name);
		assertNone(texts, ({attributes, text}) => /^\s|\s$|\s\s/.test(text!) || !/^x="[\d.]+" /.test(attributes!), name);
		assert.match(picture, /<style>text\{white-space:pre\}/, name);
	}
});

test('dim and underlined text stays dim and underlined', async () => {
	const lines = await draw('\u{1B}[2mdim\u{1B}[22m\u{1B}[4;36mline');
	assertSome(lines, line => line.endsWith('fill="#d8dee9" opacity="0.6">dim</text>'));
	assertSome(lines, line => line.endsWith('fill="#6cc7d1" text-decoration="underline">line</text>'));
});

test('a wide character takes two columns of the picture', async () => {
	const lines = await draw('\u{1B}[31m漢字\u{1B}[32mx');
	assert.deepEqual(lines.slice(4, 6), [
		'<text x="14.0" y="27" textLength="33.6" fill="#e06c75">漢字</text>',
		'<text x="47.6" y="27" textLength="8.4" fill="#8fbf7f">x</text>',
	]);
});
