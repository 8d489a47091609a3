import assert from 'node:assert/strict';
import {test} from 'node:test';
import xterm from '@xterm/headless';
import stringWidth from 'string-width';
import {createFrameRecorder, widen, type FrameRecorder} from '../../helpers/terminal/frame-recorder.ts';
import {createRandom} from '../../helpers/terminal/random.ts';

type Random = (limit: number) => number;

type Emulator = InstanceType<typeof xterm.Terminal>;

const words = ['on ', 'off', 'morninglights', '–', '…', '漢字', 'カ', '  ', ' '.repeat(10), 'x', 'é', 'naïve', '> ', '|', '12 installed'];

const styles = ['', '', '', '1', '2', '7', '4', '31', '92', '44', '1;33', '7;32', '38;5;200', '48;2;1;2;3', '3;9'];

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!;

/** A line of styled words, no wider than the screen. */
const randomLine = (random: Random, columns: number, vocabulary: readonly string[]): string => {
	let line = '';
	let width = 0;
	for (let count = random(8); count > 0; count--) {
		const word = pick(random, vocabulary);
		width += stringWidth(word);
		if (width > columns) {
			break;
		}

		const style = pick(random, styles);
		line += style === '' ? word : `\u{1B}[${style}m${word}\u{1B}[0m`;
	}

	return line;
};

const nextFrame = (random: Random, previous: readonly string[], {columns, rows}: {columns: number; rows: number}, vocabulary: readonly string[]): readonly string[] =>
	Array.from({length: random(5) === 0 ? random(rows + 1) : rows}, (_, row) => {
		const before = previous[row];
		return before === undefined || random(3) === 0 ? randomLine(random, columns, vocabulary) : before;
	});

const drawn = async (emulator: Emulator, bytes: string): Promise<void> => new Promise(resolve => {
	emulator.write(bytes, resolve);
});

/** Each cell of the screen as a person sees it, without attributes that are invisible on a blank. */
const cellsOf = (emulator: Emulator): readonly string[] => Array.from({length: emulator.rows}, (_, row) => {
	const line = emulator.buffer.active.getLine(row)!;
	return Array.from({length: emulator.cols}, (__, column) => {
		const cell = line.getCell(column)!;
		const text = cell.getChars() || ' ';
		const look = [
			cell.isInverse() && 'inverse',
			cell.isUnderline() && 'underline',
			cell.isStrikethrough() && 'struck',
			!cell.isBgDefault() && `background ${cell.getBgColor()}`,
			(text !== ' ' || cell.isInverse()) && !cell.isFgDefault() && `color ${cell.getFgColor()}`,
			text !== ' ' && cell.isBold() && 'bold',
			text !== ' ' && cell.isDim() && 'dim',
			text !== ' ' && cell.isItalic() && 'italic',
		].filter(Boolean);
		return cell.getWidth() === 0 ? '' : `${text}${look.length === 0 ? '' : `(${look.join(',')})`}`;
	}).join('').trimEnd();
});

const reference = new xterm.Terminal({allowProposedApi: true, scrollback: 0});

/** The frame as written directly to an empty screen. */
const expectedCells = async (frame: readonly string[], {columns, rows}: {columns: number; rows: number}): Promise<readonly string[]> => {
	reference.resize(columns, rows);
	await drawn(reference, `\u{1B}[?1049h\u{1B}[?7l\u{1B}[m\u{1B}[H\u{1B}[J${frame.slice(0, rows).join('\r\n')}`);
	return cellsOf(reference);
};

const randomSize = (random: Random): {columns: number; rows: number} => ({columns: 4 + random(60), rows: 1 + random(12)});

const resize = (recorder: FrameRecorder, size: {columns: number; rows: number}): void => {
	recorder.emulator.resize(size.columns, size.rows);
	recorder.writer.repaint(size);
};

test('the screen shows the last frame, cell by cell, through any changes and resizes', async () => {
	const differences: unknown[] = [];
	for (let seed = 1; seed <= 30; seed++) {
		const random = createRandom(seed);
		let size = randomSize(random);
		const recorder = createFrameRecorder(size);
		recorder.writer.repaint(size);
		let frame: readonly string[] = [];
		for (let step = 0; step < 20; step++) {
			if (random(6) === 0) {
				size = randomSize(random);
				resize(recorder, size);
				frame = [];
			}

			frame = nextFrame(random, frame, size, words);
			recorder.writer.draw(frame.join('\n'));
			await recorder.settle();
			const actual = cellsOf(recorder.emulator);
			const expected = await expectedCells(frame, size);
			if (JSON.stringify(actual) !== JSON.stringify(expected)) {
				differences.push({
					seed,
					step,
					actual,
					expected,
				});
			}
		}
	}

	assert.deepEqual(differences.slice(0, 1), []);
});

const disputed = ['👍', '🏠', '–', '…', 'é', '漢'];

const nextDisputedFrame = (random: Random, previous: readonly string[]): readonly string[] => Array.from({length: 4}, (_, row) => {
	const before = previous[row];
	return before !== undefined && random(2) === 0
		? before
		: `> ${pick(random, ['on ', 'off'])}  ${random(3) === 0 ? '' : pick(random, disputed)}`.padEnd(12 + random(4)) + pick(random, ['skill', 'daemon', '']);
});

/** The column at which each word begins. */
const placesOf = (line: string): readonly string[] =>
	[...line.matchAll(/[ -~]+/g)].flatMap(({0: run, index}) => [...run.matchAll(/[!-~]+/g)].map(word => `${word[0]} at ${stringWidth(line.slice(0, index)) + word.index}`));

const placesOn = (emulator: Emulator): ReadonlyArray<readonly string[]> => Array.from({length: emulator.rows}, (_, row) => {
	const line = emulator.buffer.active.getLine(row)!;
	const columns = Array.from({length: emulator.cols}, (__, column) => line.getCell(column)!.getChars() || ' ');
	return placesOf(columns.map(text => /^[ -~]$/.test(text) ? text : ' ').join(''));
});

for (const [what, isWide] of [['one column to emoji', false], ['two columns to non-ASCII characters', true]] as const) {
	test(`words stay in their columns on a terminal that gives ${what}`, async () => {
		const wrong: unknown[] = [];
		for (let seed = 1; seed <= 20; seed++) {
			const random = createRandom(seed);
			const size = {columns: 60, rows: 4};
			const recorder = createFrameRecorder(size);
			if (isWide) {
				widen(recorder.emulator);
			}

			recorder.writer.repaint(size);
			let frame: readonly string[] = [];
			for (let step = 0; step < 20; step++) {
				frame = nextDisputedFrame(random, frame);
				recorder.writer.draw(frame.join('\n'));
				await recorder.settle();
				const shown = placesOn(recorder.emulator);
				const meant = frame.map(line => placesOf(line));
				if (JSON.stringify(shown) !== JSON.stringify(meant)) {
					wrong.push({
						seed,
						step,
						shown,
						meant,
					});
				}
			}
		}

		assert.deepEqual(wrong.slice(0, 1), []);
	});
}
