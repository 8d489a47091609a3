import assert from 'node:assert/strict';
import {mock, test} from 'node:test';
import {createScreenReaderWriter} from '../../source/terminal/screen-reader-writer.ts';
import {spokenText, spokenKeys, spokenRow} from '../../source/terminal/spoken-text.ts';
import {assertMapped} from '../helpers/lists.ts';

const plain = {
	isColorless: true,
	isDumb: false,
	colorBits: 4,
	isAscii: false,
	erasesInColor: false,
	isPlain: false,
	isScreenReader: true,
} as const;

const size = {columns: 40, rows: 10};

/** A terminal in whose world time passes with `wait` alone. */
function openTerminal({isAscii = false} = {}) {
	let now = 0;
	let bytes = '';
	let hold: Array<() => void> | undefined;
	mock.timers.reset();
	mock.timers.enable({apis: ['setTimeout']});
	mock.method(performance, 'now', () => now);
	const writer = createScreenReaderWriter({
		size,
		capabilities: {...plain, isAscii},
		send(text, onWritten) {
			bytes += text;
			if (hold === undefined) {
				onWritten();
			} else {
				hold.push(onWritten);
			}
		},
		schedule(callback) {
			callback();
		},
	});
	/** What was written since the last call. */
	const said = (): string => {
		const text = bytes;
		bytes = '';
		return text;
	};

	return {
		writer,
		said,
		/** Draws a frame, and returns what it makes the reader say. */
		drawn(frame: string): string {
			writer.draw(frame);
			return said();
		},
		/** Gives the terminal to the writer, with this frame on it. */
		show(frame: string): void {
			writer.repaint(size);
			writer.draw(frame);
			said();
		},
		wait(milliseconds: number): void {
			now += milliseconds;
			mock.timers.tick(milliseconds);
		},
		stall(): void {
			hold = [];
		},
		goOn(): void {
			const waiting = hold ?? [];
			hold = undefined;
			for (const onWritten of waiting) {
				onWritten();
			}
		},
	};
}

const frameOf = (...lines: readonly string[]): string => lines.join('\n');

const list = (cursor: number, rows: readonly string[], ...news: readonly string[]): string =>
	frameOf('Switchboard, local, live', ...rows.map((row, index) => spokenRow(index === cursor, row)), ...news, spokenKeys('j down', 'k up'));

const rows = ['on lamps, skill', 'on pantry, brain', 'off nightwatch, daemon'];

test('a frame is read whole once, its list in order, with the row under the cursor last', () => {
	const {drawn, said, writer} = openTerminal();
	assert.equal(drawn(list(1, rows)), '', 'nothing before the terminal is ours');
	writer.repaint(size);
	assert.equal(
		said(),
		[
			'Switchboard, local, live',
			'  on lamps, skill',
			'  on pantry, brain',
			'  off nightwatch, daemon',
			'Keys: j down, k up',
			'> on pantry, brain',
		].join('\r\n'),
	);
});

test('moving and scrolling read only the row under the cursor', () => {
	const {drawn, show} = openTerminal();
	show(list(1, rows));
	assert.equal(drawn(list(2, rows)), '\r\n> off nightwatch, daemon');
	assert.equal(drawn(list(2, ['on pantry, brain', 'off nightwatch, daemon', 'on goodnight, skill'])), '\r\n> on goodnight, skill');
});

test('a changed row is read again only under the cursor', () => {
	const {drawn, show} = openTerminal();
	show(list(0, rows));
	assert.equal(drawn(list(0, ['off lamps, not confirmed yet, skill', ...rows.slice(1)])), '\r\n> off lamps, not confirmed yet, skill');
	assert.equal(drawn(list(0, ['off lamps, not confirmed yet, skill', 'off pantry, brain', rows[2]!])), '');
});

test('news is read before the row under the cursor, which comes last again', () => {
	const {drawn, show, wait} = openTerminal();
	show(list(0, rows));
	wait(1000);
	assert.equal(drawn(list(0, rows, '! lamps stays on: it was refused.')), '\r\n! lamps stays on: it was refused.\r\n> on lamps, skill');
	assert.equal(drawn(list(1, rows, '! lamps stays on: it was refused.')), '\r\n> on pantry, brain', 'what stays is no news');
	assert.equal(drawn(list(1, rows)), '', 'what goes is none either');
	wait(10_000);
	assert.equal(
		drawn(list(1, rows, '! lamps stays on: it was refused.')),
		'\r\n! lamps stays on: it was refused.\r\n> on pantry, brain',
		'what comes again is',
	);
});

