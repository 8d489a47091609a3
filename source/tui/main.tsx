import process from 'node:process';
import type {RequestLogEntry} from '../client/client.ts';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {flushCompileCacheSoon, keepHeapSmall} from '../platform/engine.ts';
import {describeForeignHome} from '../platform/file-owner.ts';
import {explainCrash, openRequestLog} from '../settings/logs.ts';
import {openAccountRecords} from '../changes/account-records.ts';
import {openSettings, type Settings} from '../settings/settings.ts';
import {inspectTarget, resolveTarget, variable} from '../settings/target.ts';
import {openUiState, type UiStateStore} from '../settings/ui-state.ts';
import {openUserKeymap} from './keys/key-overrides.ts';
import type {UiServices} from './app-context.ts';
import {createLastScreenKeeper} from './last-screen.ts';
import type {PaintedScreen, StartOptions} from './paint-last-screen.ts';
import {runUi} from './run-ui.tsx';
import {chooseCapabilities, isLinear, isOverSsh} from '../terminal/capabilities.ts';
import {createClipboard} from '../terminal/clipboard.ts';
import type {EarlyInput} from '../terminal/early-input.ts';
import {findEditor} from '../terminal/external-editor.ts';
import {processHost} from '../terminal/terminal-host.ts';

type DebugLog = {write(request: RequestLogEntry): void; afterword(): string};

/** Returns the log of requests for `--debug`. The UI goes on without it if it cannot be written. */
export function openDebugLog(options: {readonly logFolder?: string | undefined} = {}): DebugLog {
	let problem: string | undefined;

	const attempt = <Result,>(action: () => Result): Result | undefined => {
		try {
			return action();
		} catch (error) {
			problem ??= reasonOf(error);
			return undefined;
		}
	};

	const log = attempt(() => openRequestLog(options));
	return {
		write(request) {
			attempt(() => {
				log?.write(request);
			});
		},
		afterword() {
			return log === undefined
				? `There is no request log: ${problem}`
				: `Request log: ${log.path}${problem === undefined ? '' : ` (incomplete: ${problem})`}`;
		},
	};
}

/** The end of the process completes anything that takes longer. */
const closingMilliseconds = 1000;

type TerminalUiOptions = StartOptions & {
	readonly earlyInput?: EarlyInput | undefined;
	readonly lastScreen?: PaintedScreen | undefined;
	readonly loadTopics: UiServices['loadTopics'];
};

/**
Opens the terminal UI and stays until it is left.

@returns the exit code.
@throws SwitchboardError if the service or the key cannot be determined; nothing has been drawn then.
*/
export async function runTerminalUi(options: TerminalUiOptions): Promise<number> {
	keepHeapSmall();
	const settings = await openSettings({records: openAccountRecords()});
	const {keymap, isMouseWanted, notices} = openUserKeymap();
	const {env, platform, stdin, stdout, stderr} = process;
	const keyNotes: string[] = [];
	const target = resolveTarget({
		...options,
		settings,
		env,
		isForUi: true,
		note(sentence) {
			keyNotes.push(sentence);
		},
	});
	const uiState = openUiState();
	const debugLog = options.isDebug ? openDebugLog() : undefined;
	const capabilities = chooseCapabilities(options, env);
	flushCompileCacheSoon();
	return runUi({
		...options,
		host: processHost,
		stdin,
		stdout,
		capabilities,
		isRemote: isOverSsh(env),
		isMouseWanted: options.isMouseWanted || isMouseWanted,
		earlyScreen: options.lastScreen?.screen,
		target,
		settings,
		storedProfiles: settings,
		isLocalByDefault:
			(options.profile ?? variable(env, 'SWITCHBOARD_PROFILE') ?? settings.currentProfileName()) === undefined && target.kind === 'local',
		uiState,
		viewAtStart: options.lastScreen?.view,
		lastScreen: isLinear(capabilities) ? undefined : createLastScreenKeeper({...options, capabilities, env}),
		findEditor: () => findEditor(env, platform),
		keymap,
		onRequest: debugLog?.write,
		clipboard: createClipboard({
			env,
			platform,
			write(sequence) {
				stdout.write(sequence);
			},
		}),
		notices: [describeForeignHome(), ...settings.notices, ...notices, ...keyNotes].filter(notice => notice !== undefined),
		afterwords: isLeft =>
			[debugLog?.afterword(), isLeft && target.kind === 'local' ? commandsHint(settings, uiState) : undefined].filter(
				text => text !== undefined,
			),
		print(line) {
			stderr.write(`${line}\n`);
		},
		explainEnd: ({reason, error}) => (reason === 'error' ? explainCrash(error) : undefined),
		closingMilliseconds,
	});
}

/**
Returns a note, once, after the bundled service was used without a profile: how commands use it as well; `undefined` if they use a service
already.
*/
function commandsHint(settings: Settings, uiState: UiStateStore): string | undefined {
	const {outcome, profile, address} = inspectTarget({settings, env: process.env, isInsecureHttpAllowed: false, isForUi: false});
	const isUndecided = outcome instanceof SwitchboardError && outcome.kind === 'no-key' && profile === undefined && address === undefined;
	if (!isUndecided || uiState.read()['isCommandsHintShown'] === true) {
		return undefined;
	}

	void uiState.update(stored => ({...stored, isCommandsHintShown: true}));
	return 'To use this service in commands too, run: switchboard profiles use local';
}
