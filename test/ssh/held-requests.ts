import {once, readFileSync} from '../helpers/node.ts';
import ssh2 from 'ssh2';
import type {RunningServer} from './running-server.ts';

/** What a session on a channel came to. */
export type Outcome = {readonly stdout: string; readonly stderr: string; readonly exitCode: number | undefined};

/** Logs in with the key of the server's first line. */
export async function connectClient({port, key}: Pick<RunningServer, 'port' | 'key'>): Promise<ssh2.Client> {
	const client = new ssh2.Client();
	client.connect({host: '127.0.0.1', port, username: 'ada', privateKey: readFileSync(key.file)});
	await once(client, 'ready');
	client.on('error', () => undefined);
	return client;
}

type WithProtocol = {readonly _protocol: {exec: (id: number, command: string, wantsReply: boolean) => void}};

export async function connectHolding(server: Pick<RunningServer, 'port' | 'key'>) {
	const client = await connectClient(server);
	const {_protocol: protocol} = client as unknown as WithProtocol;
	const exec = protocol.exec.bind(protocol);
	return {
		client,
		/** Opens a channel; resolves once it is open, to what asks for the command on it. Rejects if it is refused. */
		async open(command: string) {
			const {promise, resolve, reject} = Promise.withResolvers<() => Promise<Outcome>>();
			const {promise: outcome, resolve: follow} = Promise.withResolvers<Outcome>();
			protocol.exec = (...words) =>
				resolve(async () => {
					exec(...words);
					return outcome;
				});

			client.exec(command, (error, channel) => {
				if (error === undefined) {
					follow(outcomeOf(channel));
				} else {
					reject(error);
				}
			});
			return promise;
		},
	};
}

async function outcomeOf(channel: ssh2.ClientChannel): Promise<Outcome> {
	let stdout = '';
	let stderr = '';
	let exitCode: number | undefined;
	channel.on('data', (chunk: unknown) => {
		stdout += String(chunk);
	});
	channel.stderr.on('data', (chunk: unknown) => {
		stderr += String(chunk);
	});
	channel.on('exit', (code: number) => {
		exitCode = code;
	});
	await once(channel, 'close');
	return {stdout, stderr, exitCode};
}
