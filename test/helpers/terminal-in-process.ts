import {Buffer} from 'node:buffer';
import {PassThrough, Writable} from 'node:stream';
import {signalErrors} from '../../source/interface/errors.ts';
import {createEmulatedScreen} from './emulated-screen.ts';
import {keyBytes} from './key-bytes.ts';
import {runOn} from './run-in-process.ts';

type TerminalOptions = {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly cwd?: string | undefined;
	readonly columns?: number | undefined;
	readonly rows?: number | undefined;
};

/**
Runs a command on a terminal, in this process: for questions, tables and progress. Job control, hang-ups and what the kernel makes
of keys need a real one (`pseudo-terminal.ts`).
*/
export function openTerminal(words: readonly string[], {env, cwd, columns = 80, rows = 24}: TerminalOptions) {
	const {
		emulator,
		lines: screen,
		look,
		draw,
		waitFor,
	} = createEmulatedScreen({columns, rows, convertEol: true, ending: () => exitCode?.toString()});
	const chunks: Buffer[] = [];
	const ending = new AbortController();
	let isRaw = false;
	let exitCode: number | undefined;

	const kill = (signal: keyof typeof signalErrors): void => ending.abort(signalErrors[signal]);

	// In the order of the writes to both, as on a terminal.
	const output = () =>
		Object.assign(
			new Writable({
				write(chunk: Buffer, _encoding, done) {
					chunks.push(chunk);
					void draw(chunk);
					done();
				},
			}),
			{isTTY: true, columns, rows},
		);
	const stdin = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode(isWanted: boolean) {
			isRaw = isWanted;
		},
	});
	const write = (text: string): void => {
		if (!isRaw && text === '\u{3}') {
			kill('SIGINT');
		} else if (!isRaw && text === '\u{4}') {
			stdin.end();
		} else {
			stdin.write(text);
		}
	};

	const run = async (): Promise<{readonly exitCode: number}> => {
		const code = await runOn(words, {env, cwd, streams: {stdin, stdout: output(), stderr: output()}, signal: ending.signal});
		await draw('');
		exitCode = code;
		look();
		return {exitCode};
	};

	const exited = run();
	return {
		screen,
		lines: () => screen().filter(line => line !== ''),
		/** Resolves when the command has ended and all its output is drawn. */
		exited,
		get output() {
			return Buffer.concat(chunks);
		},
		write,
		/** Keys by name: a character, or `enter`, `escape`, `up`, `ctrl+c` … One write each. */
		press(...names: readonly string[]) {
			for (const name of names) {
				write(keyBytes(name));
			}
		},
		kill,
		waitFor,
		async [Symbol.asyncDispose]() {
			kill('SIGTERM');
			await exited;
			emulator.dispose();
		},
	};
}

type Answered = TerminalOptions & {
	/** Keys that are typed at the question; none is expected without them. */
	readonly typed?: string | undefined;
	/** Called while the question waits. */
	readonly meanwhile?: (() => void) | undefined;
};

/** Runs a command on a terminal that is wide and high enough for all it prints. Returns the exit code and the lines on the screen. */
export async function runOnTerminal(
	words: readonly string[],
	{typed, meanwhile, ...options}: Answered,
): Promise<readonly [exitCode: number, ...lines: string[]]> {
	await using terminal = openTerminal(words, {columns: 400, rows: 60, ...options});
	if (typed !== undefined) {
		await terminal.waitFor('[y/N]');
		meanwhile?.();
		terminal.write(typed);
	}

	const {exitCode} = await terminal.exited;
	return [exitCode, ...terminal.lines()];
}
