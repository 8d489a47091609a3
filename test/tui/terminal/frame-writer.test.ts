import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {detectCapabilities} from '../../../source/tui/terminal/capabilities.ts';
import {createFrameRecorder} from '../../helpers/terminal/frame-recorder.ts';

const escape = '\u{1B}';

const capabilities = detectCapabilities({TERM: 'xterm-256color', LANG: 'C.UTF-8'});

const lines = (count: number, prefix = 'row'): string[] => Array.from({length: count}, (_, index) => `${prefix} ${index}`);

describe('a frame on the screen', () => {
	test('is drawn whole at first, on a screen that was cleared', async () => {
		const recorder = createFrameRecorder({columns: 20, rows: 4});
		recorder.emulator.write('leftovers\r\nof the shell');
		recorder.writer.repaint({columns: 20, rows: 4});
		recorder.writer.draw(' on   light\n off  lamp');
		assert.deepEqual(await recorder.settle(), [' on   light', ' off  lamp', '', '']);
	});

	test('costs what has changed, and nothing where nothing has', async () => {
		const recorder = createFrameRecorder({columns: 80, rows: 24});
		const frame = (state: string, count: number): string => [
			`Switchboard${' '.repeat(50)}12 installed, ${count} on`,
			'',
			...lines(10),
			`> ${state}  morninglights   skill`,
			...lines(10),
		].join('\n');
		recorder.writer.repaint({columns: 80, rows: 24});
		recorder.writer.draw(frame('on ', 9));
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw(frame('off', 8));
		await recorder.settle();
		assert.equal(recorder.sent.join(''), `${escape}[1;76H8${escape}[13;4Hff`);
		recorder.forget();
		recorder.writer.draw(frame('off', 8));
		await recorder.settle();
		assert.deepEqual(recorder.sent, []);
	});

	test('of several in one turn only the last is sent, in one write', async () => {
		const recorder = createFrameRecorder({columns: 20, rows: 3});
		recorder.writer.repaint({columns: 20, rows: 3});
		recorder.writer.draw('one');
		recorder.writer.draw('two');
		recorder.writer.draw('three');
		assert.deepEqual(await recorder.settle(), ['three', '', '']);
		assert.equal(recorder.sent.length, 1);
		assert.doesNotMatch(recorder.sent[0]!, /one|two/);
	});

	test('that shrinks leaves nothing behind', async () => {
		const recorder = createFrameRecorder({columns: 20, rows: 4});
		recorder.writer.repaint({columns: 20, rows: 4});
		recorder.writer.draw('a long first row\nsecond\nthird\nfourth');
		await recorder.settle();
		recorder.writer.draw('a\nsec');
		assert.deepEqual(await recorder.settle(), ['a', 'sec', '', '']);
	});

	test('that is larger than the screen is cut, and scrolls nothing', async () => {
		const recorder = createFrameRecorder({columns: 10, rows: 3});
		recorder.writer.repaint({columns: 10, rows: 3});
		recorder.writer.draw(['0123456789ABC', '漢漢漢漢漢漢', 'x漢漢漢漢漢', 'fourth'].join('\n'));
		assert.deepEqual(await recorder.settle(), ['0123456789', '漢漢漢漢漢', 'x漢漢漢漢']);
		assert.equal(recorder.emulator.buffer.active.length, 3);
	});
});

