import {errorText} from '../interface/errors.ts';
import {explainSessionCrash} from '../settings/logs.ts';
import {presetAccountOf} from '../settings/account.ts';
import {movePresets, openPresets} from '../settings/presets.ts';
import {resolveSessionTarget, sessionFoldersOf, type RemoteSession, type ServerFolders} from '../settings/remote-session.ts';
import {peekSettings} from '../settings/settings.ts';
import {openUiState} from '../settings/ui-state.ts';
import type {UiServices} from './app-context.ts';
import type {ActionName} from '../words/key-table.ts';
import {openUserKeymap} from './keys/key-overrides.ts';
import {detectCapabilities, loadWithForcedColor} from '../terminal/capabilities.ts';
import {createTerminalClipboard} from '../terminal/clipboard.ts';
import {createRemoteHost, endingReason} from '../terminal/terminal-host.ts';

/** Both steps of closing together stay within a second. */
const closingMilliseconds = 400;

/** They would act on the server's machine, or choose another profile. */
const unavailable: readonly ActionName[] = ['upload', 'profiles', 'connect', 'suspend'];

/**
Opens the screens for a person over SSH, and stays until they leave or their session has to end. Ending it takes less than a second, even if
nobody reads the output. An error in one session does not affect others.

@param loadTopics - loads the topics of the help.
@param folders - the settings of the server and the folders of its users; for tests.
@returns the exit code. Never rejects: a problem is reported on the terminal.
*/
export async function runRemoteUi(
	session: RemoteSession,
	loadTopics: UiServices['loadTopics'],
	folders: ServerFolders = {},
): Promise<number> {
	const {streams, env, isReadOnly} = session;
	const {stdin, stdout} = streams;
	const refused = new AbortController();
	const signal = AbortSignal.any([session.signal, refused.signal]);
	const print = (line: string): void => {
		// The terminal of the client stays raw.
		stdout.write(`${line}\r\n`);
	};

	// Before the terminal is opened, and after the end, nothing else listens; an error without a listener would be thrown.
	stdout.on('error', () => undefined);
	try {
		const target = resolveSessionTarget(session, () => peekSettings(folders));
		const ownFolders = sessionFoldersOf(session.fingerprint, folders);
		if (!isReadOnly) {
			await adoptPresets(presetAccountOf(target), ownFolders.configFolder, folders.configFolder);
		}

		const {runUi} = await loadUi();
		signal.throwIfAborted();
		return await runUi({
			...ownFolders,
			presetFolder: folders.configFolder,
			stateFolder: folders.stateFolder,
			host: createRemoteHost({streams, signal}),
			stdin,
			stdout,
			capabilities: detectCapabilities(env),
			isRemote: true,
			target,
			isReadOnly,
			person: session.person,
			timeZone: session.timeZone,
			isInsecureHttpAllowed: false,
			storedProfiles: peekSettings(folders),
			uiState: openUiState(ownFolders),
			findEditor: () => undefined,
			loadTopics,
			// Mistakes in the file are reported on the server's own screens.
			keymap: openUserKeymap({configFolder: folders.configFolder, unavailable}).keymap,
			clipboard: createTerminalClipboard(
				sequence => {
					stdout.write(sequence);
				},
				{TERM: env['TERM']},
			),
			// The key belongs to the server, so nothing more can be done here.
			onKeyRefused(error) {
				refused.abort(error);
			},
			notices: [],
			print,
			explainEnd({reason, error}) {
				return reason === 'error' ? explainSessionCrash(error, 'session') : endingReason(signal);
			},
			closingMilliseconds,
		});
	} catch (error) {
		const reason = signal.aborted ? endingReason(signal) : explainSessionCrash(error, 'session');
		print(errorText(reason));
		return reason.exitCode;
	}
}

/** Moves presets that earlier versions kept for each key to the profile. The screens open even if that fails. */
async function adoptPresets(account: string, ownFolder: string, configFolder: string | undefined): Promise<void> {
	const [own, shared] = [ownFolder, configFolder].map(folder =>
		openPresets(account, {
			configFolder: folder,
			note() {
				/* The list of presets reports it. */
			},
		}),
	);
	try {
		await movePresets(own!, shared!);
	} catch {
		// The presets stay where they are, for the next time.
	}
}

const loadUi = async () => loadWithForcedColor(async () => import('./run-ui.tsx'));

/** Loads the code for the first session, so that it need not wait for that. */
export async function warmUp(): Promise<void> {
	await Promise.all([loadUi(), import('../client/client.ts')]);
}
