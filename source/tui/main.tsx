import process from 'node:process';
import {render} from 'ink';
import {flushCompileCacheSoon} from '../platform/flush-compile-cache.ts';
import {keepHeapSmall} from '../platform/heap-size.ts';
import {explainCrash} from '../settings/crash-report.ts';
import {openSettings} from '../settings/settings.ts';
import {resolveTarget} from '../settings/target.ts';
import {openUiState} from '../settings/ui-state.ts';
import {App} from './app.tsx';
import {openDebugLog} from './debug-log.ts';
import {createLastScreenKeeper} from './last-screen.ts';
import {type PaintedScreen} from './paint-last-screen.ts';
import {createDispatcher} from './keys/dispatcher.ts';
import {createRequestLog} from './hooks/request-log.ts';
import {openUserKeymap} from './user-keymap.ts';
import {createUiServices} from './ui-services.ts';
import {createAppState, reduceApp, type Size} from './state/app-state.ts';
import {createStore} from './state/store.ts';
import {toAsciiText} from './terminal/ascii.ts';
import {createClipboard} from './terminal/clipboard.ts';
import {chooseCapabilities, isLinear as isLinearTerminal, isOverSsh} from './terminal/capabilities.ts';
import {type EarlyInput} from './terminal/early-input.ts';
import {findEditor} from './terminal/external-editor.ts';
import {createScreenReaderWriter} from './terminal/screen-reader-writer.ts';
import {processHost} from './terminal/process-host.ts';
import {openTerminal, type ExitSignal} from './terminal/terminal.ts';

type TerminalUiOptions = {
	readonly profile?: string | undefined;
	readonly baseUrl?: string | undefined;
	readonly isReadOnly: boolean;
	readonly isInsecureHttpAllowed: boolean;
	readonly timeoutMilliseconds?: number | undefined;
	readonly isColorWanted: boolean;
	readonly isAscii: boolean;
	readonly isDebug: boolean;
	/** Has read the keyboard since the program began. */
	readonly earlyInput?: EarlyInput | undefined;
	/** May be on the terminal since the program began. */
	readonly lastScreen?: PaintedScreen | undefined;
};

/** After this long without a key, the lists are not polled. */
const idleMilliseconds = 10 * 60 * 1000;

/** How long closing may take; the end of the process does the rest. */
const closingMilliseconds = 1000;

/** The size for a screen reader, which has no screen edge: as wide as possible without details beside the list, and a page of rows. */
const linearSize: Size = {columns: 99, rows: 24};

const withDeadline = async (work: Promise<void>, milliseconds: number): Promise<void> => {
	const timer = Promise.withResolvers<void>();
	const timeout = setTimeout(timer.resolve, milliseconds);
	await Promise.race([work, timer.promise]);
	clearTimeout(timeout);
};

/**
Opens the terminal UI and stays until it is left.

@returns the exit code.
@throws SwitchboardError if the service or the key cannot be determined; nothing has been drawn then.
*/
export const runTerminalUi = async (options: TerminalUiOptions): Promise<number> => {
	keepHeapSmall();
	const settings = await openSettings();
	const {keymap, notices: keyNotices} = openUserKeymap();
	const target = resolveTarget({
		...options, settings, env: process.env, isForUi: true,
	});
	const debugLog = options.isDebug ? openDebugLog() : undefined;
	const capabilities = chooseCapabilities(options, process.env);
	const isLinear = isLinearTerminal(capabilities);
	const lastScreen = isLinear ? undefined : createLastScreenKeeper({...options, capabilities, env: process.env});
	const {promise: ended, resolve: end} = Promise.withResolvers<ExitSignal | number>();
	const terminal = openTerminal({
		host: processHost,
		stdin: process.stdin,
		stdout: process.stdout,
		isAlternateScreen: !isLinear,
		isLinear,
		createWriter: isLinear ? createScreenReaderWriter : undefined,
		capabilities,
		isRemote: isOverSsh(process.env) && !isLinear && !capabilities.isPlain,
		earlyInput: options.earlyInput,
		earlyScreen: options.lastScreen?.screen,
		onFrame: lastScreen?.handleFrame,
		onEnd: end,
	});
	const store = createStore(reduceApp, createAppState('installed', isLinear ? linearSize : terminal.size));
	const dispatcher = createDispatcher();
	const running = createUiServices({
		...options,
		target,
		store,
		settings,
		uiState: openUiState(),
		viewAtStart: options.lastScreen?.view,
		onScreen: lastScreen?.handleScreen,
		findEditor: () => findEditor(process.env, process.platform),
		keymap,
		onRequest: debugLog?.write,
		act(name) {
			dispatcher.act(name);
		},
		requests: createRequestLog(),
		clipboard: createClipboard({
			env: process.env,
			platform: process.platform,
			write(sequence) {
				process.stdout.write(sequence);
			},
		}),
		terminal,
		onExit: end,
	});
	const {ui, sessions} = running;
	terminal.inkStdout.on('resize', () => {
		store.dispatch({type: 'resize', size: isLinear ? linearSize : terminal.size});
	});
	dispatcher.setForward(sequence => {
		terminal.inkStdin.push(sequence);
	});
	const idleTimer = setTimeout(() => {
		store.dispatch({type: 'set-idle', isIdle: true});
	}, idleMilliseconds);
	dispatcher.setOnActivity(() => {
		idleTimer.refresh();
		store.dispatch({type: 'set-idle', isIdle: false});
	});
	const ink = render(<App ui={ui} sessions={sessions} dispatcher={dispatcher}/>, {...terminal.inkOptions, isScreenReaderEnabled: isLinear});
	const inkEnd = ink.waitUntilExit();
	void (async () => {
		try {
			await inkEnd;
		} catch (error) {
			end({reason: 'error', exitCode: 1, error});
		}
	})();

	terminal.listen(dispatcher);
	flushCompileCacheSoon();
	for (const notice of [...settings.notices, ...keyNotices]) {
		ui.say('error', notice);
	}

	const exitSignal = await ended;
	clearTimeout(idleTimer);
	if (typeof exitSignal === 'number') {
		await terminal.settle();
	} else {
		await withDeadline(running.endEditor(exitSignal.reason === 'hangup' ? 'SIGHUP' : 'SIGTERM'), closingMilliseconds);
	}

	const afterwords = [...running.afterwords(), ...(debugLog === undefined ? [] : [debugLog.afterword()])];
	terminal.close();
	ink.unmount();
	const crash = typeof exitSignal !== 'number' && exitSignal.reason === 'error' ? explainCrash(exitSignal.error) : undefined;
	const parting = [...afterwords, crash?.message, crash?.nextStep].filter(text => text !== undefined);
	for (const line of parting) {
		process.stderr.write(`${capabilities.isAscii ? toAsciiText(line) : line}\n`);
	}

	await withDeadline((async () => {
		await lastScreen?.close(store.getState());
		await running.close();
	})(), closingMilliseconds);
	return typeof exitSignal === 'number' ? exitSignal : exitSignal.exitCode;
};
