#!/usr/bin/env node
import process from 'node:process';
import {hasGlobalOptionsAlone, isJsonWanted, versionFlags} from './commands/global-options.ts';
import {version} from './platform/program.ts';

/*
The entry point. It reports a Node.js that is too old, so an old one must be able to parse this file; then it loads only what
is asked for. No other file sets the exit code or ends the process.
*/

const oldestNode = 24;

/** Without a listener Node.js opens a debugger on it, and writes where on the screen. */
process.on('SIGUSR1', () => undefined);

/**
A reader that closes the pipe, as in `switchboard abilities | head -1`, is not a failure: the command goes on and ends as usual. A full disk is one.
*/
function endWithOutput(error: Error, isJson: boolean): void {
	if ('code' in error && error.code === 'EPIPE') {
		return;
	}

	// As `reportError` prints it, and with the same exit codes, but at once: there may be no time to load it.
	const isFull = 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code));
	const message = isFull ? 'There is no room for the output: the disk is full.' : `Cannot write to standard output: ${error.message}`;
	const sentences = isFull ? [message, 'Make room on it, or write the output to another place.'] : [message];
	process.stderr.write(
		`${isJson ? JSON.stringify({error: {kind: isFull ? 'no-room' : 'unexpected', message: sentences.join(' ')}}) : sentences.join('\n')}\n`,
	);
	process.exit(isFull ? 5 : 1);
}

/**
The end of a program with a fault, such as a rejected promise that nobody waits for. While the UI runs it has another listener, which gives the terminal back first.
*/
async function endWithCrash(error: unknown): Promise<void> {
	if (process.listenerCount('uncaughtException') > 1) {
		return;
	}

	const words = new Set(process.argv.slice(2));
	try {
		const [{explainCrash}, {reportError}] = await Promise.all([import('./settings/logs.ts'), import('./commands/context.ts')]);
		reportError(
			explainCrash(error),
			{isJson: words.has('--json'), isDebug: words.has('--debug'), isAscii: words.has('--ascii')},
			process.stderr,
		);
	} finally {
		process.exit(1);
	}
}

/** Nothing is left that could end the program's wait: Node.js would print a part of the bundle, and exit with 13. */
async function endStall(): Promise<never> {
	const {SwitchboardError} = await import('./interface/errors.ts');
	throw new SwitchboardError('unexpected', 'Switchboard waits for something that can no longer happen.', {
		nextStep: 'Look at what was done so far before you run it again.',
	});
}

function onStall(): void {
	void endStall();
}

async function open(words: readonly string[]): Promise<void> {
	const isUiWanted = process.stdin.isTTY && process.stdout.isTTY && hasGlobalOptionsAlone(words);
	// Keeps the keys typed while the rest loads.
	const earlyInput = isUiWanted ? (await import('./terminal/early-input.ts')).startEarlyInput() : undefined;
	if (earlyInput === undefined) {
		process.stdout.on('error', (error: Error) => endWithOutput(error, isJsonWanted(words)));
		// A lost message changes nothing.
		process.stderr.on('error', () => undefined);
		// Installers and shells ask for it again and again, and loading the command line takes longer than Node.js itself.
		if (words.length === 1 && versionFlags.has(words[0]!)) {
			process.stdout.write(`${version}\n`);
			return;
		}
	}

	const {chooseCompileCacheFolder} = await import('./settings/compile-cache.ts');
	const compileCacheFolder = chooseCompileCacheFolder();
	if (compileCacheFolder !== undefined) {
		process.getBuiltinModule('node:module').enableCompileCache(compileCacheFolder);
	}

	const {exitCode, isCutShort} =
		earlyInput === undefined
			? await (await import('./commands/main.ts')).main(words)
			: await (await import('./commands/open-ui.ts')).openUi(words, earlyInput);
	process.exitCode = exitCode;
	if (isCutShort) {
		process.exit();
	}
}

if (Number(process.versions.node.split('.', 1)[0]) < oldestNode) {
	const [{explainOldNode}, {fileURLToPath}] = await Promise.all([import('./platform/old-node.ts'), import('node:url')]);
	process.stderr.write(
		`${explainOldNode(oldestNode, {
			version: process.versions.node,
			platform: `${process.platform}-${process.arch}`,
			file: fileURLToPath(import.meta.url),
			hasWords: process.argv.length > 2,
		})}\n`,
	);
	process.exitCode = 1;
} else {
	process.on('uncaughtException', error => {
		void endWithCrash(error);
	});
	process.once('beforeExit', onStall);
	await open(process.argv.slice(2));
	process.off('beforeExit', onStall);
}
