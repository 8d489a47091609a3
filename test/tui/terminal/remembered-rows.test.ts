import assert from 'node:assert/strict';
import test from 'node:test';
import {parseRow} from '../../../source/tui/terminal/cells.ts';
import {rememberRows, type InkOutput, type RowMemory} from '../../../source/tui/terminal/remembered-rows.ts';

// Ink exports nothing but its door.
const {default: InkOutputClass} = await import(new URL('../../../node_modules/ink/build/output.js', import.meta.url).href) as {default: Parameters<typeof rememberRows>[0]};
const RememberingOutput = rememberRows(InkOutputClass);

/** Numbers that look random and are the same at each run (Lehmer's generator). */
const randomFrom = (seed: number) => (limit: number): number => {
	seed = (seed * 16_807) % 2_147_483_647;
	return seed % limit;
};

const bold = (line: string): string => `\u{1B}[1m${line}\u{1B}[22m`;
const cyan = (line: string): string => `\u{1B}[36m${line}\u{1B}[39m`;
const looks: ReadonlyArray<ReadonlyArray<(line: string) => string>> = [[], [bold], [cyan], [bold, cyan]];
const texts = [
	'on   pantry',
	'off  nightwatch',
	'a · b – c …',
	'日本語のテキスト',
	'naïve café',
	'👩‍🚀 astronaut',
	'e\u{301}a\u{308}',
	'two\nlines',
	'\u{1B}[7mturned\u{1B}[27m',
	'wide 日 in it',
	' '.repeat(3),
	'a\u{200B}b',
	'\u{1B}[31mleft open',
	'\u{1B}[31mred\nand on\n日本\u{1B}[39m\nplain',
	'x'.repeat(50),
];

type Instructions = (output: InkOutput & {write(x: number, y: number, text: string, options: object): void; clip(clip: object): void; unclip(): void}) => void;

const randomFrame = (random: (limit: number) => number): Instructions => {
	const steps = Array.from({length: 1 + random(12)}, () => ({
		x: random(30) - 2, y: random(9) - 1, text: texts[random(texts.length)]!, transformers: looks[random(looks.length)]!, kind: random(6),
		clip: {
			x1: random(5), x2: 10 + random(30), y1: random(3), y2: 3 + random(6),
		},
	}));
	return output => {
		let depth = 0;
		for (const {x, y, text, transformers, kind, clip} of steps) {
			if (kind === 0) {
				output.clip(clip);
				depth++;
			} else if (kind === 1 && depth > 0) {
				output.unclip();
				depth--;
			}

			output.write(x, y, text, {transformers});
		}
	};
};

const cellsOf = (frame: string) =>
	frame.split('\n').map(line => parseRow(line, {
		columns: 40, isAscii: false, isColorless: false, isDumb: false, colorBits: 24,
	}));

test('a frame whose rows are remembered shows in every cell what Ink shows', () => {
	const random = randomFrom(20_261_122);
	const memory: RowMemory = {};
	const known: Instructions[] = [];
	for (let count = 0; count < 1500; count++) {
		// Frames come back, as screens do.
		const draw = known.length > 20 && random(3) === 0 ? known[random(known.length)]! : randomFrame(random);
		known.push(draw);
		const width = random(20) === 0 ? 30 : 40;
		const plain = new InkOutputClass({width, height: 8}) as Parameters<Instructions>[0];
		const remembering = new RememberingOutput({width, height: 8, memory}) as unknown as Parameters<Instructions>[0];
		draw(plain);
		draw(remembering);
		const wanted = plain.get();
		const got = remembering.get();
		assert.equal(got.height, wanted.height);
		assert.deepEqual(cellsOf(got.output), cellsOf(wanted.output), `frame ${count}`);
	}
});
