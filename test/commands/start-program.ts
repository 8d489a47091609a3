import {type Buffer, createInterface, once, spawn} from '../helpers/node.ts';
import type {IsolatedHome} from '../helpers/isolated-home.ts';
import {builtProgram, type Program} from '../helpers/run-command.ts';
import {runCommand} from '../helpers/run-in-process.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {startInProcess} from './running-command.ts';

/**
Runs `serve` in this process on a free port, until it is stopped. Commands meanwhile must have the same environment, and take its address
as an option.
*/
export async function serveInProcess({env}: Pick<IsolatedHome, 'env'>, ...words: readonly string[]) {
	const command = startInProcess(['serve', '--port', '0', ...words], env);
	await command.waitFor(({lines}) => lines().length > 0);
	const firstLine = command.lines()[0]!;
	const baseAddress = firstLine.replace('listening on ', '');
	return {
		firstLine,
		baseAddress,
		/** Runs a command against it. */
		run: async (...given: readonly string[]) => runCommand([...given, '--base-url', baseAddress], {env}),
		/** Waits until standard error holds what is expected. */
		async told(expected: string | RegExp): Promise<void> {
			await command.waitFor(({errors}) => (typeof expected === 'string' ? errors().includes(expected) : expected.test(errors())));
		},
		/** What it has said on standard error. */
		errors: (): readonly string[] => command.errors().split('\n').slice(0, -1),
		async stop(signal: NodeJS.Signals = 'SIGTERM') {
			command.kill(signal);
			return {exitCode: await command.exited, stderr: command.errors()};
		},
		[Symbol.asyncDispose]: command[Symbol.asyncDispose],
	};
}

/** What serve says on standard error while nobody has a key. */
export const noKeyYet = 'No API key yet. Create one with: switchboard keys create\n';

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
	const exited = once(child, 'close');
	const [firstLine] = await Promise.race([
		once(createInterface({input: child.stdout}), 'line') as Promise<[string]>,
		(async () => {
			const [exitCode, signal] = (await exited) as [number | null, string | null];
			throw new Error(`It ended with ${exitCode ?? signal} before it listened, and said:\n${told}`);
		})(),
	]);
	return {
		child,
		firstLine,
		baseAddress: firstLine.replace('listening on ', ''),
		/** Waits until standard error holds what is expected. */
		async told(expected: string | RegExp): Promise<void> {
			await waitUntil(() => (typeof expected === 'string' ? told.includes(expected) : expected.test(told)));
		},
		/** Ends it, and gives back how it ended and what it said. */
		async stop(signal: NodeJS.Signals) {
			child.kill(signal);
			const [exitCode] = (await exited) as [number | null];
			return {exitCode, stderr: told};
		},
		/** Nothing is left running of a test that fails. */
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
			await exited;
		},
	};
}
