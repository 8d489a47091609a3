import xterm from '@xterm/headless';
import {detectCapabilities} from '../../../source/terminal/capabilities.ts';
import {createFrameWriter, type FrameSize} from '../../../source/terminal/frame-writer.ts';

/** Makes an emulator give non-ASCII characters two columns, as terminals configured for East Asia do. */
export function widen(emulator: FrameRecorder['emulator']): void {
	const width = (codePoint: number): 1 | 2 => (codePoint < 0x80 ? 1 : 2);
	emulator.unicode.register({
		version: 'wide',
		wcwidth: width,
		// The width is kept from the second bit on.
		charProperties: codePoint => width(codePoint) * 2,
	});
	emulator.unicode.activeVersion = 'wide';
}

/** A frame writer whose bytes are replayed into xterm.js. */
export function createFrameRecorder(size: FrameSize, capabilities = detectCapabilities({TERM: 'xterm-direct', LANG: 'C.UTF-8'})) {
	const emulator = new xterm.Terminal({cols: size.columns, rows: size.rows, allowProposedApi: true, scrollback: 0});
	// The modes of a terminal that the UI uses.
	emulator.write('\u{1B}[?1049h\u{1B}[?7l');
	const sent: string[] = [];
	let unfinished: (() => void) | undefined;

	const turn = async (): Promise<void> =>
		new Promise(resolve => {
			setImmediate(resolve);
		});

	const recorder = {
		emulator,
		sent,
		/** True keeps writes unfinished until `finishWrite`. */
		isSlow: false,
		writer: createFrameWriter({
			size,
			capabilities,
			schedule(callback) {
				setImmediate(callback);
			},
			send(bytes, onWritten) {
				sent.push(bytes);
				emulator.write(bytes);
				unfinished = onWritten;
				if (!recorder.isSlow) {
					queueMicrotask(() => recorder.finishWrite());
				}
			},
		}),
		finishWrite() {
			const finish = unfinished;
			unfinished = undefined;
			finish?.();
		},
		forget() {
			sent.length = 0;
		},
		turn,
		/** Waits until everything is drawn, and returns the rows of the screen. */
		async settle() {
			await turn();
			await turn();
			await new Promise<void>(resolve => {
				emulator.write('', resolve);
			});
			const {active} = emulator.buffer;
			return Array.from(
				{length: emulator.rows},
				(_, row) => active.getLine(row)?.translateToString(false, 0, emulator.cols).trimEnd() ?? '',
			);
		},
	};
	return recorder;
}

export type FrameRecorder = ReturnType<typeof createFrameRecorder>;
