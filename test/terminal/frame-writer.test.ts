import {assert, describe, test} from '../helpers/node.ts';
import {detectCapabilities} from '../../source/terminal/capabilities.ts';
import {withCursor} from '../../source/terminal/cursor-mark.ts';
import type {FrameSize} from '../../source/terminal/frame-writer.ts';
import {createFrameRecorder, type FrameRecorder} from '../helpers/terminal/frame-recorder.ts';

const escape = '\u{1B}';

const capabilities = detectCapabilities({TERM: 'xterm-256color', LANG: 'C.UTF-8'});

const lines = (count: number, prefix = 'row'): string[] => Array.from({length: count}, (_, index) => `${prefix} ${index}`);

/** A terminal that is ours, with these frames drawn one after the other. */
async function openWith(size: FrameSize, frames: readonly string[], options = capabilities): Promise<FrameRecorder> {
	const recorder = createFrameRecorder(size, options);
	recorder.writer.repaint(size);
	for (const frame of frames) {
		recorder.writer.draw(frame);
		await recorder.settle();
	}

	return recorder;
}

/** Draws a frame; returns what the screen shows then, and the bytes that it cost. */
async function drawn(recorder: FrameRecorder, frame: string) {
	await recorder.settle();
	recorder.forget();
	recorder.writer.draw(frame);
	return {screen: await recorder.settle(), sent: recorder.sent.join('')};
}

describe('a frame on the screen', () => {
	test('is first drawn whole on a cleared screen', async () => {
		const recorder = createFrameRecorder({columns: 20, rows: 4});
		recorder.emulator.write('leftovers\r\nof the shell');
		recorder.writer.repaint({columns: 20, rows: 4});
		recorder.writer.draw(' on   light\n off  lamp');
		assert.deepEqual(await recorder.settle(), [' on   light', ' off  lamp', '', '']);
	});

	test('costs bytes only for what has changed', async () => {
		const frame = (state: string, count: number): string =>
			[`Switchboard${' '.repeat(50)}12 installed, ${count} on`, '', ...lines(10), `> ${state}  morninglights   skill`, ...lines(10)].join(
				'\n',
			);
		const recorder = await openWith({columns: 80, rows: 24}, [frame('on ', 9)]);
		assert.equal((await drawn(recorder, frame('off', 8))).sent, `${escape}[13;4Hff${escape}[1;76H8\r`);
		assert.equal((await drawn(recorder, frame('off', 8))).sent, '');
	});

	test('is skipped if another follows in the same turn', async () => {
		const recorder = createFrameRecorder({columns: 20, rows: 3});
		recorder.writer.repaint({columns: 20, rows: 3});
		recorder.writer.draw('one');
		recorder.writer.draw('two');
		recorder.writer.draw('three');
		assert.deepEqual(await recorder.settle(), ['three', '', '']);
		assert.equal(recorder.sent.length, 1);
		assert.doesNotMatch(recorder.sent[0]!, /one|two/);
	});

	test('that is larger than the screen is clipped and does not scroll', async () => {
		const recorder = await openWith({columns: 10, rows: 3}, [['0123456789ABC', '漢漢漢漢漢漢', 'x漢漢漢漢漢', 'fourth'].join('\n')]);
		assert.deepEqual(await recorder.settle(), ['0123456789', '漢漢漢漢漢', 'x漢漢漢漢']);
		assert.equal(recorder.emulator.buffer.active.length, 3);
	});
});

describe('a list that scrolls', () => {
	const size = {columns: 30, rows: 8};

	/** A window over records, with a header and a footer that stay; the first record of the window is highlighted. */
	const frame = (first: number, name = (index: number) => `record ${index}`): string =>
		[
			`${first} of 99`,
			...Array.from({length: 6}, (_, index) =>
				index === 0 ? `${escape}[7mon   ${name(first)}${escape}[0m` : `on   ${name(first + index)}`,
			),
			'? keys',
		].join('\n');

	const scrolled = async (from: string, to: string) => drawn(await openWith(size, [from]), to);

	const shownRows = (first: number): readonly string[] => [
		`${first} of 99`,
		...Array.from({length: 6}, (_, index) => `on   record ${first + index}`),
		'? keys',
	];

	test('by a row costs the bytes of the new row and of what else changes', async () => {
		const {screen, sent} = await scrolled(frame(10), frame(11));
		assert.deepEqual(screen, shownRows(11));
		assert.equal(
			sent,
			[
				`${escape}[3;7r${escape}[7H${escape}D${escape}[r`,
				`${escape}[2;14H${escape}[7m1`,
				`${escape}[7H${escape}[mon   record 16`,
				`${escape}[1;2H1\r`,
			].join(''),
		);
	});

	test('does not scroll for a highlight that moves between rows that look the same', async () => {
		const name = 'on   the same long name';
		const rows = (current: number): string =>
			Array.from({length: 7}, (_, index) => (index === current ? `${escape}[7m${name}${escape}[0m` : name)).join('\n');
		assert.equal((await scrolled(rows(2), rows(3))).sent, `${escape}[3H${name}${escape}[4H${escape}[7m${name}${escape}[m${escape}[H`);
	});
});

