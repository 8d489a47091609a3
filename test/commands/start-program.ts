import type {Buffer} from 'node:buffer';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {IsolatedHome} from '../helpers/isolated-home.ts';
import {builtProgram, type Program} from '../helpers/run-command.ts';
import {waitUntil} from '../helpers/wait-until.ts';

/** What serve says on standard error while nobody has a key. */
export const noKeyYet = 'No API key yet. Create one with: switchboard keys create\n';

/** Runs a program that serves until it is stopped, and waits for the first line of its output. */
export const startProgram = async (
	{env, cwd}: Pick<IsolatedHome, 'env'> & {readonly cwd?: string},
	words: readonly string[],
	{command, args}: Program = builtProgram,
) => {
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
};
