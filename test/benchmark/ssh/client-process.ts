import {type ChildProcess, fork, once, path} from '../../helpers/node.ts';
import type {Algorithms} from 'ssh2';

/** The same for every client, so that they compare. */
export const algorithms = {
	kex: ['curve25519-sha256'],
	cipher: ['aes128-gcm@openssh.com'],
	serverHostKey: ['ssh-ed25519'],
} satisfies Algorithms;

/** What the clients are asked to do (`clients.ts`). */
export type ClientOrder =
	| {readonly open: {readonly port: number; readonly privateKeys: readonly string[]; readonly shown: string}}
	| {readonly press: {readonly sessions: number; readonly count: number; readonly pauseMilliseconds: number}};

type Helper = AsyncDisposable & {readonly child: ChildProcess};

/** Starts a file of this folder as a process that ends when it is let go. */
export function startHelper(file: string, ...words: readonly string[]): Helper {
	const child = fork(path.join(import.meta.dirname, file), words, {execArgv: ['--import', 'tsx']});
	return {
		child,
		async [Symbol.asyncDispose]() {
			const ended = once(child, 'exit');
			child.disconnect();
			await ended;
		},
	};
}

/** Gives an order to the clients. What they measured, in milliseconds. */
export async function order({child}: Helper, given: ClientOrder): Promise<readonly number[]> {
	const answer = once(child, 'message') as Promise<[readonly number[]]>;
	const ended = once(child, 'exit').then(() => {
		throw new Error('The clients ended.');
	});
	child.send(given);
	const [measured] = await Promise.race([answer, ended]);
	return measured;
}
