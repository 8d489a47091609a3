import {mkdirSync, path, type TestContext, writeFileSync} from '../helpers/node.ts';
import {startDocumentedService, type DocumentedServiceOptions} from '../helpers/documented-service.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import type {CommandOptions, CommandResult} from '../helpers/run-command.ts';
import {runCommand} from '../helpers/run-in-process.ts';

/** How a command ended, whole. */
export function ended(exitCode: number, stdout: string, stderr = ''): CommandResult {
	return {stdout, stderr, exitCode, signal: null};
}

/** What `--json` prints of a value. */
export function json(value: unknown): string {
	return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The last line of a command that failed under `--json`. */
export function jsonError(kind: string, message: string): string {
	return `${JSON.stringify({error: {kind, message}})}\n`;
}

/** A command that was to change something that is not there. */
export function notFound(what: string, word: string, listCommand: string): CommandResult {
	return ended(4, '', `There is no ${what} “${word}”. Nothing was done.\nList them with: switchboard ${listCommand}\n`);
}

/** Returns a function that runs commands in the folder of a home, and in its environment. */
export const runIn =
	({env, folder: cwd}: IsolatedHome) =>
	async (...words: readonly string[]): Promise<CommandResult> =>
		runCommand(words, {env, cwd});

type Served = {readonly baseAddress: string; readonly apiKey: string};

/** Returns the environment of a new home, pointed at a service. */
export function environmentFor({baseAddress, apiKey}: Served): IsolatedHome['env'] {
	return {...createIsolatedHome().env, SWITCHBOARD_BASE_URL: baseAddress, SWITCHBOARD_API_KEY: apiKey};
}

/** Runs commands in a new home, pointed at a service by the environment. */
export async function createRun(service: Served) {
	const env = environmentFor(service);
	const folder = env['HOME']!;
	return {
		env,
		folder,
		run: async (words: readonly string[], given: Pick<CommandOptions, 'stdin'> = {}): Promise<CommandResult> =>
			runCommand(words, {env, cwd: folder, ...given}),
	};
}

/** A service with the documented paths and fields alone, and commands that are led to it. */
export async function startDocumented(t: TestContext, options: DocumentedServiceOptions = {}) {
	const service = await startDocumentedService(options);
	t.after(async () => service.close());
	return {service, ...(await createRun(service))};
}

/** The files of the ability that `writeCellar` writes. */
export const cellarFiles: Readonly<Record<string, string>> = {
	'__init__.py': '',
	'config.json': JSON.stringify({unique_name: 'cellar', matching_hotwords: ['what is in the cellar']}),
	'main.py': 'class Cellar:\r\n    pass\n',
};

/** Writes the folder of an ability called `cellar`, which begins by a phrase of its own. */
export function writeCellar(folder: string): void {
	const place = path.join(folder, 'cellar');
	mkdirSync(place);
	for (const [name, text] of Object.entries(cellarFiles)) {
		writeFileSync(path.join(place, name), text);
	}
}
