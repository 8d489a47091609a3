import {addTo, delay, process, stripVTControlCharacters, type TestContext} from './node.ts';
import {screenTopics} from '../../source/commands/help.ts';
import {openAccountRecords} from '../../source/changes/account-records.ts';
import {openSettings, type Settings} from '../../source/settings/settings.ts';
import type {KeyVariable} from '../../source/settings/sign-in-hint.ts';
import type {Target} from '../../source/settings/target.ts';
import {openUiState} from '../../source/settings/ui-state.ts';
import {App} from '../../source/tui/app.tsx';
import {createRequestLog} from '../../source/tui/state/request-log.ts';
import {createDispatcher} from '../../source/tui/keys/dispatcher.ts';
import {createKeymap, type KeyOverrides} from '../../source/words/keymap.ts';
import {createReadingTime} from '../../source/tui/keys/reading-time.ts';
import {createUiServices, type UiServicesOptions} from '../../source/tui/run-ui.tsx';
import {createAppState, reduceApp, type ScreenSize} from '../../source/tui/state/app-state.ts';
import type {ScreenName} from '../../source/tui/state/view.ts';
import {createStore} from '../../source/tui/observable.ts';
import {createClipboard} from '../../source/terminal/clipboard.ts';
import {findEditor} from '../../source/terminal/external-editor.ts';
import {inkSequence} from '../../source/terminal/ink-streams.ts';
import {createKeyReader} from '../../source/terminal/keyboard-input.ts';
import {keyBytes, pasteBytes} from './key-bytes.ts';
import {renderInk} from './render-ink.ts';
import {says} from '../tui/helpers/shown.ts';
import {temporaryFolders, type Folders} from './temporary-folder.ts';

export type RenderAppOptions = Partial<
	Pick<UiServicesOptions, 'isReadOnly' | 'isAscii' | 'isColorless' | 'isInsecureHttpAllowed' | 'timeoutMilliseconds'>
> & {
	/** Whose screens are shown, with the key that they are asked with; the bundled service on this machine unless given. */
	readonly service?: {readonly baseAddress: string; readonly apiKey: string};
	/** The profile that `service` was stored as; none, as where it comes from the environment, unless given. */
	readonly profileName?: string;
	/** The variable that the key of `service` comes from, where that is to be known. */
	readonly keyVariable?: KeyVariable;
	readonly sessionToken?: string;
	readonly isInsecureHttp?: boolean;
	readonly folders?: Folders;
	/** What is stored as profiles before the UI opens, by their names. */
	readonly profiles?: Readonly<Record<string, {readonly baseAddress: string; readonly apiKey: string | undefined}>>;
	readonly prepareSettings?: (settings: Settings) => Promise<void>;
	/** 64 columns and 14 rows, the lowest screen with a line for the message, unless given. */
	readonly size?: ScreenSize;
	readonly screen?: ScreenName;
	readonly keys?: KeyOverrides;
};

/** A text or a pattern in one line, or a condition. */
type FrameCondition = string | RegExp | ((lines: readonly string[]) => boolean);

/** The waiting for what comes, such as of a key. Each throws after the deadline, with the newest frame. */
type Waits = {
	/** Waits for a frame in which all of these hold, and returns its lines. */
	shows(...conditions: readonly FrameCondition[]): Promise<readonly string[]>;
	/** Waits for a frame that says the sentence, on one line or over several, and returns its lines. */
	says(sentence: string): Promise<readonly string[]>;
	until(isReached: () => boolean | Promise<boolean>): Promise<void>;
};

/** Unless a test changes it, such as one with an editor. */
const configHome = process.env['XDG_CONFIG_HOME'];

/** The deadline for anything that a test waits for, on a busy machine. */
const deadlineMilliseconds = 30_000;

/** Ports are as long as this one and another at each run. */
const withoutPort = (frame: string): string => frame.replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:00000');

const toLines = (frame: string): readonly string[] =>
	withoutPort(stripVTControlCharacters(frame))
		.split('\n')
		.map(line => line.trimEnd());

const everyCondition =
	(conditions: readonly FrameCondition[]) =>
	(lines: readonly string[]): boolean =>
		conditions.every(condition =>
			typeof condition === 'function'
				? condition(lines)
				: lines.some(line => (typeof condition === 'string' ? line.includes(condition) : condition.test(line))),
		);

