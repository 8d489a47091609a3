import {assert, test} from '../helpers/node.ts';
import xterm from '@xterm/headless';
import type * as Ink from 'ink';
import {detectCapabilities, loadWithForcedColor, type TerminalEnvironment} from '../../source/terminal/capabilities.ts';
import {createInkOptions, InkStdin, InkStdout} from '../../source/terminal/ink-streams.ts';
import type {FrameSize} from '../../source/terminal/frame-writer.ts';
import {printedRow, reducedRow, rowsOf} from '../helpers/terminal/emulator-cells.ts';
import {createFrameRecorder, type FrameRecorder} from '../helpers/terminal/frame-recorder.ts';
import {joinGraphemes} from '../helpers/terminal/grapheme-widths.ts';
import {createRandom} from '../helpers/terminal/random.ts';
import {drawScene, nextScene, randomScene, randomSize, type Scene} from '../helpers/terminal/random-scene.tsx';

/*
A frame must be right before it is small. Random screens are drawn twice: by Ink as we patch it, through our frame writer, and
by Ink as it is, whose frame is written whole on an empty screen. Both terminals must show the same in every cell.
*/

type Emulator = FrameRecorder['emulator'];

/** The Ink that the tests are bundled with has our patches; the one on the disk has not. */
const patchedInk = await loadWithForcedColor(async () => import('ink'));
const plainInk = await loadWithForcedColor(
	async () => import(new URL('../../node_modules/ink/build/index.js', import.meta.url).href) as Promise<typeof Ink>,
);

/** Draws scenes with an Ink, and hands over the frames. */
function openInk(ink: typeof Ink, scene: Scene, onFrame: (frame: string) => void) {
	const stdout = new InkStdout(scene.size, onFrame);
	const instance = ink.render(drawScene(ink, scene), createInkOptions(new InkStdin(), stdout));
	return {
		draw(next: Scene): void {
			if (next.size.columns !== stdout.columns || next.size.rows !== stdout.rows) {
				stdout.resize(next.size);
			}

			instance.rerender(drawScene(ink, next));
		},
		close: instance.unmount,
	};
}

const write = async (emulator: Emulator, bytes: string): Promise<void> =>
	new Promise(resolve => {
		emulator.write(bytes, resolve);
	});

function openEmulator(): Emulator {
	const emulator = new xterm.Terminal({allowProposedApi: true, scrollback: 0});
	joinGraphemes(emulator);
	return emulator;
}

async function showWhole(emulator: Emulator, frame: string, {columns, rows}: FrameSize): Promise<void> {
	emulator.resize(columns, rows);
	await write(emulator, `\u{1B}[?1049h\u{1B}[?7l\u{1B}[m\u{1B}[H\u{1B}[J${frame.split('\n').slice(0, rows).join('\r\n')}`);
}

function resize({emulator, writer}: FrameRecorder, size: FrameSize): void {
	emulator.resize(size.columns, size.rows);
	writer.repaint(size);
}

/** @returns everything that was sent. */
async function checkFrames(count: number, seed: number, env: TerminalEnvironment): Promise<string> {
	const random = createRandom(seed);
	const capabilities = detectCapabilities(env);
	let scene = randomScene(random, randomSize(random));
	const recorder = createFrameRecorder(scene.size, capabilities);
	joinGraphemes(recorder.emulator);
	const reference = openEmulator();
	let expectedFrame = '';
	recorder.writer.repaint(scene.size);
	const ours = openInk(patchedInk, scene, recorder.writer.draw);
	const alone = openInk(plainInk, scene, frame => {
		expectedFrame = frame;
	});
	await recorder.settle();
	for (let drawn = 0; drawn < count; ) {
		// On a slow line the first frame is on its way while the others come.
		recorder.isSlow = random(4) === 0;
		for (let more = recorder.isSlow ? 2 + random(3) : 1; more > 0; more--) {
			scene = nextScene(scene, random);
			if (random(15) === 0) {
				// Perhaps to and fro, before Ink draws for the new size.
				resize(recorder, randomSize(random));
				await recorder.turn();
				scene = {...scene, size: random(2) === 0 ? scene.size : randomSize(random)};
				resize(recorder, scene.size);
				await recorder.turn();
			}

			ours.draw(scene);
			alone.draw(scene);
			drawn++;
			await recorder.turn();
		}

		recorder.isSlow = false;
		recorder.finishWrite();
		await recorder.settle();
		await showWhole(reference, expectedFrame, scene.size);
		const shown = rowsOf(recorder.emulator).map(row => printedRow(row));
		const expected = rowsOf(reference).map(row => printedRow(reducedRow(row, capabilities)));
		assert.deepEqual(shown, expected, `frame ${drawn} with seed ${seed}: ${JSON.stringify(recorder.sent.at(-1))}`);
	}

	ours.close();
	alone.close();
	return recorder.sent.join('');
}

const scrollRegion = /\u{1B}\[\d+;\d+r/gu;

const xtermDirect = {TERM: 'xterm-direct', LANG: 'C.UTF-8'};

for (const [index, [what, env]] of (
	[
		['', xtermDirect],
		[' without colours', {...xtermDirect, NO_COLOR: '1'}],
		[' that gets frames whole', {...xtermDirect, SWITCHBOARD_WRITER: 'plain'}],
	] as const
).entries()) {
	test(`a terminal${what} shows in every cell what Ink alone shows`, async () => {
		const sent = await checkFrames(500, index + 1, env);
		const {isPlain} = detectCapabilities(env);
		const scrolls = sent.match(scrollRegion)?.length ?? 0;
		assert.ok(isPlain ? scrolls === 0 : scrolls > 30, `${scrolls} frames were scrolled`);
	});
}
