import {Component, type ReactNode} from 'react';
import {render} from 'ink';
import type {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import type {JsonObject} from '../interface/json.ts';
import type {StandardStreams} from '../platform/standard-streams.ts';
import {openPresets} from '../settings/presets.ts';
import type {StoredProfiles} from '../settings/profile.ts';
import {keptPromptsText} from '../settings/prompt-file.ts';
import type {Settings} from '../settings/settings.ts';
import type {Target} from '../settings/target.ts';
import type {UiStateStore} from '../settings/ui-state.ts';
import {App} from './app.tsx';
import {createRequestLog} from './state/request-log.ts';
import {createDispatcher} from './keys/dispatcher.ts';
import type {LastScreenKeeper} from './last-screen.ts';
import {createObservable, createStore, when, withDeadline, type StateStore} from './observable.ts';
import {createAppState, moveTimeOn, reduceApp, type AppAction, type AppState, type ScreenSize, type WaitedFor} from './state/app-state.ts';
import {toAsciiText} from '../terminal/ascii.ts';
import {isLinear as isLinearTerminal, type Capabilities} from '../terminal/capabilities.ts';
import type {Clipboard} from '../terminal/clipboard.ts';
import {runEditor, type Editor} from '../terminal/external-editor.ts';
import {openTerminal, type ExitSignal, type TerminalOptions} from '../terminal/terminal.ts';
import {keyName} from '../words/keymap.ts';
import {ownTimeZone, type TimeZone} from '../words/time-zone.ts';
import type {UiServices} from './app-context.ts';
import type {OpenSessionOptions} from './hooks/open-session.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import {subscribeToWrites, writesUnderWay} from './hooks/writes.ts';
import {createProfiles} from './profiles.ts';
import {createSessions} from './sessions.ts';
import {infoMilliseconds, isLasting, type MessageEnd, type Say} from './state/messages.ts';
import {Views} from './views.ts';

type ErrorBoundaryProps = {readonly onError: (error: unknown) => void; readonly children: ReactNode};

/**
Reports errors that are thrown while the screens are drawn. Ink would draw the stack, and wait for it with a listener of the process for
each UI.
*/
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
		/** True if the connection to the terminal may be slow. */
		readonly isRemote: boolean;
		readonly lastScreen?: LastScreenKeeper | undefined;
		readonly notices: readonly string[];
		/** Lines to print after the outcomes that were not shown. `isLeft` is false if the UI ended by itself. */
		afterwords?(isLeft: boolean): readonly string[];
		print(line: string): void;
		/** Explains why the UI ends by itself; `undefined` if that needs no words. */
		explainEnd(end: ExitSignal): Pick<SwitchboardError, 'message' | 'nextStep'> | undefined;
		/** For each of the two steps of closing: ending an editor, and storing the rest. */
		readonly closingMilliseconds: number;
	};

/** After this long without a key, the lists are not polled. */
const idleMilliseconds = 10 * 60 * 1000;

/** The size for a screen reader, which has no screen edge: as wide as possible without details beside the list, and a page of rows. */
const linearSize: ScreenSize = {columns: 99, rows: 24};

/**
Runs the screens on a terminal until they are left.

@returns the exit code.
*/
export async function runUi(options: UiOptions): Promise<number> {
	const {capabilities, lastScreen, closingMilliseconds} = options;
	const isLinear = isLinearTerminal(capabilities);
	const {promise: ended, resolve: end} = Promise.withResolvers<ExitSignal | number>();
	using terminal = openTerminal({...options, onFrame: lastScreen?.handleFrame, onEnd: end});
	const fail = (error: unknown): void => end({reason: 'error', exitCode: 1, error});

	const store = createStore(reduceApp, createAppState('installed', isLinear ? linearSize : terminal.size));
	const idleTimer = setTimeout(() => store.dispatch({type: 'set-idle', isIdle: true}), idleMilliseconds);
	const dispatcher = createDispatcher({
		forward: key => terminal.inkStdin.push(key),
		onActivity() {
			idleTimer.refresh();
			moveTimeOn(store);
			store.dispatch({type: 'set-idle', isIdle: false});
		},
		onError: fail,
	});
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
}

