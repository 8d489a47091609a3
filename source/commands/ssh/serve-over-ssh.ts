import path from 'node:path';
import {
	errorText,
	reasonOf,
	SwitchboardError,
	toSwitchboardError,
} from '../../interface/errors.ts';
import {ensurePrivateFolder} from '../../platform/private-files.ts';
import {userFolders} from '../../platform/user-folders.ts';
import {explainCrash} from '../../settings/crash-report.ts';
import {describeProfile, resolveSessionTarget} from '../../settings/session-target.ts';
import {peekSettings, watchSettings} from '../../settings/settings.ts';
import {shellWord} from '../../settings/sign-in-hint.ts';
import {createFailedTries} from '../../ssh/failed-tries.ts';
import {openHostKey} from '../../ssh/host-key.ts';
import {openKeyRing} from '../../ssh/key-ring.ts';
import {createSshLog, type SshLogFormat} from '../../ssh/ssh-log.ts';
import {startSshServer} from '../../ssh/ssh-server.ts';
import {endServing, untilAborted} from '../command.ts';
import type {Context} from '../context.ts';
import {watchProcess} from './watch-process.ts';

export type SshServeOptions = {
	readonly host: string;
	readonly port: number;
	readonly authorizedKeys?: string;
	readonly hostKey?: string;
	readonly log?: SshLogFormat;
};

const shuttingDown = new SwitchboardError('terminated', 'The server is shutting down.', {nextStep: 'Connect again later.'});

const broken = new SwitchboardError('unexpected', 'The server stops because of an error.', {nextStep: 'Connect again later.'});

/** A file in the settings folder, which is made if it is missing. */
const inSettingsFolder = (name: string): string => {
	const {config} = userFolders();
	try {
		ensurePrivateFolder(config);
	} catch (error) {
		throw new SwitchboardError('usage', `The settings folder ${config} cannot be used: ${reasonOf(error)}.`, {
			nextStep: 'Give both --authorized-keys and --host-key, or choose another folder with XDG_CONFIG_HOME.',
			cause: error,
		});
	}

	return path.join(config, name);
};

/** How to add the first key. */
const addKey = (file: string): string => `No key is listed yet. Append a public key, such as the line in ~/.ssh/id_ed25519.pub, to ${file}`;

/** Warns of a profile that cannot be used, as those whose keys name it are told too. */
const warnOfProfile = (context: Context, profileName: string): void => {
	try {
		resolveSessionTarget({profileName}, peekSettings);
	} catch (error) {
		context.note(`Warning: ${toSwitchboardError(error).message} Sign in to a service with: switchboard login --profile ${shellWord(profileName)}`);
	}
};

/** Serves until a signal comes, or an error that belongs to no session. */
export const serveOverSsh = async (given: Context, options: SshServeOptions): Promise<void> => {
	const log = createSshLog(given.note, options.log);
	// In JSON, what is said at the start is an entry, too.
	const context = options.log === 'json' ? {...given, note: log.note} : given;
	const keysFile = path.resolve(options.authorizedKeys ?? inSettingsFolder('authorized_keys'));
	const hostKey = openHostKey(path.resolve(options.hostKey ?? inSettingsFolder('ssh_host_ed25519_key')));
	const reportFault = (error: unknown): SwitchboardError => {
		const explained = explainCrash(error);
		log.note(errorText(explained));
		return explained;
	};

	const notes: string[] = [];
	let report = (text: string): void => {
		notes.push(text);
	};

	const keyRing = openKeyRing({
		file: keysFile,
		report(text) {
			report(text);
		},
	});
	// Sessions alone have none, and may not run this command.
	const programs = await context.loadPrograms!();
	const server = await startSshServer({
		...programs,
		host: options.host,
		port: options.port,
		hostKey,
		keyRing,
		describeProfile: name => describeProfile(name, peekSettings),
		failedTries: createFailedTries(),
		isReadOnly: context.options.isReadOnly,
		reportFault(error) {
			reportFault(error);
		},
		log,
	});
	keyRing.watch(server.checkKeys);
	const stopWatchingProfiles = watchSettings(server.checkKeys);
	const watch = watchProcess(reportFault);
	context.print(`listening on ${server.address}`);
	context.note(`host key ${hostKey.fingerprint}`);
	context.note(`${keysFile}: ${keyRing.count()} ${keyRing.count() === 1 ? 'key' : 'keys'}`);
	for (const note of notes) {
		context.note(note);
	}

	report = log.note;
	if (keyRing.count() === 0) {
		context.note(addKey(keysFile));
	}

	for (const profileName of keyRing.profileNames()) {
		warnOfProfile(context, profileName);
	}

	const failure = await Promise.race([untilAborted(context.signal), watch.failed]);
	await server.close(failure === undefined ? shuttingDown : broken);
	keyRing.close();
	stopWatchingProfiles();
	watch.stop();
	if (failure !== undefined) {
		throw failure;
	}

	endServing(context.signal);
};
