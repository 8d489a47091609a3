import {assert, test} from '../helpers/node.ts';
import type xterm from '@xterm/headless';
import stringWidth from 'string-width';
import {createFrameRecorder, widen} from '../helpers/terminal/frame-recorder.ts';
import {createRandom} from '../helpers/terminal/random.ts';

type Random = (limit: number) => number;

type Emulator = InstanceType<typeof xterm.Terminal>;

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!;

const disputed = ['👍', '🏠', '–', '…', 'é', '漢'];

const size = {columns: 60, rows: 8};

const disputedLine = (random: Random): string =>
	`> ${pick(random, ['on ', 'off'])}  ${random(3) === 0 ? '' : pick(random, disputed)}`.padEnd(12 + random(4)) +
	pick(random, ['skill', 'daemon', '']) +
	random(100);

/** Lines between a first and a last one that stay, some of them changed, or all moved by one or two. */
function nextDisputedFrame(random: Random, previous: readonly string[]): readonly string[] {
	const distance = random(3) === 0 ? random(5) - 2 : 0;
	return Array.from({length: size.rows}, (_, row) => {
		const isEdge = row === 0 || row === size.rows - 1;
		const before = isEdge ? previous[row] : previous.slice(1, -1)[row - 1 + distance];
		return before !== undefined && (distance !== 0 || random(2) === 0) ? before : disputedLine(random);
	});
}

/** The column at which each word begins. */
const placesOf = (line: string): readonly string[] =>
	[...line.matchAll(/[ -~]+/g)].flatMap(({0: run, index}) =>
		[...run.matchAll(/[!-~]+/g)].map(word => `${word[0]} at ${stringWidth(line.slice(0, index)) + word.index}`),
	);

const placesOn = (emulator: Emulator): ReadonlyArray<readonly string[]> =>
	Array.from({length: emulator.rows}, (_, row) => {
		const line = emulator.buffer.active.getLine(row)!;
		const columns = Array.from({length: emulator.cols}, (__, column) => line.getCell(column)!.getChars() || ' ');
		return placesOf(columns.map(text => (/^[ -~]$/.test(text) ? text : ' ')).join(''));
	});

for (const [what, isWide] of [
	['one column to emoji', false],
	['two columns to non-ASCII characters', true],
] as const) {
	test(`words stay in their columns, also when rows scroll, on a terminal that gives ${what}`, async () => {
		const wrong: unknown[] = [];
		for (let seed = 1; seed <= 20; seed++) {
			const random = createRandom(seed);
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
					wrong.push({seed, step, shown, meant});
				}
			}
		}

		assert.deepEqual(wrong.slice(0, 1), []);
	});
}
