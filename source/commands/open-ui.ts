import {parseArgs} from 'node:util';
import {toSwitchboardError} from '../interface/errors.ts';
import type {EarlyInput} from '../tui/terminal/early-input.ts';
import {loadWithStyles} from '../tui/terminal/ink-styles.ts';
import type {GlobalOptions} from './context.ts';
import {globalOptionTable} from './global-option-table.ts';
import {parseTimeout, toGlobalOptions} from './global-options.ts';
import type {Outcome} from './main.ts';
import {reportError} from './report-error.ts';

const parseOptions = Object.fromEntries(globalOptionTable.map(({name, value}) => [name, {type: value === undefined ? 'boolean' : 'string'}] as const));

/** The options among the words; `undefined` where they hold a mistake. */
const readOptions = (words: readonly string[]): GlobalOptions | undefined => {
	try {
		const {values} = parseArgs({args: [...words], options: parseOptions, strict: true});
		const text = (name: string): string | undefined => values[name] as string | undefined;
		const flag = (name: string): boolean => values[name] === true;
		const timeout = text('timeout');
		const timeoutMilliseconds = timeout === undefined ? undefined : parseTimeout(timeout);
		return timeout !== undefined && timeoutMilliseconds === undefined
			? undefined
			: toGlobalOptions({
				profile: text('profile'),
				baseUrl: text('base-url'),
				readOnly: flag('read-only'),
				insecureHttp: flag('insecure-http'),
				timeout: timeoutMilliseconds,
				color: !flag('no-color'),
				ascii: flag('ascii'),
				debug: flag('debug'),
			});
	} catch {
		return undefined;
	}
};

/**
Opens the terminal UI with the options among the words, without loading the command line, which would slow every start.

@param earlyInput - reads the keyboard already; released where the UI does not open.
*/
export const openUi = async (words: readonly string[], earlyInput: EarlyInput): Promise<Outcome> => {
	const options = readOptions(words);
	if (options === undefined) {
		earlyInput.release();
		const {main} = await import('./main.ts');
		return main(words);
	}

	try {
		const {runTerminalUi} = await loadWithStyles(async () => import('../tui/main.tsx'));
		return {exitCode: await runTerminalUi({...options, earlyInput}), isCutShort: true};
	} catch (error) {
		earlyInput.release();
		const failure = toSwitchboardError(error);
		reportError(failure, {isJson: false, isDebug: options.isDebug, isAscii: options.isAscii});
		return {exitCode: failure.exitCode, isCutShort: true};
	}
};
