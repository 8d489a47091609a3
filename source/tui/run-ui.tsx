import {Component, type ReactNode} from 'react';
import {render} from 'ink';
import type {SwitchboardError} from '../interface/errors.ts';
import type {StandardStreams} from '../platform/standard-streams.ts';
import {App} from './app.tsx';
import {createRequestLog} from './state/request-log.ts';
import {createDispatcher} from './keys/dispatcher.ts';
import type {LastScreenKeeper} from './last-screen.ts';
import {createStore, withDeadline} from './observable.ts';
import {createAppState, reduceApp, type Size, moveTimeOn} from './state/app-state.ts';
import {toAsciiText} from '../terminal/ascii.ts';
import {isLinear as isLinearTerminal, type Capabilities} from '../terminal/capabilities.ts';
import {openTerminal, type ExitSignal, type TerminalOptions} from '../terminal/terminal.ts';
import {createUiServices, type UiServicesOptions} from './ui-services.ts';

type ErrorBoundaryProps = {readonly onError: (error: unknown) => void; readonly children: ReactNode};

/** Reports what is thrown while the screens are drawn. Ink would draw its stack, and wait for it with a listener of the process for each UI. */
class ErrorBoundary extends Component<ErrorBoundaryProps, {readonly hasFailed: boolean}> {
	static getDerivedStateFromError(): {readonly hasFailed: boolean} {
		return {hasFailed: true};
	}

	override state = {hasFailed: false};

	override componentDidCatch(error: unknown): void {
		this.props.onError(error);
	}

	override render(): ReactNode {
		return this.state.hasFailed ? null : this.props.children;
	}
}

type Inputs = Omit<UiServicesOptions, 'store' | 'act' | 'requests' | 'terminal' | 'isAscii' | 'isColorless' | 'onScreen' | 'onExit'> &
	Pick<TerminalOptions, 'host' | 'earlyInput' | 'earlyScreen' | 'isMouseWanted'>;

type UiOptions = Inputs &
	Pick<StandardStreams, 'stdin' | 'stdout'> & {
		readonly capabilities: Capabilities;
		/** True if the line to the terminal may be slow. */
		readonly isRemote: boolean;
		readonly lastScreen?: LastScreenKeeper | undefined;
		/** Messages for the person at the start. */
		readonly notices: readonly string[];
		/** Lines to print after the outcomes that were not shown. `isLeft` is false if the UI ended by itself. */
		afterwords?(isLeft: boolean): readonly string[];
		print(line: string): void;
		/** Says why the UI ends by itself; `undefined` if that needs no words. */
		explainEnd(end: ExitSignal): Pick<SwitchboardError, 'message' | 'nextStep'> | undefined;
		/** How long each of the two steps of closing may take: ending an editor, and storing the rest. */
		readonly closingMilliseconds: number;
	};

/** After this long without a key, the lists are not polled. */
const idleMilliseconds = 10 * 60 * 1000;

/** The size for a screen reader, which has no screen edge: as wide as possible without details beside the list, and a page of rows. */
const linearSize: Size = {columns: 99, rows: 24};

/**
Runs the screens on a terminal until they are left.

@returns the exit code.
*/
export const runUi = async (options: UiOptions): Promise<number> => {
	const {capabilities, lastScreen, closingMilliseconds} = options;
	const isLinear = isLinearTerminal(capabilities);
	const {promise: ended, resolve: end} = Promise.withResolvers<ExitSignal | number>();
	using terminal = openTerminal({...options, onFrame: lastScreen?.handleFrame, onEnd: end});
	const fail = (error: unknown): void => end({reason: 'error', exitCode: 1, error});

	const store = createStore(reduceApp, createAppState('installed', isLinear ? linearSize : terminal.size));
	const dispatcher = createDispatcher();
	dispatcher.setOnError(fail);
	const running = createUiServices({
		...options,
		isAscii: capabilities.isAscii,
		isColorless: capabilities.isColorless,
		store,
		onScreen: lastScreen?.handleScreen,
		act(name) {
			dispatcher.act(name);
		},
		requests: createRequestLog(),
		terminal,
		onExit: end,
	});
	const {ui, sessions, leave, stay} = running;
	const {repaint, suspend} = terminal;
	terminal.inkStdout.on('resize', () => store.dispatch({type: 'resize', size: isLinear ? linearSize : terminal.size}));
	dispatcher.setForward(key => terminal.inkStdin.push(key));
	const idleTimer = setTimeout(() => store.dispatch({type: 'set-idle', isIdle: true}), idleMilliseconds);
	dispatcher.setOnActivity(() => {
		idleTimer.refresh();
		moveTimeOn(store);
		store.dispatch({type: 'set-idle', isIdle: false});
	});
	const ink = render(
		<ErrorBoundary onError={fail}>
			<App ui={ui} sessions={sessions} program={{leave, stay, repaint, suspend}} dispatcher={dispatcher} />
		</ErrorBoundary>,
		{...terminal.inkOptions, isScreenReaderEnabled: isLinear},
	);
	terminal.listen(dispatcher);
	for (const notice of options.notices) {
		ui.say('error', notice);
	}

	const exitSignal = await ended;
	clearTimeout(idleTimer);
	if (typeof exitSignal === 'number') {
		await terminal.settle();
	} else {
		await withDeadline(running.endEditor(exitSignal.reason === 'hangup' ? 'SIGHUP' : 'SIGTERM'), closingMilliseconds);
	}

	const afterwords = [...running.afterwords(), ...(options.afterwords?.(typeof exitSignal === 'number') ?? [])];
	terminal.close();
	ink.unmount();
	const reason = typeof exitSignal === 'number' ? undefined : options.explainEnd(exitSignal);
	const parting = [...afterwords, reason?.message, reason?.nextStep].filter(text => text !== undefined);
	for (const line of parting) {
		options.print(capabilities.isAscii ? toAsciiText(line) : line);
	}

	await withDeadline(
		(async () => {
			await lastScreen?.close(store.getState());
			await running.close();
		})(),
		closingMilliseconds,
	);
	return typeof exitSignal === 'number' ? exitSignal : exitSignal.exitCode;
};
