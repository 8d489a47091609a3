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
	assert.deepEqual(lines.slice(2, 4), [
		'<style>text{white-space:pre}.bold{font-weight:bold}.dim{opacity:.6}.line{text-decoration:underline}.bg{fill:#1b1f27}.fg{fill:#d8dee9}.t2{fill:#8fbf7f}',
		'@media (prefers-color-scheme:light){.bg{fill:#f6f8fa}.fg{fill:#24292f}.t2{fill:#1a7f37}}</style>',
	]);
	assert.deepEqual(lines.slice(5), [
		'<text x="14.0" y="27" textLength="42.0" class="fg">plain</text>',
		'<text x="64.4" y="27" textLength="42.0" class="t2 bold">green</text>',
		'<text x="30.8" y="45" textLength="50.4" class="fg">a&lt;b&gt;&amp;c</text>',
		'</svg>',
		'',
	]);
});

test('texts hold single spaces of their style alone, and cells with a colour behind are one block', async () => {
	const lines = await draw(
		' one two  three\u{1B}[4m \u{1B}[m4\r\n\u{1B}[46m  \u{1B}[1ma\u{1B}[22m b \u{1B}[45m \u{1B}[m  \u{1B}[46m \u{1B}[m',
	);
	assert.deepEqual(lines.slice(5, -2), [
		'<text x="22.4" y="27" textLength="58.8" class="fg">one two</text>',
		'<text x="98.0" y="27" textLength="42.0" class="fg">three</text>',
		'<text x="148.4" y="27" textLength="8.4" class="fg">4</text>',
		'<rect x="14.0" y="32" width="50.4" height="18" class="k6"/>',
		'<rect x="64.4" y="32" width="8.4" height="18" class="k5"/>',
		'<rect x="89.6" y="32" width="8.4" height="18" class="k6"/>',
		'<text x="30.8" y="45" textLength="8.4" class="fg bold">a</text>',
		'<text x="47.6" y="45" textLength="8.4" class="fg">b</text>',
	]);
});

test('no picture of the README has a text with spaces that browsers draw in different ways', async () => {
	const folder = path.resolve(import.meta.dirname, '../../media');
	const names = await readdir(folder);
	assert.deepEqual(
		names,
		['agent', 'conversation', 'filter', 'history', 'installed', 'narrow', 'plan', 'switchboard'].map(name => `${name}.svg`),
	);
	for (const name of names) {
		const picture = await readFile(path.join(folder, name), 'utf8');
		const texts = [...picture.matchAll(/<text (?<attributes>[^>]*)>(?<text>[^<]*)<\/text>/g)].map(({groups}) => groups!);
		assert.ok(texts.length > 5 && picture.length < 40_000, name);
		assert.equal(texts.length, picture.split('<text').length - 1, name);
		assertNone(texts, ({attributes, text}) => /^\s|\s$|\s\s/.test(text!) || !/^x="[\d.]+" /.test(attributes!), name);
		assert.match(picture, /<style>text\{white-space:pre\}/, name);
		assert.match(picture, /^@media \(prefers-color-scheme:light\)\{/m, name);
	}
});

test('dim and underlined text stays dim and underlined', async () => {
	const lines = await draw('\u{1B}[2mdim\u{1B}[22m\u{1B}[4;36mline');
	assertSome(lines, line => line.endsWith('class="fg dim">dim</text>'));
	assertSome(lines, line => line.endsWith('class="t6 line">line</text>'));
});

test('a wide character takes two columns of the picture', async () => {
	const lines = await draw('\u{1B}[31m漢字\u{1B}[32mx');
	assert.deepEqual(lines.slice(5, 7), [
		'<text x="14.0" y="27" textLength="33.6" class="t1">漢字</text>',
		'<text x="47.6" y="27" textLength="8.4" class="t2">x</text>',
	]);
});
