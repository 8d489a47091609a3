import assert from 'node:assert/strict';
import {test} from 'node:test';
import xterm from '@xterm/headless';
import {pictureOf} from '../../source/build/pictures.ts';

/** The picture of what a terminal shows after this was written to it, as its lines of text. */
const draw = async (output: string): Promise<readonly string[]> => {
	const terminal = new xterm.Terminal({cols: 20, rows: 3, allowProposedApi: true});
	await new Promise<void>(resolve => {
		terminal.write(output, resolve);
	});
	const lines = pictureOf(terminal, 'A “title” & more').split('\n');
	terminal.dispose();
	return lines;
};

test('a picture has a title and the text of the screen, each run where its cells are', async () => {
	const lines = await draw('plain \u{1B}[1;32mgreen\u{1B}[m\r\n  a<b>&c');
	assert.match(lines[0]!, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="196" height="82" /);
	assert.equal(lines[1], '<title>A “title” &amp; more</title>');
	assert.deepEqual(lines.slice(3), [
		'<text x="14.0" y="27" textLength="50.4" fill="#d8dee9">plain </text>',
		'<text x="64.4" y="27" textLength="42.0" fill="#8fbf7f" font-weight="bold">green</text>',
		'<text x="14.0" y="45" textLength="168.0" fill="#d8dee9">  a&lt;b&gt;&amp;c            </text>',
		'</svg>',
		'',
	]);
});

test('dim and underlined text stays dim and underlined', async () => {
	const lines = await draw('\u{1B}[2mdim\u{1B}[22m\u{1B}[4;36mline');
	assert.ok(lines.some(line => line.endsWith('fill="#d8dee9" opacity="0.6">dim</text>')), lines.join('\n'));
	assert.ok(lines.some(line => line.endsWith('fill="#6cc7d1" text-decoration="underline">line</text>')), lines.join('\n'));
});

test('a wide character takes two columns of the picture', async () => {
	const lines = await draw('\u{1B}[31m漢字\u{1B}[32mx');
	assert.deepEqual(lines.slice(3, 5), [
		'<text x="14.0" y="27" textLength="33.6" fill="#e06c75">漢字</text>',
		'<text x="47.6" y="27" textLength="8.4" fill="#8fbf7f">x</text>',
	]);
});
