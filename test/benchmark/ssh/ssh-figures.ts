import {createInterface, mkdir, once, path, process, spawn, text, writeFile} from '../../helpers/node.ts';
import {generateKeyPair} from '../../../source/ssh/host-key.ts';
import type {IsolatedHome} from '../../helpers/isolated-home.ts';
import {programFile, runCommand} from '../../helpers/run-command.ts';
import {clientWords} from '../../ssh/ssh-client.ts';
import {ratio, type Figure} from '../figures.ts';
import {measureStart, medianOf, processorTime, quantileOf, residentMegabytes} from '../measure.ts';
import type {RowsService} from '../start-rows-service.ts';
import type {Environment, Subject} from '../subjects.ts';
import {algorithms, order, startHelper} from './client-process.ts';

const sessionCount = 100;

const pressingCount = 10;

const keysOfEach = 200;

const keyPauseMilliseconds = 100;

/**
What people feel who come over SSH to one server, beside a server that only prints a screen.

@param firstName - a name that is on the first screen.
*/
export async function sshFigures(home: IsolatedHome, service: RowsService, firstName: string, rounds: number): Promise<readonly Figure[]> {
	const keys = createKeys();
	const keyFile = path.join(home.folder, 'someone');
	const settings = path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard');
	const {SWITCHBOARD_BASE_URL: baseUrl, SWITCHBOARD_API_KEY: apiKey} = service.env;
	await runCommand(['login', '--profile', 'default', '--base-url', baseUrl, '--api-key-stdin'], {env: home.env, stdin: apiKey});
	await mkdir(settings, {recursive: true});
	await writeFile(path.join(settings, 'authorized_keys'), keys.map(key => `${key.public}\n`).join(''), {mode: 0o600});
	await writeFile(keyFile, keys[0]!.private, {mode: 0o600});

	await using bare = startHelper('bare-server.ts', generateKeyPair().private);
	const [barePort] = (await once(bare.child, 'message')) as [number];
	await using server = await startServer(home.env);
	const ours = sshClient(home.env, keyFile, server.port, firstName);
	const theirs = sshClient(home.env, keyFile, barePort, 'row 23');
	// The first one is the first of all sessions, which nobody waits for again.
	await measureStart(ours, ours.ready);
	const times: Array<readonly [ours: number, theirs: number]> = [];
	for (let round = 0; round < rounds; round++) {
		times.push([await measureStart(ours, ours.ready), await measureStart(theirs, theirs.ready)]);
	}

	await using clients = startHelper('clients.ts');
	await order(clients, {open: {port: server.port, privateKeys: keys.slice(1).map(key => key.private), shown: firstName}});
	const megabytes = await residentMegabytes(server.pid);
	const processorBefore = await processorTime(server.pid);
	const latencies = await order(clients, {press: {sessions: pressingCount, count: keysOfEach, pauseMilliseconds: keyPauseMilliseconds}});
	const processorMilliseconds = ((await processorTime(server.pid)) - processorBefore) / latencies.length;
	return [
		ratio(
			"ssh to the first frame ÷ ssh to a bare server's screen",
			medianOf(times.map(([time]) => time)),
			medianOf(times.map(([, time]) => time)),
			'bare',
			1.5,
		),
		{
			what: `memory of the server with ${sessionCount} sessions`,
			value: megabytes,
			goal: 400,
			unit: 'MB',
			detail: `${(await residentMegabytes(server.pid)).toFixed(0)} MB after the keys`,
		},
		{
			what: `a key of ${pressingCount} who press ten a second, to its frame (p99)`,
			value: quantileOf(latencies, 0.99),
			goal: 100,
			unit: 'ms',
			detail: `median ${medianOf(latencies).toFixed(1)} ms; ${latencies.length} keys, each ${processorMilliseconds.toFixed(1)} ms of processor time`,
		},
	];
}

/** The people who come over SSH, each with a key of their own; the first one uses the client of OpenSSH. */
const createKeys = () => Array.from({length: sessionCount + 1}, generateKeyPair);

/** Starts the program's server. It must find a profile `default`. */
async function startServer(env: Environment) {
	const child = spawn(process.execPath, [programFile, 'ssh-serve', '--port', '0'], {env, stdio: ['ignore', 'pipe', 'pipe']});
	const log = text(child.stderr);
	for await (const line of createInterface(child.stdout)) {
		const port = /^listening on ssh:\/\/.*:(?<port>\d+)$/.exec(line)?.groups?.['port'];
		if (port !== undefined) {
			child.stdout.resume();
			return {
				port: Number(port),
				pid: child.pid!,
				async [Symbol.asyncDispose]() {
					const ended = once(child, 'exit');
					child.kill('SIGTERM');
					await ended;
				},
			};
		}
	}

	throw new Error(`The server ended with: ${await log}`);
}

/** The client of OpenSSH, as somebody starts it at a terminal. */
const sshClient = (env: Environment, keyFile: string, port: number, ready: string): Subject => ({
	command: 'ssh',
	args: clientWords({
		port,
		key: {file: keyFile},
		words: [
			'-tt',
			'-o',
			`KexAlgorithms=${algorithms.kex.join(',')}`,
			'-o',
			`Ciphers=${algorithms.cipher.join(',')}`,
			'-o',
			`HostKeyAlgorithms=${algorithms.serverHostKey.join(',')}`,
		],
	}),
	env,
	ready,
	moveKey: 'j',
});
