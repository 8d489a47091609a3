import {createInterface, once, path, process, spawn, text} from '../../helpers/node.ts';
import {programFile} from '../../helpers/run-command.ts';
import type {Environment} from '../subjects.ts';

/** A server in a process of its own. */
export type Server = AsyncDisposable & {
	/** `http://HOST:PORT` */
	readonly address: string;
	readonly pid: number;
};

/** The built program, on a data folder or on the database of a URL, with more options of `serve`. */
export async function startService(location: string, env: Environment, ...options: readonly string[]): Promise<Server> {
	const isUrl = location.startsWith('postgres');
	const words = [programFile, 'serve', '--port', '0', '--rate-limit', 'off', ...(isUrl ? [] : ['--data', location]), ...options];
	return start(words, {...env, ...(isUrl && {SWITCHBOARD_DATABASE_URL: location})});
}

/** Starts a script that prints `listening on ADDRESS` as its first line. */
async function start(words: readonly string[], env: Environment): Promise<Server> {
	const child = spawn(process.execPath, words, {env, stdio: ['ignore', 'pipe', 'pipe']});
	const log = text(child.stderr);
	for await (const line of createInterface(child.stdout)) {
		const address = /^listening on (?<address>http:\S+)$/.exec(line)?.groups?.['address'];
		if (address === undefined) {
			continue;
		}

		child.stdout.resume();
		return {
			address,
			pid: child.pid!,
			async [Symbol.asyncDispose]() {
				const ended = once(child, 'exit');
				child.kill('SIGTERM');
				await ended;
			},
		};
	}

	throw new Error(`The server ${words.join(' ')} ended with: ${await log}`);
}

/** A json-server on a file of JSON, which it keeps. */
export async function startJsonServer(toolFolder: string, file: string, env: Environment): Promise<Server> {
	return start([path.join(import.meta.dirname, 'json-server.ts'), toolFolder, file], env);
}

/** A bare Fastify with one route, which sends the bytes of a file. */
export async function startBareRoute(file: string, env: Environment): Promise<Server> {
	return start([path.join(import.meta.dirname, 'bare-route.ts'), file], env);
}
