import {AsyncLocalStorage, AsyncResource} from 'node:async_hooks';
import {
	after as realAfter,
	afterEach as realAfterEach,
	before as realBefore,
	beforeEach as realBeforeEach,
	describe as realDescribe,
	test as realTest,
} from 'node:test';

export {mock} from 'node:test';

/*
The bundler gives this module to tests in place of `node:test`. It lets one process run many files, each as a suite with the file's name: what a file
declares while it is loaded belongs to its suite. Node's own `isolation: 'none'` loads all files first and does not say which file a test is from.
*/

/** A test that takes longer has failed, unless it says otherwise. */
let limitMilliseconds = 60_000;
/** Nor does any file of tests take as long as this. */
const fileLimitMilliseconds = 600_000;

let scope: AsyncResource | undefined;
const inside = new AsyncLocalStorage<true>();

export const after = inFile(realAfter);
export const afterEach = inFile(realAfterEach);
export const before = inFile(realBefore);
export const beforeEach = inFile(realBeforeEach);
export const describe = inFile(realDescribe) as typeof realDescribe;
export const suite = describe;
export const test = inFile(withLimit(realTest as Declare)) as typeof realTest;

type Declare = (name: string, options: object, work: unknown) => Promise<void>;

/** Declares in the suite of the file that is being loaded, but for what other suites and tests declare. */
function inFile<Args extends readonly unknown[], Result>(declare: (...args: Args) => Result): (...args: Args) => Result {
	return (...args) =>
		scope === undefined || inside.getStore() === true
			? declare(...args)
			: scope.runInAsyncScope(() => inside.run(true, () => declare(...args)));
}

function withLimit(declare: Declare): (name: string, ...rest: readonly unknown[]) => Promise<void> {
	return async (name, ...rest) => {
		const [options, work] = rest.length === 2 ? [rest[0] as object, rest[1]] : [{}, rest[0]];
		return declare(name, {timeout: limitMilliseconds, ...options}, work);
	};
}

/**
Runs files of tests one after the other in this process.

@param files - the path of each bundled file by the file's name.
@param limit - milliseconds for each test.
*/
export async function runFiles(files: Readonly<Record<string, string>>, limit: number): Promise<void> {
	limitMilliseconds = limit;
	for (const [name, file] of Object.entries(files)) {
		await runFile(name, file);
	}
}

async function runFile(name: string, file: string): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	void realDescribe(name, {timeout: fileLimitMilliseconds}, async () => {
		realAfter(() => resolve());
		scope = new AsyncResource('TestFile');
		try {
			await import(file);
		} finally {
			scope = undefined;
		}
	});
	await promise;
}
