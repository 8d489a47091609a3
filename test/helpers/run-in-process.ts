import {Buffer, process} from './node.ts';
import {Readable, Writable} from 'node:stream';
import type {Surroundings} from '../../source/commands/command.ts';
import {runProgram} from '../../source/commands/main.ts';
import {signalErrors} from '../../source/interface/errors.ts';
import type {CommandOptions, CommandResult} from './run-command.ts';

const running = {
	count: 0,
	key: '',
	ended: Promise.resolve(),
	end() {
		/* Nothing runs. */
	},
	before: {},
	folder: '',
};

/** Runs a command on these streams, in this process, until it ends or the signal comes. */
export async function runOn(
	words: readonly string[],
	{env, cwd = process.cwd(), ...surroundings}: Pick<CommandOptions, 'env' | 'cwd'> & Pick<Surroundings, 'streams' | 'signal'>,
): Promise<number> {
	const {exitCode} = await withEnvironment(env, cwd, async () =>
		runProgram(words, {
			...surroundings,
			env,
			endUnread() {
				/* Everything is read. */
			},
		}),
	);
	return exitCode;
}

/** The environment and the current folder are those of the whole process: commands that differ in them wait for each other. */
async function withEnvironment<T>(env: CommandOptions['env'], cwd: string, work: () => Promise<T>): Promise<T> {
	const key = JSON.stringify([env, cwd]);
	while (running.count > 0 && running.key !== key) {
		await running.ended;
	}

	if (running.count === 0) {
		const {promise, resolve} = Promise.withResolvers<void>();
		Object.assign(running, {key, ended: promise, end: resolve, before: {...process.env}, folder: process.cwd()});
		replaceEnvironment(env);
		process.chdir(cwd);
	}

	running.count++;
	try {
		return await work();
	} finally {
		running.count--;
		if (running.count === 0) {
			replaceEnvironment(running.before);
			process.chdir(running.folder);
			running.end();
		}
	}
}

function replaceEnvironment(next: CommandOptions['env']): void {
	for (const name of Object.keys(process.env)) {
		// eslint-disable-next-line @typescript-eslint/no-dynamic-delete
		delete process.env[name];
	}

	Object.assign(process.env, Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)));
}

/** Runs a command as the program does, in this process: for what needs no process of its own. */
export async function runCommand(
	words: readonly string[],
	{env, stdin = '', cwd, abort}: Omit<CommandOptions, 'deadlineMilliseconds' | 'program'>,
): Promise<CommandResult> {
	const [stdout, stderr] = [collect(), collect()];
	const ending = new AbortController();
	const end = (): void =>
		ending.abort(signalErrors[typeof abort?.reason === 'string' ? (abort.reason as keyof typeof signalErrors) : 'SIGTERM']);

	abort?.addEventListener('abort', end, {once: true});
	const streams = {
		stdin: Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin as string)], {objectMode: false}),
		stdout: stdout.stream,
		stderr: stderr.stream,
	};
	const exitCode = await runOn(words, {env, cwd, streams, signal: ending.signal});
	return {stdout: stdout.text(), stderr: stderr.text(), exitCode, signal: null};
}

function collect() {
	const chunks: Buffer[] = [];
	const stream = new Writable({
		write(chunk: Buffer, _encoding, done) {
			chunks.push(chunk);
			done();
		},
	});
	return {stream, text: () => Buffer.concat(chunks).toString()};
}