test('news in quick succession is read after a pause, in its latest form', () => {
	const {drawn, said, show, wait, writer} = openTerminal();
	show(list(0, rows));
	wait(1000);
	assert.equal(drawn(list(0, rows, 'filter l')), '\r\nfilter l\r\n> on lamps, skill');
	wait(100);
	writer.draw(list(0, rows, 'filter la'));
	wait(100);
	assert.equal(drawn(list(1, rows, 'filter lam')), '\r\n> on pantry, brain', 'the row is said at once');
	wait(150);
	assert.equal(said(), '\r\nfilter lam\r\n> on pantry, brain');
	wait(10_000);
	assert.equal(said(), '');
});

test('a counting line is read every few seconds, and at its end', () => {
	const {said, show, wait, writer} = openTerminal();
	show('Uploading');
	wait(1000);
	for (let percent = 0; percent <= 100; percent += 10) {
		writer.draw(frameOf('Uploading', `[${'█'.repeat(percent / 10)}${'·'.repeat(10 - percent / 10)}] ${percent} %`));
		wait(500);
	}

	wait(5000);
	assertMapped(said().split('\r\n'), line => line.replace(/^\[.*\] /, ''), ['', '0 %', '50 %', '100 %']);
});

test('typed text is appended to the line of its field, and deleted text is erased', () => {
	const {drawn, writer} = openTerminal();
	const form = (address: string, key: string, isKey = false): string =>
		frameOf('Connect', spokenRow(!isKey, `Address ${address}`), spokenRow(isKey, `API key ${key}`));
	writer.repaint(size);
	assert.equal(drawn(form('https://a', '')), 'Connect\r\n  Address https://a\r\n  API key\r\n> Address https://a');
	writer.draw(form('https://a.', ''));
	assert.equal(drawn(form('https://a.漢', '')), '.漢');
	assert.equal(drawn(form('https://a.', '')), '\b \b\b \b', 'a wide character has two columns');
	assert.equal(drawn(form('', '')), '\r\n> Address', 'a whole value that is gone is said');
	writer.draw(form('', '', true));
	assert.equal(drawn(form('', '*', true)), '\r\n> API key *', 'another field is another line');
});

test('deleting in a line wider than the terminal reads the line again', () => {
	const {drawn, show} = openTerminal();
	show(spokenRow(true, 'x'.repeat(50)));
	assert.equal(drawn(spokenRow(true, 'x'.repeat(49))), `\r\n> ${'x'.repeat(49)}`);
});

test('a row whose name starts with that of the previous row is read whole', () => {
	const {drawn, show} = openTerminal();
	const numbered = ['on #10', 'on #101', 'on #1'];
	show(list(0, numbered));
	assert.equal(drawn(list(1, numbered)), '\r\n> on #101');
	assert.equal(drawn(list(2, numbered)), '\r\n> on #1');
});

test('a typed filter is echoed although the list changes with it', () => {
	const {drawn, show, writer} = openTerminal();
	const filtered = (filter: string, ...left: readonly string[]): string =>
		frameOf(...left.map(row => spokenRow(false, row)), spokenRow(true, `/${filter}`));
	show(filtered('', ...rows));
	writer.draw(filtered('n', 'on pantry, brain', 'off nightwatch, daemon'));
	assert.equal(drawn(filtered('ni', 'off nightwatch, daemon')), 'ni');
});

test('when all rows are marked or switched only the one under the cursor is read again', () => {
	const {drawn, said, show, wait, writer} = openTerminal();
	show(list(0, rows, '3 shown'));
	wait(1000);
	assert.equal(
		drawn(list(0, ['on lamps, marked, skill', 'on pantry, marked, brain', 'off nightwatch, marked, daemon'], '3 marked')),
		'\r\n3 marked\r\n> on lamps, marked, skill',
	);
	writer.draw(
		list(
			0,
			['off lamps', 'off pantry', 'on nightwatch'].map(row => `${row}, not confirmed yet, marked`),
			'3 marked',
		),
	);
	assert.equal(said(), '\r\n> off lamps, not confirmed yet, marked');
});