export type UiServicesOptions = Omit<OpenSessionOptions, 'target' | 'report' | 'refreshKey'> &
	Omit<UiServices, 'keyLimits' | 'isOverSsh' | 'timeZone' | 'say' | 'copy' | 'profiles' | 'presets' | 'findEditor' | 'whileEditing'> & {
		readonly target: Target;
		readonly timeZone?: TimeZone | undefined;
		/** The settings of the person; `undefined` over SSH, where the profile is fixed, and personal data is kept in `configFolder`. */
		readonly settings?: Settings | undefined;
		readonly storedProfiles: StoredProfiles;
		/** True if the target is the bundled service because nothing else is set up. */
		readonly isLocalByDefault?: boolean | undefined;
		/** The folder of presets; by default beside the settings. Over SSH it is shared by all who use the profile. */
		readonly presetFolder?: string | undefined;
		/** Stores the position of the screens, and restores it from there. */
		readonly uiState: UiStateStore;
		readonly viewAtStart?: JsonObject | undefined;
		/** Lends the terminal to another program until the callback has settled. */
		readonly terminal: {lend(callback: () => Promise<void>): Promise<void>};
		/** The person's editor for long texts; `undefined` if these are edited on the screen. */
		readonly findEditor: () => Editor | undefined;
		readonly clipboard: Clipboard;
		/** Called each time that an operation fails because its key is refused. */
		readonly onKeyRefused?: ((error: SwitchboardError) => void) | undefined;
		/** Called when the person leaves: at once, or when pending changes are answered; once more if they insist. */
		readonly onExit: (exitCode: number) => void;
	};

/** More lines would push the terminal's earlier text out of sight. */
const maximumAfterwords = 20;

const withoutExcess = (texts: readonly string[]): readonly string[] =>
	texts.length <= maximumAfterwords
		? texts
		: [...texts.slice(0, maximumAfterwords), `${formatCount(texts.length - maximumAfterwords)} more like these are not listed.`];

/** Carries out the requests of the screens on the settings and the services. */
export function createUiServices(options: UiServicesOptions) {
	const {store, settings, keymap, isReadOnly, isAscii, isColorless, act, requests, onScreen, configFolder, loadTopics} = options;
	const unseenFailures: string[] = [];

	const say: Say = (level, text, ...ends) => {
		const until = ends.flatMap((end): readonly MessageEnd[] =>
			typeof end === 'object' ? (end.kind === 'unreachable' ? ['answer'] : []) : end === undefined ? [] : [end],
		);
		store.dispatch({type: 'say', level, text, at: Date.now(), until});
		// The person may not see it before the screens close.
		if (level === 'error' && store.getState().leaving !== undefined) {
			unseenFailures.push(text);
		}

		const {shown} = store.getState().messages;
		if (level === 'info' && shown !== undefined && !isLasting(shown)) {
			setTimeout(() => store.dispatch({type: 'dismiss', id: shown.id}), infoMilliseconds).unref();
		}
	};

	/** Mentions kept texts, so that the person finds them again. */
	const offerKeptPrompts = (session: ServiceSession): void => {
		const text = keptPromptsText(
			{account: session.account.name, configFolder},
			agentId => session.records.seen('agents')?.find(({id}) => id === agentId)?.name,
			isReadOnly ? undefined : keyName(keymap, 'edit-prompt'),
		);
		if (text !== undefined) {
			say('info', text, 'overlay');
		}
	};

	const offerLeft = async (session: ServiceSession, areChangesRefused: boolean): Promise<void> => {
		const {offerLeftTries, offerLeftTimers} = await import('./screens/later-overlays.ts');
		await offerLeftTries(session, areChangesRefused);
		await offerLeftTimers(session, areChangesRefused);
	};

	moveTimeOn(store);
	const isOverSsh = settings === undefined;
	const views = new Views({...options, settings, say});
	const sessions = createSessions({...options, isOverSsh, say, views, offerLeft}, options.target);
	const profiles = createProfiles({...options, sessions, views, say, onShown: offerKeptPrompts});
	views.restore(sessions.getSession(), options.viewAtStart);
	offerKeptPrompts(sessions.getSession());

	const {leave, whileOpen, endEditor} = createLeaving({
		store,
		getSessions: sessions.getAll,
		onLeave() {
			options.onExit(0);
		},
	});

	const passedOn = {store, keymap, isAscii, isColorless, isReadOnly, act, requests, onScreen, configFolder, loadTopics};
	const ui: UiServices = {
		...passedOn,
		isOverSsh,
		timeZone: options.timeZone ?? ownTimeZone,
		profiles,
		presets: () =>
			openPresets(sessions.getSession().account.presetAccount, {
				configFolder: options.presetFolder,
				arePathsShown: !isOverSsh,
				note(notice) {
					say('error', notice);
				},
			}),
		findEditor() {
			const editor = options.findEditor();
			return editor && (async file => whileOpen(false, async ending => options.terminal.lend(async () => runEditor(editor, file, ending))));
		},
		async copy(text, what) {
			if (await options.clipboard(text)) {
				say('info', `Copied ${text}, ${what}.`);
			} else {
				// Kept among the messages, to be copied by hand.
				say('warning', `This terminal has no clipboard. Copy ${what} by hand: ${text}`);
			}
		},
		whileEditing: async work => whileOpen(true, work),
		say,
	};

	return {
		ui,
		sessions,
		leave,
		/** Cancels leaving. */
		stay(): void {
			store.dispatch({type: 'stay'});
			// They are on the screen now.
			unseenFailures.length = 0;
			say('info', 'Quitting was cancelled.');
		},
		endEditor,
		/** The lines to print once the terminal is restored: the outcomes that were not shown. */
		afterwords: () => withoutExcess([...unseenFailures, ...sessions.unconfirmedTexts(), ...sessions.leftTimersTexts()]),
		async close(): Promise<void> {
			await views.keep(sessions.getSession());
			await sessions.close();
		},
	};
}

