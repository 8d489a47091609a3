import {type after, path} from '../helpers/node.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import type {CommandResult} from '../helpers/run-command.ts';
import {runCommand} from '../helpers/run-in-process.ts';
import {startTestService} from '../service/running-service.ts';

type ServedHome = AsyncDisposable & {
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

export function parseJson(text: string): unknown {
	return JSON.parse(text) as unknown;
}

/** The error that the last line of standard error holds. */
export function lastError({stderr}: CommandResult): {readonly kind: string; readonly message: string} {
	const {error} = parseJson(stderr.trimEnd().split('\n').at(-1)!) as {error: {kind: string; message: string}};
	return error;
}

/** A home whose service runs in this process, as `switchboard serve --sample` would, with a key for it. */
export async function startServedHome(): Promise<ServedHome> {
	const home = createIsolatedHome();
	const dataFolder = path.join(home.env['XDG_DATA_HOME']!, 'switchboard');
	const {baseAddress, key: apiKey, close} = await startTestService({dataFolder, requestsPerMinute: 600, historyDays: 400});
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
			await close();
		},
	};
}

/** The home that all tests of a file share. It ends after the last of them, by the runner's `after`. */
export async function shareServedHome(runner: {readonly after: typeof after}): Promise<ServedHome> {
	const served = await startServedHome();
	runner.after(async () => {
		await served[Symbol.asyncDispose]();
	});
	return served;
}
