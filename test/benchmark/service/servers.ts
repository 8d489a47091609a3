import {createInterface, once, path, process, spawn, text} from '../../helpers/node.ts';
import {programFile} from '../../helpers/run-command.ts';
import type {Environment} from '../subjects.ts';

/** A server in a process of its own. */
export type Server = AsyncDisposable & {
	/** `http://HOST:PORT` */
	readonly address: string;
	readonly pid: number;
};

/** Starts a script that prints `listening on ADDRESS` as its first line. */
const start = async (words: readonly string[], env: Environment): Promise<Server> => {
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
};

/** The built program, on a data folder or on the database of a URL. */
export const startService = async (location: string, env: Environment): Promise<Server> => {
	const isUrl = location.startsWith('postgres');
	const words = [programFile, 'serve', '--port', '0', '--rate-limit', 'off', ...(isUrl ? [] : ['--data', location])];
	return start(words, {...env, ...(isUrl && {SWITCHBOARD_DATABASE_URL: location})});
};

/** A json-server on a file of JSON, which it keeps. */
export const startJsonServer = async (toolFolder: string, file: string, env: Environment): Promise<Server> =>
	start([path.join(import.meta.dirname, 'json-server.ts'), toolFolder, file], env);

/** A bare Fastify with one route, which sends the bytes of a file. */
export const startBareRoute = async (file: string, env: Environment): Promise<Server> =>
	start([path.join(import.meta.dirname, 'bare-route.ts'), file], env);
