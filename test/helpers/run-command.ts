import {Buffer, path, process, spawn, text} from './node.ts';

/** The built program. */
export const programFile = path.resolve(import.meta.dirname, '../../dist/cli.js');

export type Program = {readonly command: string; readonly args: readonly string[]};

/** A program that Node.js runs. */
export function nodeProgram(file: string): Program {
	return {command: process.execPath, args: [file]};
}

export const builtProgram = nodeProgram(programFile);

export type CommandOptions = {
	/** The whole environment; nothing is inherited. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stdin?: string | Uint8Array | undefined;
	readonly cwd?: string | undefined;
	readonly program?: Program | undefined;
	/** After this time it is killed, and the call fails with its output. */
	readonly deadlineMilliseconds?: number | undefined;
	/** Ends it with SIGTERM, or whatever the abort's reason says if that is the name of a signal. */
	readonly abort?: AbortSignal | undefined;
};

/** Runs the program with pipes, as a script would. */
export async function runCommand(
	commandArguments: readonly string[],
	{env, stdin = '', cwd, program = builtProgram, deadlineMilliseconds = 60_000, abort}: CommandOptions,
) {
	const child = spawn(program.command, [...program.args, ...commandArguments], {env, cwd, stdio: 'pipe'});
	let isLate = false;
	const timer = setTimeout(() => {
		isLate = true;
		child.kill('SIGKILL');
	}, deadlineMilliseconds);
	abort?.addEventListener('abort', () => {
		child.kill(typeof abort.reason === 'string' ? (abort.reason as NodeJS.Signals) : 'SIGTERM');
	});
	// A program that does not read its input may close it before everything is written.
	child.stdin.on('error', () => undefined);
	child.stdin.end(Buffer.from(stdin as string));
	try {
		const [stdout, stderr, [exitCode, signal]] = await Promise.all([
			text(child.stdout),
			text(child.stderr),
			new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
				child.once('error', reject);
				child.once('close', (code, name) => resolve([code, name]));
			}),
		]);
		if (isLate) {
			throw new Error(`“${commandArguments.join(' ')}” did not end in time. It wrote:\n${stdout}\n${stderr}`);
		}

		return {stdout, stderr, exitCode, signal};
	} finally {
		clearTimeout(timer);
	}
}

/**
Runs the built program where no file can grow beyond so many blocks, of half a kilobyte or a whole one where the shell counts so: a full disk,
as far as the program can tell. Node.js itself would be ended by a signal as it writes its compile cache.
*/
export async function runWithRoom(
	blocks: number,
	words: readonly string[],
	{env, cwd}: Pick<CommandOptions, 'env' | 'cwd'>,
): Promise<CommandResult> {
	const args = ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', builtProgram.command, ...builtProgram.args];
	return runCommand(words, {env: {...env, NODE_DISABLE_COMPILE_CACHE: '1'}, cwd, program: {command: 'sh', args}});
}

export type CommandResult = Awaited<ReturnType<typeof runCommand>>;