describe('a wide character', () => {
	test('leaves the columns behind it where they were, whatever the terminal thinks of its width', async () => {
		const recorder = createFrameRecorder({columns: 30, rows: 2});
		recorder.writer.repaint({columns: 30, rows: 2});
		recorder.writer.draw('漢字    daemon');
		await recorder.settle();
		// Placed anew behind each of the two, and not counted on.
		assert.match(recorder.sent.join(''), /漢\u{1B}\[1;3H字\u{1B}\[1;9Hdaemon/u);
	});

	test('that changes takes the rest of its row with it', async () => {
		const recorder = createFrameRecorder({columns: 30, rows: 2});
		recorder.writer.repaint({columns: 30, rows: 2});
		recorder.writer.draw('> 漢字  skill');
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw('> 漢x   skill');
		assert.deepEqual(await recorder.settle(), ['> 漢x   skill', '']);
		assert.equal(recorder.sent.join(''), `${escape}[1;5H${escape}[Kx   skill`);
	});

	test('that does not change costs nothing when its neighbours do', async () => {
		const recorder = createFrameRecorder({columns: 30, rows: 2});
		recorder.writer.repaint({columns: 30, rows: 2});
		recorder.writer.draw('  on   漢字  2 days');
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw('> off  漢字  3 days');
		assert.deepEqual(await recorder.settle(), ['> off  漢字  3 days', '']);
		assert.equal(recorder.sent.join(''), `${escape}[H> off${escape}[1;14H3`);
	});
});

describe('a character about whose width terminals disagree', () => {
	test('is not sent again with its neighbours', async () => {
		const recorder = createFrameRecorder({columns: 30, rows: 2});
		recorder.writer.repaint({columns: 30, rows: 2});
		recorder.writer.draw('a – b');
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw('x – y');
		assert.deepEqual(await recorder.settle(), ['x – y', '']);
		assert.equal(recorder.sent.join(''), `${escape}[Hx${escape}[1;5Hy`);
	});
});

describe('styles', () => {
	test('are sent where they change, and are off after each write', async () => {
		const recorder = createFrameRecorder({columns: 30, rows: 2});
		recorder.writer.repaint({columns: 30, rows: 2});
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw(`${escape}[1mbold${escape}[22m ${escape}[31mred${escape}[39m ${escape}[7minverse ${escape}[27m`);
		await recorder.settle();
		assert.equal(recorder.sent.join(''), `${escape}[1mbold ${escape}[;31mred ${escape}[;7minverse ${escape}[m`);
	});

	test('without colours keep bold, dim, underline and inverse', async () => {
		const recorder = createFrameRecorder({columns: 30, rows: 2}, {...capabilities, isColorless: true});
		recorder.writer.repaint({columns: 30, rows: 2});
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw(`${escape}[1;31;48;5;24mred${escape}[0m${escape}[2;38;2;1;2;3mdim${escape}[0m${escape}[92mgreen${escape}[0m`);
		await recorder.settle();
		assert.equal(recorder.sent.join(''), `${escape}[1mred${escape}[;2mdim${escape}[mgreen`);
	});

	test('on a dumb terminal are none at all', async () => {
		const recorder = createFrameRecorder({columns: 30, rows: 2}, detectCapabilities({TERM: 'dumb'}));
		recorder.writer.repaint({columns: 30, rows: 2});
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw(`${escape}[1;31mred${escape}[0m`);
		await recorder.settle();
		assert.equal(recorder.sent.join(''), 'red');
	});

	test('that the terminal has no colours for are left out', async () => {
		const recorder = createFrameRecorder({columns: 30, rows: 2}, detectCapabilities({TERM: 'xterm'}));
		recorder.writer.repaint({columns: 30, rows: 2});
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw(`${escape}[31ma${escape}[38;5;200mb${escape}[38;2;1;2;3mc`);
		await recorder.settle();
		assert.equal(recorder.sent.join(''), `${escape}[31ma${escape}[mbc`);
	});
});

describe('what must not reach the line', () => {
	const hostile = {
		'a link': `${escape}]8;;https://example.org${escape}\\name${escape}]8;;${escape}\\`,
		'a title': `${escape}]0;owned\u{7}name`,
		'a clipboard write': `${escape}]52;c;aGk=\u{7}name`,
		'an answer begun': `${escape}P1$rname`,
		'concealed and blinking text': `${escape}[8;5mname${escape}[0m`,
		'a cursor move': `${escape}[10;10Hname`,
		'an erased screen': `${escape}[2Jname`,
		'a mode': `${escape}[?1049lname`,
		'a reset': `${escape}cname`,
		'eight-bit controls': '\u{9B}2J\u{9D}0;x\u{9C}name',
		'control characters': '\u{7}\b\r\u{7F}na\u{0}me',
		'direction overrides': 'na\u{202E}me\u{2066}',
		'invisible characters': 'n\u{200B}a\u{FEFF}me\u{E0041}',
	};
	for (const [what, text] of Object.entries(hostile)) {
		test(`${what} in a frame`, async () => {
			const recorder = createFrameRecorder({columns: 30, rows: 2});
			recorder.writer.repaint({columns: 30, rows: 2});
			await recorder.settle();
			recorder.forget();
			recorder.writer.draw(`> ${text}`);
			await recorder.settle();
			// Placing the cursor and plain styles are all that is sent beside text.
			const rest = recorder.sent.join('').replaceAll(/\u{1B}\[(?:[1-7;]*m|\d*(?:;\d+)?H|K)/gu, '');
			assert.doesNotMatch(rest, /[\p{Control}\p{Format}]/u);
			assert.doesNotMatch(recorder.sent.join(''), /\[[0-4679;]*[58][\d;]*m/);
		});
	}
});

describe('ASCII terminals', () => {
	test('get the nearest character for each, as wide as it was', async () => {
		const recorder = createFrameRecorder({columns: 40, rows: 6}, detectCapabilities({TERM: 'linux', LANG: 'C'}));
		recorder.writer.repaint({columns: 40, rows: 6});
		recorder.writer.draw(['–—…’“”✓●', '╭──┬─╮', '│ é ñ │', '漢字 👍 x', '→ ← ↑ ↓ ⠋', '¿?'].join('\n'));
		assert.deepEqual(await recorder.settle(), ['--.\'""v*', '+--+-+', '| e n |', '???? ?? x', '> < ^ v *', '??']);
		assert.match(recorder.sent.join(''), /^[\u{1B} -~]*$/u);
	});
});

test('the terminal\'s own cursor is hidden once, and again on a screen that may show it', async () => {
	const size = {columns: 20, rows: 4};
	const recorder = createFrameRecorder(size);
	recorder.writer.repaint(size);
	recorder.writer.draw('one\ntwo');
	await recorder.settle();
	recorder.writer.draw('one\nthree');
	await recorder.settle();
	assert.equal(recorder.sent.join('').split(`${escape}[?25l`).length, 2);
	recorder.forget();
	recorder.writer.repaint(size);
	await recorder.settle();
	assert.ok(recorder.sent.join('').endsWith(`${escape}[?25l`));
});

describe('a slow line', () => {
	test('gets the last of the frames that came while it was busy, and no other', async () => {
		const recorder = createFrameRecorder({columns: 20, rows: 2});
		recorder.isSlow = true;
		recorder.writer.repaint({columns: 20, rows: 2});
		recorder.writer.draw('one');
		await recorder.turn();
		recorder.writer.draw('two');
		await recorder.turn();
		recorder.writer.draw('three');
		await recorder.turn();
		assert.equal(recorder.sent.length, 1);
		recorder.finishWrite();
		await recorder.turn();
		assert.equal(recorder.sent.length, 2);
		recorder.finishWrite();
		assert.deepEqual(await recorder.settle(), ['three', '']);
		assert.doesNotMatch(recorder.sent.join(''), /two/);
	});

	test('gets nothing where the last frame is the one it has', async () => {
		const recorder = createFrameRecorder({columns: 20, rows: 2});
		recorder.isSlow = true;
		recorder.writer.repaint({columns: 20, rows: 2});
		recorder.writer.draw('one');
		await recorder.turn();
		recorder.writer.draw('two');
		recorder.writer.draw('one');
		recorder.finishWrite();
		await recorder.turn();
		assert.equal(recorder.sent.length, 1);
	});

	test('gets nothing more once the writer is paused', async () => {
		const recorder = createFrameRecorder({columns: 20, rows: 2});
		recorder.writer.repaint({columns: 20, rows: 2});
		recorder.writer.draw('one');
		await recorder.settle();
		recorder.forget();
		recorder.writer.draw('two');
		recorder.writer.pause();
		await recorder.settle();
		recorder.writer.draw('three');
		await recorder.settle();
		assert.deepEqual(recorder.sent, []);
		recorder.writer.repaint({columns: 20, rows: 2});
		assert.deepEqual(await recorder.settle(), ['three', '']);
	});
});