type LeavingOptions = {
	readonly store: StateStore<AppState, AppAction>;
	/** Every service that may have changes under way, even if it is not shown any more. */
	readonly getSessions: () => readonly ServiceSession[];
	/** Called when nothing is left to wait for, and on a second press. */
	readonly onLeave: () => void;
};

/** Delays quitting by a key until changes under way are answered and the editor is closed. */
function createLeaving({store, getSessions, onLeave}: LeavingOptions) {
	/** The open editors, on the screen or in other programs. */
	const editors = createObservable<ReadonlyArray<{readonly ending: AbortController; readonly isOnScreen: boolean}>>([]);

	const waitedFor = (): WaitedFor => ({
		changeCount: getSessions().reduce(
			(count, {changes: {queue}, records: {queryClient}}) => count + queue.all().length + writesUnderWay(queryClient).length,
			0,
		),
		isEditorOpen: editors.get().length > 0,
	});

	const isOver = ({changeCount, isEditorOpen}: WaitedFor): boolean => changeCount === 0 && !isEditorOpen;

	const isLeaving = (): boolean => store.getState().leaving !== undefined;

	const waitAndLeave = async (): Promise<void> => {
		await when(
			() => {
				const now = waitedFor();
				if (isLeaving() && !isOver(now)) {
					store.dispatch({type: 'leave', waitedFor: now});
					return false;
				}

				return true;
			},
			editors.subscribe,
			store.subscribe,
			...getSessions().flatMap(({changes: {queue}, records: {queryClient}}) => [queue.subscribe, subscribeToWrites(queryClient)]),
		);
		if (isLeaving()) {
			onLeave();
		}
	};

	/**
	Runs work that needs an editor. `ending` is aborted, with a signal's name as the reason, when the editor must end: an editor on the
	screen, which keeps its text, also with SIGINT when the person leaves.
	*/
	async function whileOpen<Result>(isOnScreen: boolean, work: (ending: AbortSignal) => Promise<Result>): Promise<Result> {
		const editor = {ending: new AbortController(), isOnScreen};
		editors.set([...editors.get(), editor]);
		try {
			return await work(editor.ending.signal);
		} finally {
			editors.set(editors.get().filter(other => other !== editor));
		}
	}

	return {
		/** Leaves once all changes are answered: at once if none is under way, or on a second call. An open editor is always waited for. */
		leave(): void {
			for (const session of getSessions()) {
				session.leave();
			}

			const now = waitedFor();
			const isAskedAgain = isLeaving();
			// Keys are ignored from here on, even if there is nothing to wait for.
			store.dispatch({type: 'leave', waitedFor: now});
			for (const {ending, isOnScreen} of editors.get()) {
				if (isOnScreen) {
					ending.abort('SIGINT');
				}
			}

			if (isOver(now) || (isAskedAgain && !now.isEditorOpen)) {
				onLeave();
			} else if (!isAskedAgain) {
				void waitAndLeave();
			}
		},
		whileOpen,
		/** Ends an open editor with this signal because the program ends; resolves when it is closed. */
		async endEditor(signal: NodeJS.Signals): Promise<void> {
			store.dispatch({type: 'leave', waitedFor: waitedFor()});
			for (const {ending} of editors.get()) {
				ending.abort(signal);
			}

			await when(() => editors.get().length === 0, editors.subscribe);
		},
	};
}
