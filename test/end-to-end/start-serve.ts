import {createInterface, once, spawn} from '../helpers/node.ts';
import type {IsolatedHome} from '../helpers/isolated-home.ts';
import {builtProgram} from '../helpers/run-command.ts';

/** Runs `switchboard serve` until it listens. */
export async function startServe(home: IsolatedHome, words: readonly string[], {command, args} = builtProgram) {
	const child = spawn(command, [...args, 'serve', ...words], {env: home.env, stdio: ['ignore', 'pipe', 'inherit']});
	const exited = (async () => {
		const [code] = (await once(child, 'exit')) as [number | null];
		return code;
	})();
	const [line] = await Promise.race([
		once(createInterface(child.stdout), 'line') as Promise<[string]>,
		(async () => {
			throw new Error(`serve ended with ${await exited} before it listened`);
		})(),
	]);
	return {
		pid: child.pid!,
		baseAddress: line.replace('listening on ', ''),
		exited,
		/** As a power failure would. */
		kill() {
			child.kill('SIGKILL');
		},
		async [Symbol.asyncDispose]() {
			child.kill('SIGTERM');
			await exited;
		},
	};
}

export type RunningServe = Awaited<ReturnType<typeof startServe>>;
