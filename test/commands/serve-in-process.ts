import type {IsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-in-process.ts';
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
