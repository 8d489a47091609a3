import process from 'node:process';
import {parseArgs} from 'node:util';
import {describeForeignHome} from '../platform/file-owner.ts';
import {explainCrash} from '../settings/logs.ts';
import type {EarlyInput} from '../terminal/early-input.ts';
import {paintLastScreen} from '../tui/paint-last-screen.ts';
import {loadWithForcedColor} from '../terminal/capabilities.ts';
import {reportError} from './context.ts';
import {globalOptionTable, parseTimeout, toGlobalOptions, type GlobalOptions} from './global-options.ts';
import type {RunOutcome} from './run-words.ts';

const parseOptions = Object.fromEntries(
	globalOptionTable.map(({name, value}) => [name, {type: value === undefined ? 'boolean' : 'string'}] as const),
);

/**
Opens the terminal UI with the options among the words, without loading the command line, which would slow every start.

@param earlyInput - reads the keyboard; released if the UI does not open.
*/
export async function openUi(words: readonly string[], earlyInput: EarlyInput): Promise<RunOutcome> {
	const options = readOptions(words);
	if (options === undefined) {
		earlyInput.release();
		return (await import('./main.ts')).main(words);
	}

	warnOfUnreadableCertificates();
	warnOfForeignHome();
	const lastScreen = paintLastScreen(options);
	try {
		const {runTerminalUi} = await loadWithForcedColor(async () => import('../tui/main.tsx'));
		const exitCode = await runTerminalUi({...options, earlyInput, lastScreen, loadTopics});
		return {exitCode, isCutShort: true};
	} catch (error) {
		lastScreen?.screen?.release();
		earlyInput.release();
		const failure = explainCrash(error);
		reportError(failure, {isJson: false, isDebug: options.isDebug, isAscii: options.isAscii}, process.stderr);
		return {exitCode: failure.exitCode, isCutShort: true};
	}
}

/** Returns the options among the words; `undefined` if there is a mistake in them. */
function readOptions(words: readonly string[]): GlobalOptions | undefined {
	try {
		const {values} = parseArgs({args: [...words], options: parseOptions, strict: true});
		const {timeout: seconds, 'no-color': isColorless = false, ...others} = values;
		const timeout = seconds === undefined ? undefined : parseTimeout(String(seconds));
		const named = Object.entries(others).map(
			([name, value]) => [name.replaceAll(/-./g, ([, letter]) => letter!.toUpperCase()), value] as const,
		);
		return Object.values(values).includes('') || (seconds !== undefined && timeout === undefined)
			? undefined
			: toGlobalOptions({...Object.fromEntries(named), timeout, color: isColorless !== true}, process.env);
	} catch {
		return undefined;
	}
}

/**
Warns of an unreadable file in `NODE_EXTRA_CA_CERTS` before the UI opens, where the person finds the warning again. Node.js would write its
own warning onto the UI's screen when it first needs certificates.
*/
function warnOfUnreadableCertificates(): void {
	const {NODE_EXTRA_CA_CERTS: file = ''} = process.env;
	if (file !== '') {
		process.getBuiltinModule('node:tls').getCACertificates('extra');
	}
}

/** The screens repeat this warning, because this text is seen only after they are left. */
function warnOfForeignHome(): void {
	const warning = describeForeignHome();
	if (warning !== undefined) {
		process.stderr.write(`${warning}\n`);
	}
}

/** The topics of the help, for the screens; loaded only on request. */
const loadTopics = async () => (await import('./help.ts')).screenTopics;
