import {type Buffer, createInterface, once, spawn} from '../helpers/node.ts';
import type {IsolatedHome} from '../helpers/isolated-home.ts';
import {builtProgram, type Program} from '../helpers/run-command.ts';
import {waitUntil} from '../helpers/wait-until.ts';

/** Runs a program that serves until it is stopped, and waits for the first line of its output. */
export async function startProgram(
	{env, cwd}: Pick<IsolatedHome, 'env'> & {readonly cwd?: string},
	words: readonly string[],
	{command, args}: Program = builtProgram,
) {
	const child = spawn(command, [...args, ...words], {env, cwd, stdio: ['ignore', 'pipe', 'pipe']});
	let told = '';
	child.stderr.on('data', (part: Buffer) => {
		told += String(part);
	});
	// Once nobody writes any more: a program that npm starts may outlive npm.
	const exited = once(child, 'close') as Promise<[number | null, string | null]>;
	const [firstLine] = await Promise.race([
		once(createInterface({input: child.stdout}), 'line') as Promise<[string]>,
		(async () => {
			const [exitCode, signal] = await exited;
			throw new Error(`It ended with ${exitCode ?? signal} before it listened, and said:\n${told}`);
		})(),
	]);
	return {
		child,
		firstLine,
		baseAddress: firstLine.replace('listening on ', ''),
		/** What it has said on standard error. */
		errors: () => told,
		/** Waits until standard error holds what is expected. */
		async told(expected: string | RegExp): Promise<void> {
			await waitUntil(() => (typeof expected === 'string' ? told.includes(expected) : expected.test(told)));
		},
		/** Ends it, and gives back how it ended and what it said. */
		async stop(signal: NodeJS.Signals) {
			child.kill(signal);
			const [exitCode] = await exited;
			return {exitCode, stderr: told};
		},
		/** Nothing is left running of a test that fails. */
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
			await exited;
		},
	};
}

/** Runs `switchboard serve` until it listens. */
export async function startServe(home: Pick<IsolatedHome, 'env'>, words: readonly string[], program?: Program) {
	const {child, baseAddress, stop} = await startProgram(home, ['serve', ...words], program);
	const exited = once(child, 'exit').then(([code]) => code as number | null);
	return {
		pid: child.pid!,
		baseAddress,
		exited,
		/** As a power failure would. */
		kill() {
			child.kill('SIGKILL');
		},
		async [Symbol.asyncDispose]() {
			await stop('SIGTERM');
		},
	};
}

export type RunningServe = Awaited<ReturnType<typeof startServe>>;
