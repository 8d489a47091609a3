import {toSwitchboardError} from '../interface/errors.ts';
import {flush} from '../platform/standard-streams.ts';
import {resolveSessionTarget, sessionFoldersOf, type RemoteSession, type ServerFolders} from '../settings/remote-session.ts';
import {peekSettings} from '../settings/settings.ts';
import {createFilePlace} from '../ssh/file-queue.ts';
import type {SessionAccess} from './context.ts';
import {runWords, watchUnread} from './run-words.ts';
import {restrictCommands} from './ssh/restrict-commands.ts';

const accessOf = (session: RemoteSession, folders: ServerFolders): SessionAccess => ({
	person: session.person,
	timeZone: session.timeZone,
	personId: sessionFoldersOf(session.fingerprint, folders).personId,
	profileName: session.profileName,
	isReadOnly: session.isReadOnly,
	file: createFilePlace(session.fingerprint, session.signal),
	resolveTarget: () => resolveSessionTarget(session, () => peekSettings(folders)),
	get cacheFolder() {
		return sessionFoldersOf(session.fingerprint, folders).cacheFolder;
	},
	stateFolder: folders.stateFolder,
	configFolder: folders.configFolder,
});

/** People type the name of the program from habit; no command has that name. */
const withoutProgram = (words: readonly string[]): readonly string[] => (words[0] === 'switchboard' ? words.slice(1) : words);

/**
Runs a command for a person over SSH: with their streams, environment and profile, and with only the commands and options in
`allowedCommands`. Nothing of this process is used or changed, so that many can run at once.

@param words - the command line without the name of the program.
@param folders - the settings of the server and the folders of its users; for tests.
@returns the exit code. All output is then on its way, unless nobody reads it after the session has ended. Never rejects.
*/
export async function runRemoteCommand(session: RemoteSession, words: readonly string[], folders: ServerFolders = {}): Promise<number> {
	const {streams, env, signal} = session;
	const unread = Promise.withResolvers<number>();
	let stopWatching: (() => void) | undefined;
	const endUnread = (exitCode: number): void => {
		stopWatching ??= watchUnread(streams, () => unread.resolve(exitCode));
	};

	const endBySignal = (): void => endUnread(toSwitchboardError(signal.reason).exitCode);

	// Without a listener an error would be thrown; a reader that has gone is not a failure.
	for (const output of [streams.stdout, streams.stderr]) {
		output.on('error', () => undefined);
	}

	const access = accessOf(session, folders);
	const run = async (): Promise<number> => {
		const {exitCode} = await runWords(withoutProgram(words), {streams, env, signal, endUnread, session: access, adapt: restrictCommands});
		access.file.leave();
		// The report of changes is written as slowly as it is read.
		if (signal.aborted) {
			endUnread(exitCode);
		} else {
			signal.addEventListener('abort', endBySignal, {once: true});
		}

		await Promise.all([flush(streams.stdout), flush(streams.stderr)]);
		return exitCode;
	};

	try {
		return await Promise.race([run(), unread.promise]);
	} finally {
		stopWatching?.();
		signal.removeEventListener('abort', endBySignal);
	}
}
