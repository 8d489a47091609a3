import path from 'node:path';
import process from 'node:process';
import {errorText, SwitchboardError, toSwitchboardError, withoutFailing} from '../../interface/errors.ts';
import {explainFileError} from '../../platform/file-owner.ts';
import {ensurePrivateFolder} from '../../platform/private-files.ts';
import {userFolders} from '../../platform/user-folders.ts';
import {explainCrash} from '../../settings/logs.ts';
import {describeProfile, resolveSessionTarget} from '../../settings/remote-session.ts';
import {peekSettings, watchSettings} from '../../settings/settings.ts';
import {shellWord} from '../../platform/shell-word.ts';
import {openHostKey} from '../../ssh/host-key.ts';
import {openKeyRing} from '../../ssh/key-ring.ts';
import {currentScope} from '../../ssh/run-session.ts';
import {createSshLog, type SshLogFormat} from '../../ssh/ssh-log.ts';
import {startSshServer} from '../../ssh/ssh-server.ts';
import {endServing, untilAborted} from '../command.ts';
import type {Context} from '../context.ts';
import {openLog} from '../../changes/log.ts';
import {isLogOff} from '../../changes/recorded-client.ts';
import {createTimerKeeper} from '../../changes/timer-keeper.ts';
import {presetAccountOf} from '../../settings/account.ts';
import {openClient} from '../with-service.ts';

type SshServeOptions = {
	readonly host: string;
	readonly port: number;
	readonly authorizedKeys?: string;
	readonly hostKey?: string;
	readonly log?: SshLogFormat;
};

const shuttingDown = new SwitchboardError('terminated', 'The server is shutting down.', {nextStep: 'Connect again later.'});

const broken = new SwitchboardError('unexpected', 'The server stops because of an error.', {nextStep: 'Connect again later.'});

/**
Watches the process while it serves sessions. An error in a session ends only that session.

@param report - reports an error that belongs to no session, and explains it.
*/
export function watchProcess(report: (error: unknown) => SwitchboardError) {
	const {promise: failed, resolve} = Promise.withResolvers<SwitchboardError>();
	const onError = (error: unknown): void => {
		const scope = currentScope();
		if (scope === undefined) {
			resolve(report(error));
		} else {
			scope.fail(error);
		}
	};

	process.on('uncaughtException', onError);
	return {
		/** Resolves with the first error that belongs to no session. */
		failed,
		stop() {
			process.off('uncaughtException', onError);
		},
	};
}

/** Serves until a signal comes, or an error that belongs to no session. */
export async function serveOverSsh(given: Context, options: SshServeOptions): Promise<void> {
	const log = createSshLog(given.note, options.log);
	// In JSON, the notes at the start are log entries, too.
	const context = options.log === 'json' ? {...given, note: log.note} : given;
	const keysFile = path.resolve(options.authorizedKeys ?? inSettingsFolder('authorized_keys'));
	const hostKey = openHostKey(path.resolve(options.hostKey ?? inSettingsFolder('ssh_host_ed25519_key')));
	const reportFault = (error: unknown): SwitchboardError => {
		const explained = explainCrash(error);
		log.note(errorText(explained));
		return explained;
	};

	/** The problems of the file at the start, which follow the address; later ones are logged. */
	let notes: string[] | undefined = [];
	const keyRing = openKeyRing({
		file: keysFile,
		report(text) {
			if (notes === undefined) {
				log.note(text);
			} else {
				notes.push(text);
			}
		},
	});
	// Only sessions lack it, and they may not run this command.
	const programs = await context.loadPrograms!();
	const server = await startSshServer({
		...programs,
		host: options.host,
		port: options.port,
		hostKey,
		keyRing,
		describeProfile: name => describeProfile(name, peekSettings),
		isReadOnly: context.options.isReadOnly,
		reportFault(error) {
			reportFault(error);
		},
		log,
	});
	const keepers = createProfileKeepers(context);
	const check = (): void => {
		server.checkKeys();
		keepers.follow(keyRing.profileNames());
	};

	keyRing.watch(check);
	const stopWatchingProfiles = watchSettings(check);
	keepers.follow(keyRing.profileNames());
	const watch = watchProcess(reportFault);
	context.print(`listening on ${server.address}`);
	context.note(`host key ${hostKey.fingerprint}`);
	context.note(`${keysFile}: ${keyRing.count()} ${keyRing.count() === 1 ? 'key' : 'keys'}`);
	for (const note of notes) {
		context.note(note);
	}

	// A file that is refused, or that has mistakes, needs no further key.
	const isEmpty = keyRing.count() === 0 && notes.length === 0;
	notes = undefined;
	if (isEmpty) {
		context.note(`No key is listed yet. Append a public key, such as the line in ~/.ssh/id_ed25519.pub, to ${keysFile}`);
	}

	const {profile, baseUrl} = context.options;
	if (profile !== undefined || baseUrl !== undefined) {
		context.note(
			`Warning: ${profile === undefined ? '--base-url' : '--profile'} has no effect here. Name the profile in the line of each key, as in profile="NAME".`,
		);
	}

	for (const profileName of keyRing.profileNames()) {
		warnOfProfile(context, profileName);
	}

	const failure = await Promise.race([untilAborted(context.signal), watch.failed]);
	await server.close(failure === undefined ? shuttingDown : broken);
	keyRing.close();
	stopWatchingProfiles();
	await keepers.end();
	watch.stop();
	if (failure !== undefined) {
		throw failure;
	}

	endServing(context.signal);
}