describe('a frame that is drawn whole', () => {
	test('is sent from the top, row after row, and only if something has changed', async () => {
		const names = `${escape}[1mnames${escape}[22m`;
		const recorder = await openWith({columns: 12, rows: 3}, [`${names}\non   漢字  x\noff  012345678`], {...capabilities, isPlain: true});
		assert.deepEqual(await drawn(recorder, `${names}\noff  漢字  x`), {
			screen: ['names', 'off  漢字  x', ''],
			sent: `${escape}[m${escape}[H${escape}[K${escape}[1mnames${escape}[m\r\n${escape}[Koff  漢字  x\r\n${escape}[K${escape}[H`,
		});
		assert.equal((await drawn(recorder, `${names}\noff  漢字  x\n`)).sent, '');
	});
});

describe('the cursor of the terminal', () => {
	const size = {columns: 30, rows: 4};
	const [row, field, text] = [withCursor('row', '> on'), withCursor('field', '_'), withCursor('text', 'read')];

	const frames = {
		'is on the first cell of its row': [`header\n  off\n${row}`, [2, 0]],
		'is in a field rather than on the row above it, or on a text': [`${text}\n${row}\n/lamp${field}`, [2, 5]],
		'is in a field rather than on the row below it': [`漢字/${field}  3 of 4\n${row}`, [0, 5]],
		'is on a text where there is nothing else': [` Help\n ${text}\n ${text}`, [1, 1]],
		'is in the corner where there is nothing at all': ['Need at least 20×5.', [0, 0]],
		'is on the row where the field is beyond the screen': [`${row}\n${'x'.repeat(30)}${field}`, [0, 0]],
	} as const;
	for (const [title, [frame, [y, x]]] of Object.entries(frames)) {
		for (const isPlain of [false, true]) {
			test(`${title}${isPlain ? ', also of a frame that is drawn whole' : ''}`, async () => {
				const recorder = await openWith(size, ['another frame\n\nwith more\nrows', frame], {...capabilities, isPlain});
				const {cursorX, cursorY} = recorder.emulator.buffer.active;
				assert.deepEqual([cursorY, cursorX], [y, x]);
			});
		}
	}

	test('is moved alone where it moves alone, and costs nothing where it is already', async () => {
		const recorder = await openWith(size, [
			`${withCursor('row', 'one')}\ntwo`,
			`one\n${withCursor('row', 'two')}`,
			`one\n${withCursor('field', 'two')}`,
		]);
		assert.deepEqual(recorder.sent.slice(1), [`${escape}[2H`]);
	});

	test('goes back within its row in few bytes, as that is drawn last', async () => {
		const recorder = await openWith(size, [` /lam${field}`]);
		assert.equal((await drawn(recorder, ` /lamp${field}`)).sent, `${escape}[1;6Hp_${escape}[D`);
		assert.equal((await drawn(recorder, `${withCursor('row', 'on')}\n2 on`)).sent, `${escape}[2H2 on${escape}[Hon${escape}[K\r`);
	});
});

