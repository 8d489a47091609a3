import {spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {createInterface} from 'node:readline';
import type {after} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {programFile, type CommandResult} from '../helpers/run-command.ts';
import {runCommand} from '../helpers/run-in-process.ts';

export type ServedHome = AsyncDisposable & {
	readonly home: IsolatedHome;
	readonly baseAddress: string;
	readonly apiKey: string;
	/** The environment of the home, pointed at the service. */
	readonly env: Readonly<Record<string, string>>;
	/** Runs a command against the service. */
	run(words: readonly string[], options?: {readonly stdin?: string}): Promise<CommandResult>;
	/** The same with `--json`, and what it printed. */
	runJson(words: readonly string[]): Promise<unknown>;
};

export const parseJson = (text: string): unknown => JSON.parse(text) as unknown;

/** The error that the last line of standard error holds. */
export const lastError = ({stderr}: CommandResult): {readonly kind: string; readonly message: string} => {
	const {error} = parseJson(stderr.trimEnd().split('\n').at(-1)!) as {error: {kind: string; message: string}};
	return error;
};

/** A home in which `switchboard serve --sample` runs, with a key for it. */
export const startServedHome = async (): Promise<ServedHome> => {
	const home = createIsolatedHome();
	const created = await runCommand(['keys', 'create'], {env: home.env});
	const apiKey = created.stdout.trim();
	const service = spawn(process.execPath, [programFile, 'serve', '--sample', '--port', '0'], {
		env: home.env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [firstLine] = (await once(createInterface({input: service.stdout}), 'line')) as [string];
	const baseAddress = firstLine.replace('listening on ', '');
	const env = {...home.env, SWITCHBOARD_BASE_URL: baseAddress, SWITCHBOARD_API_KEY: apiKey};
	const run: ServedHome['run'] = async (words, {stdin} = {}) => runCommand(words, {env, stdin});

	return {
		home,
		baseAddress,
		apiKey,
		env,
		run,
		async runJson(words) {
			const {stdout} = await run([...words, '--json']);
			return parseJson(stdout);
		},
		async [Symbol.asyncDispose]() {
			const exited = once(service, 'exit');
			service.kill('SIGTERM');
			await exited;
		},
	};
};

/** The home that all tests of a file share. It ends after the last of them, by the runner's `after`. */
export const shareServedHome = async (runner: {readonly after: typeof after}): Promise<ServedHome> => {
	const served = await startServedHome();
	runner.after(async () => {
		await served[Symbol.asyncDispose]();
	});
	return served;
};