/** Returns a file in the settings folder, which is created if it is missing. */
function inSettingsFolder(name: string): string {
	const {config} = userFolders();
	try {
		ensurePrivateFolder(config);
	} catch (error) {
		const {reason, nextStep = 'Give both --authorized-keys and --host-key, or choose another folder with XDG_CONFIG_HOME.'} =
			explainFileError(error, config);
		throw new SwitchboardError('usage', `The settings folder ${config} cannot be used: ${reason}.`, {nextStep, cause: error});
	}

	return path.join(config, name);
}

/** Warns of a profile that cannot be used. */
function warnOfProfile(context: Context, profileName: string): void {
	try {
		resolveSessionTarget({profileName}, peekSettings);
	} catch (error) {
		context.note(
			`Warning: ${toSwitchboardError(error).message} Sign in to a service with: switchboard login --profile ${shellWord(profileName)}`,
		);
	}
}

type Keeper = {readonly rights: string; readonly ending: AbortController; readonly ended: Promise<void>};

/** Keeps the timers of the profiles that people use over SSH, for services that keep none. */
function createProfileKeepers(context: Context) {
	const keepers = new Map<string, Keeper>();

	const keep = async (profileName: string, signal: AbortSignal): Promise<void> => {
		const target = resolveSessionTarget({profileName}, peekSettings);
		const log = openLog(presetAccountOf(target));
		const client = await openClient(context, target);
		await createTimerKeeper({client, openLog: () => log, note: text => context.note(`${profileName}: ${text}`)}).run(signal);
	};

	const end = (profileName: string): void => {
		keepers.get(profileName)?.ending.abort();
		keepers.delete(profileName);
	};

	return {
		/** Begins or ends to keep the timers of profiles, after the list of keys or the settings have changed. */
		follow(profileNames: Iterable<string>): void {
			const names = new Set(context.options.isReadOnly || isLogOff() ? [] : profileNames);
			for (const name of new Set([...names, ...keepers.keys()])) {
				// Settings that cannot be read now change nothing.
				const rights = names.has(name) ? withoutFailing(() => describeProfile(name, peekSettings) ?? '') : '';
				if (rights === undefined || keepers.get(name)?.rights === rights) {
					continue;
				}

				end(name);
				if (rights !== '') {
					const ending = new AbortController();
					// A profile that cannot be used is reported at the start.
					keepers.set(name, {rights, ending, ended: keep(name, ending.signal).catch(() => undefined)});
				}
			}
		},
		/** Resolves once no timers are kept any more. */
		async end(): Promise<void> {
			const all = [...keepers.values()];
			for (const name of keepers.keys()) {
				end(name);
			}

			await Promise.all(all.map(async ({ended}) => ended));
		},
	};
}