describe('a wide character', () => {
	test('does not shift the columns after it, whatever width the terminal gives it', async () => {
		const recorder = await openWith({columns: 30, rows: 2}, ['漢字    daemon']);
		// The cursor is positioned again after each of the two.
		assert.match(recorder.sent.join(''), /漢\u{1B}\[3G字\u{1B}\[9Gdaemon/u);
	});

	test('that changes causes the rest of its row to be redrawn', async () => {
		const recorder = await openWith({columns: 30, rows: 2}, ['> 漢字  skill']);
		assert.deepEqual(await drawn(recorder, '> 漢x   skill'), {screen: ['> 漢x   skill', ''], sent: `${escape}[1;5H${escape}[Kx   skill\r`});
	});

	test('that does not change is not sent again when its neighbours change', async () => {
		const recorder = await openWith({columns: 30, rows: 2}, ['  on   漢字  2 days']);
		assert.deepEqual(await drawn(recorder, '> off  漢字  3 days'), {
			screen: ['> off  漢字  3 days', ''],
			sent: `${escape}[H> off${escape}[8C3\r`,
		});
	});
});

describe('a character of uncertain width', () => {
	test('is not sent again with its neighbours', async () => {
		const recorder = await openWith({columns: 30, rows: 2}, ['a – b']);
		assert.deepEqual(await drawn(recorder, 'x – y'), {screen: ['x – y', ''], sent: `${escape}[Hx${escape}[3Cy\r`});
	});
});

describe('styles', () => {
	test('are sent only when they change, and reset after each write', async () => {
		const recorder = await openWith({columns: 30, rows: 2}, []);
		assert.equal(
			(await drawn(recorder, `${escape}[1mbold${escape}[22m ${escape}[31mred${escape}[39m ${escape}[7minverse ${escape}[27m`)).sent,
			`${escape}[H${escape}[1mbold ${escape}[;31mred ${escape}[;7minverse ${escape}[m\r`,
		);
	});

	test('without colours keep bold, dim, underline and inverse, which stands for a background', async () => {
		const recorder = await openWith({columns: 30, rows: 2}, [], {...capabilities, isColorless: true});
		assert.equal(
			(await drawn(recorder, `${escape}[1;31;48;5;24mred${escape}[0m${escape}[2;38;2;1;2;3mdim${escape}[0m${escape}[92mgreen${escape}[0m`))
				.sent,
			`${escape}[H${escape}[1;7mred${escape}[;2mdim${escape}[mgreen\r`,
		);
	});

	test('are not sent to a dumb terminal', async () => {
		const recorder = await openWith({columns: 30, rows: 2}, [], detectCapabilities({TERM: 'dumb'}));
		assert.equal((await drawn(recorder, `${escape}[1;31mred${escape}[0m`)).sent, `${escape}[Hred\r`);
	});

	test('lose the colours that the terminal lacks', async () => {
		const recorder = await openWith({columns: 30, rows: 2}, [], detectCapabilities({TERM: 'xterm'}));
		assert.equal(
			(await drawn(recorder, `${escape}[31ma${escape}[38;5;200mb${escape}[38;2;1;2;3mc`)).sent,
			`${escape}[H${escape}[31ma${escape}[mbc\r`,
		);
	});
});

describe('sequences that must not reach the terminal', () => {
	const hostile = {
		'a link': `${escape}]8;;https://example.org${escape}\\name${escape}]8;;${escape}\\`,
		'a title': `${escape}]0;owned\u{7}name`,
		'a clipboard write': `${escape}]52;c;aGk=\u{7}name`,
		'an unfinished response': `${escape}P1$rname`,
		'concealed and blinking text': `${escape}[8;5mname${escape}[0m`,
		'a cursor move': `${escape}[10;10Hname`,
		'an erased screen': `${escape}[2Jname`,
		'a mode change': `${escape}[?1049lname`,
		'a reset': `${escape}cname`,
		'eight-bit controls': '\u{9B}2J\u{9D}0;x\u{9C}name',
		'control characters': '\u{7}\b\r\u{7F}na\u{0}me',
		'direction overrides': 'na\u{202E}me\u{2066}',
		'invisible characters': 'n\u{200B}a\u{FEFF}me\u{E0041}',
	};
	for (const [what, text] of Object.entries(hostile)) {
		for (const isPlain of [false, true]) {
			test(`${what} in a frame${isPlain ? ' that is drawn whole' : ''}`, async () => {
				const {sent} = await drawn(await openWith({columns: 30, rows: 2}, [], {...capabilities, isPlain}), `> ${text}`);
				// Besides text only cursor positions and plain styles are sent.
				const rest = sent.replaceAll(/\u{1B}\[(?:[1-7;]*m|\d*(?:;\d+)?H|K)|\r\n|\r$/gu, '');
				assert.doesNotMatch(rest, /[\p{Control}\p{Format}]/u);
				assert.doesNotMatch(sent, /\[[0-4679;]*[58][\d;]*m/);
			});
		}
	}
});

test("the terminal's cursor is hidden once, and again after a repaint", async () => {
	const size = {columns: 20, rows: 4};
	const recorder = await openWith(size, ['one\ntwo', 'one\nthree']);
	assert.equal(recorder.sent.join('').split(`${escape}[?25l`).length, 2);
	recorder.forget();
	recorder.writer.repaint(size);
	await recorder.settle();
	assert.ok(recorder.sent.join('').endsWith(`${escape}[?25l`));
});

describe('a slow connection', () => {
	test('gets only the last frame drawn while it was busy', async () => {
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

	test('gets nothing if the last frame equals the one shown', async () => {
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
		const recorder = await openWith({columns: 20, rows: 2}, ['one']);
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