/** Opens the screens on a service, with the real keyboard reader. They are closed after the test. */
export async function renderApp(t: TestContext, options: RenderAppOptions = {}) {
	const {service, folders = temporaryFolders(), size = {columns: 64, rows: 14}} = options;
	const settings = await openSettings({...folders, records: openAccountRecords(folders.stateFolder)});
	for (const [name, {baseAddress, apiKey}] of Object.entries(options.profiles ?? {})) {
		await settings.saveProfile({name, baseAddress, apiKey});
	}

	await options.prepareSettings?.(settings);
	const target: Target =
		service === undefined
			? {kind: 'local'}
			: {
					kind: 'remote',
					profileName: options.profileName,
					keyVariable: options.keyVariable,
					baseAddress: service.baseAddress,
					apiKey: service.apiKey,
					sessionToken: options.sessionToken,
					isInsecureHttp: options.isInsecureHttp ?? false,
				};
	const store = createStore(reduceApp, createAppState(options.screen ?? 'installed', size));
	// Nobody reads a question here: `press` waits until it may be answered.
	const readingTime = createReadingTime({reading: 0, quiet: 0});
	const dispatcher = createDispatcher({readingTime, forward: key => ink.stdin.write(inkSequence(key))});
	const written: string[] = [];
	let exitCode: number | undefined;
	let repaintCount = 0;
	let stopCount = 0;
	const running = createUiServices({
		target,
		store,
		settings,
		storedProfiles: settings,
		presetFolder: folders.configFolder,
		// Another test's texts would be offered where its service had the same port.
		configFolder: process.env['XDG_CONFIG_HOME'] === configHome ? folders.configFolder : undefined,
		isReadOnly: options.isReadOnly ?? false,
		isInsecureHttpAllowed: options.isInsecureHttpAllowed ?? false,
		timeoutMilliseconds: options.timeoutMilliseconds,
		cacheFolder: folders.cacheFolder,
		dataFolder: folders.dataFolder,
		stateFolder: folders.stateFolder,
		uiState: openUiState(folders),
		keymap: createKeymap(options.keys),
		isAscii: options.isAscii ?? false,
		// The lines of a frame show no looks.
		isColorless: options.isColorless ?? true,
		act(name) {
			dispatcher.act(name);
		},
		requests: createRequestLog(),
		loadTopics: async () => screenTopics,
		findEditor: () => findEditor(process.env, process.platform),
		terminal: {lend: async callback => callback()},
		// As over SSH, where the terminal has the only clipboard.
		clipboard: createClipboard({env: {SSH_CONNECTION: '192.0.2.1 5 192.0.2.2 22'}, platform: 'linux', write: addTo(written)}),
		onExit(code) {
			exitCode = code;
		},
	});
	const {ui, sessions, leave, stay} = running;
	const program = {
		leave,
		stay,
		repaint() {
			repaintCount++;
		},
		suspend() {
			stopCount++;
		},
	};
	const screens = () => <App ui={ui} sessions={sessions} program={program} dispatcher={dispatcher} />;
	const ink = renderInk(screens());
	const keyReader = createKeyReader(dispatcher);

	/** The library's terminal is 100 columns wide for good. Layout reads the width anew with each frame. */
	const setWidth = ({columns}: ScreenSize): void => {
		Object.defineProperty(ink.stdout, 'columns', {value: columns, configurable: true});
	};

	setWidth(size);
	ink.rerender(screens());
	const rawFrame = (): string => ink.lastFrame() ?? '';

	/** The lines of the newest frame, made once for each. */
	let newest: {readonly frame: string; readonly lines: readonly string[]} = {frame: '', lines: toLines('')};
	const newestLines = (): readonly string[] => {
		const frame = rawFrame();
		newest = frame === newest.frame ? newest : {frame, lines: toLines(frame)};
		return newest.lines;
	};

	const until: Waits['until'] = async isReached => {
		const deadline = performance.now() + deadlineMilliseconds;
		while (!(await isReached())) {
			if (performance.now() > deadline) {
				throw new Error(`What was waited for did not come within ${deadlineMilliseconds} ms. The last frame:\n${newestLines().join('\n')}`);
			}

			await ink.nextFrame(5);
		}
	};

	const shows: Waits['shows'] = async (...conditions) => {
		const isWanted = everyCondition(conditions);
		let lines: readonly string[] = [];
		await until(() => {
			lines = newestLines();
			return isWanted(lines);
		});
		return lines;
	};

	const waits: Waits = {shows, says: async sentence => shows(says(sentence)), until};

	let isClosed = false;
	const hasClosed = (): boolean => isClosed;
	const unsent: Array<{readonly bytes: string; readonly isPatient: boolean}> = [];
	let isSending = false;

	const isReadyForKeys = (): boolean => dispatcher.whenReady === undefined && readingTime.question === readingTime.answerable;

	/** Sends at once if nothing has to be waited for. */
	const sendRest = async (): Promise<void> => {
		isSending = true;
		while (unsent.length > 0 && !hasClosed()) {
			if (unsent[0]!.isPatient && !isReadyForKeys()) {
				await delay(1);
			} else {
				keyReader.write(unsent.shift()!.bytes);
			}
		}

		isSending = false;
	};

	const send = (bytes: string, isPatient: boolean): void => {
		unsent.push({bytes, isPatient});
		if (!isSending) {
			void sendRest();
		}
	};

	const close = async (): Promise<void> => {
		if (isClosed) {
			return;
		}

		isClosed = true;
		keyReader.close();
		ink.unmount();
		ink.cleanup();
		await running.close();
	};

	t.after(close);
	return {
		...waits,
		ui,
		settings,
		state: () => store.getState(),
		session: () => running.sessions.getSession(),
		/** Sends the keyboard reader a chunk of bytes, as a terminal does. */
		write(chunk: string) {
			send(chunk, false);
			return waits;
		},
		/**
		Presses keys one after the other, each in a separate chunk: characters, or names such as `space` and `escape`. One that may mean Yes waits, as a
		person does, until the screen has changed after the keys before it and its question is read.
		*/
		press(...keys: readonly string[]) {
			for (const key of keys) {
				send(keyBytes(key), ['y', 'enter'].includes(key));
			}

			return waits;
		},
		paste(text: string) {
			send(pasteBytes(text), false);
			return waits;
		},
		resize(newSize: ScreenSize) {
			setWidth(newSize);
			store.dispatch({type: 'resize', size: newSize});
			return waits;
		},
		/** The newest frame as lines, without styles, trailing spaces and the service's port. */
		lines: newestLines,
		/** Every frame drawn so far, in the same form. */
		frames: () => ink.frames.map(frame => toLines(frame)),
		rawFrame,
		/** What was written to the terminal besides frames, such as OSC 52. */
		written: () => written,
		/** How often the whole screen was to be drawn again, and the program to be suspended. */
		repaintCount: () => repaintCount,
		stopCount: () => stopCount,
		/** `undefined` until the UI is left. */
		exitCode: () => exitCode,
		afterwords: () => running.afterwords(),
		close,
	};
}

export type RenderedApp = Awaited<ReturnType<typeof renderApp>>;