test('a change of age alone is not read', () => {
	const {drawn, show, wait} = openTerminal();
	const changed = (age: string): string => `Changed, 2026-01-02 03:04, ${age === 'now' ? 'just now' : `${age} ago`}`;
	const aged = (cursor: number, age: string, ...news: readonly string[]): string =>
		list(cursor, [`on lamps, ${age}`, `off pantry, ${age}`], changed(age), ...news);
	show(aged(0, 'now'));
	for (const age of ['1 min', '2 min', '1 hour', '3 weeks']) {
		wait(60_000);
		assert.equal(drawn(aged(0, age)), '', age);
	}

	assert.equal(drawn(aged(0, '3 weeks', 'Refused.')), '\r\nRefused.\r\n> on lamps, 3 weeks');
	assert.equal(drawn(aged(1, '3 weeks', 'Refused.')), '\r\n> off pantry, 3 weeks');
});

test('another row that differs only in its age is read', () => {
	const {drawn, show} = openTerminal();
	show(list(0, ['on lamps, 2 days', 'on lamps, 3 days']));
	assert.equal(drawn(list(1, ['on lamps, 2 days', 'on lamps, 3 days'])), '\r\n> on lamps, 3 days');
});

test('going back to a list that was read reads only its current row', () => {
	const {drawn, said, wait, writer} = openTerminal();
	writer.repaint(size);
	writer.draw(list(0, rows));
	wait(1000);
	writer.draw(frameOf('Messages', 'No messages yet.'));
	said();
	wait(1000);
	assert.equal(drawn(list(0, rows)), '\r\nSwitchboard, local, live\r\n> on lamps, skill');
	wait(1000);
	assert.equal(
		drawn(frameOf(...['Hearth', 'Pepper'].map((row, index) => spokenRow(index === 0, row)))),
		'\r\n  Hearth\r\n  Pepper\r\n> Hearth',
		'another list is said whole',
	);
});

test('everything is read again on request, and after the terminal was lent', () => {
	const {drawn, said, wait, writer} = openTerminal();
	writer.repaint(size);
	writer.draw(list(0, rows));
	const whole = said();
	wait(1000);
	writer.repaint(size);
	assert.equal(said(), `\r\n${whole}`);
	writer.repaint(size);
	assert.equal(said(), '', 'not twice for one wish');
	writer.pause();
	assert.equal(drawn(list(1, rows)), '');
	wait(1000);
	writer.repaint(size);
	assert.equal(said(), whole.replace(/> on lamps, skill$/, '> on pantry, brain'));
	wait(1000);
	writer.repaint({columns: 60, rows: 10});
	assert.equal(said(), '', 'another size changes no line');
});

test('on a slow connection frames in between are skipped', () => {
	const {drawn, goOn, said, show, stall, writer} = openTerminal();
	show(list(0, rows));
	stall();
	writer.draw(list(1, rows));
	writer.draw(list(2, rows));
	writer.draw(list(0, rows));
	assert.equal(drawn(list(2, rows)), '\r\n> on pantry, brain');
	goOn();
	assert.equal(said(), '\r\n> off nightwatch, daemon');
});

test('only text reaches the terminal, whatever a frame contains', () => {
	const {said, writer} = openTerminal();
	writer.repaint(size);
	writer.draw(
		frameOf(
			'\u{1B}[7mone\u{1B}[27m\u{1B}]52;c;eA==\u{7}',
			`two\u{202E}\u{9B}2J${' '.repeat(20)}three`,
			' > \u{1B}[1mfour\u{1B}[22m   five ',
		),
	);
	assert.equal(said(), 'one\r\ntwo, three\r\n> four, five');
});

test('on an ASCII terminal only ASCII is written', () => {
	const {drawn, writer} = openTerminal({isAscii: true});
	writer.repaint(size);
	assert.equal(drawn(frameOf('“Café” – now…', '> 漢')), '"Cafe" - now...\r\n> ??');
});

test('empty parts are not read', () => assert.equal(spokenText(' on lamps ', '', 'skill', ' '), 'on lamps, skill'));
