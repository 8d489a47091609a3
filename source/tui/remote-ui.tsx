import {errorText} from '../interface/errors.ts';
import {explainSessionCrash} from '../settings/logs.ts';
import {presetAccountOf} from '../settings/account.ts';
import {movePresets, openPresets} from '../settings/presets.ts';
import {resolveSessionTarget, sessionFoldersOf, type RemoteSession, type ServerFolders} from '../settings/remote-session.ts';
import {peekSettings} from '../settings/settings.ts';
import {openUiState} from '../settings/ui-state.ts';
import type {UiServices} from './app-context.ts';
import {createKeymap} from '../words/keymap.ts';
import {detectCapabilities, loadWithForcedColor} from '../terminal/capabilities.ts';
import {createTerminalClipboard} from '../terminal/clipboard.ts';
import {createRemoteHost, endingReason} from '../terminal/terminal-host.ts';

/** Both steps of closing together stay within a second. */
const closingMilliseconds = 400;

/** Without the keys that would act on the machine of the server, or choose another profile. */
const keymap = createKeymap({}, ['upload', 'profiles', 'connect', 'suspend']);

/**
Opens the screens for somebody who came over SSH, and stays until they leave or their session has to end, which takes less than
a second then, even if nobody reads what is written. Nothing that goes wrong with one session reaches another.

@param loadTopics - loads the topics of the help.
@param folders - where the settings of the server, and the folders of those who come, lie; for tests.
@returns the exit code. Never rejects: what hinders it is said on the terminal.
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

	// Until the terminal is opened, and when all is over, nobody else listens; without a listener an error is thrown.
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
			isInsecureHttpAllowed: false,
			storedProfiles: peekSettings(folders),
			uiState: openUiState(ownFolders),
			findEditor: () => undefined,
			loadTopics,
			keymap,
			clipboard: createTerminalClipboard(
				sequence => {
					stdout.write(sequence);
				},
				{TERM: env['TERM']},
			),
			// The key is of the server, so nothing more can be done here.
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

/** Earlier versions kept presets for each key; they join those of the profile. Whatever hinders that, the screens open. */
async function adoptPresets(account: string, ownFolder: string, configFolder: string | undefined): Promise<void> {
	const [own, shared] = [ownFolder, configFolder].map(folder =>
		openPresets(account, {
			configFolder: folder,
			note() {
				/* It is said where they are listed. */
			},
		}),
	);
	try {
		await movePresets(own!, shared!);
	} catch {
		// They stay where they are, for the next time.
	}
}

const loadUi = async () => loadWithForcedColor(async () => import('./run-ui.tsx'));

/** Loads what the first session needs, so that it does not wait for that. */
export async function warmUp(): Promise<void> {
	await Promise.all([loadUi(), import('../client/client.ts')]);
}
