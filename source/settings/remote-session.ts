import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import path from 'node:path';
import type {StandardStreams} from '../platform/standard-streams.ts';
import {SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import type {Person} from '../interface/key-rights.ts';
import {userFolders} from '../platform/user-folders.ts';
import type {TimeZone} from '../words/time-zone.ts';
import type {StoredProfiles} from './profile.ts';
import {resolveTarget, type RemoteTarget} from './target.ts';

/** Someone who came over SSH: who they are, what they may do, and their side of the connection. */
export type RemoteSession = {
	/** The fingerprint of their public key, as OpenSSH prints it: `SHA256:…`. */
	readonly fingerprint: string;
	/** Their name, as their line of `authorized_keys` has it, and their address. */
	readonly person?: Person | undefined;
	readonly timeZone: TimeZone;
	/** The stored profile that they get. They can choose no other. */
	readonly profileName: string;
	readonly isReadOnly: boolean;
	/** `TERM` and what else they sent of `LANG`, `LC_*`, `NO_COLOR`, `COLORTERM` and their zone; nothing of this process's environment. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly streams: StandardStreams;
	/** Aborted with a `SwitchboardError` when the session has to end: `hangup`, `interrupted`, `terminated` or another reason to tell. */
	readonly signal: AbortSignal;
};

/** The folders of settings and caches on this machine; those of the platform by default. */
export type ServerFolders = {
	readonly configFolder?: string | undefined;
	readonly cacheFolder?: string | undefined;
	/** The folder with the earlier prompts of each profile, for all who use it. */
	readonly stateFolder?: string | undefined;
};

/**
Returns the folders of the people who use a key over SSH, whichever their profile. They are created at the first write, with mode 0700.

@param fingerprint - as OpenSSH prints it: `SHA256:…`.
*/
export function sessionFoldersOf(fingerprint: string, {configFolder, cacheFolder}: ServerFolders = {}) {
	const name = toHex(fingerprint);
	return {
		/** Tells the authors of changes apart in a log, without naming the key. */
		personId: createHash('sha256').update(name).digest('hex').slice(0, 16),
		/** How they left the screens, and their unsaved texts. */
		configFolder: path.join(configFolder ?? userFolders().config, 'ssh', name),
		cacheFolder: path.join(cacheFolder ?? userFolders().cache, 'ssh', name),
	};
}

/** Returns a SHA-256 as hexadecimal digits: Base64 has slashes, and letters in two cases. */
function toHex(fingerprint: string): string {
	const hash = /^SHA256:(?<hash>[\d+/A-Za-z]{43})=?$/.exec(fingerprint)?.groups?.['hash'];
	if (hash === undefined) {
		throw new SwitchboardError('unexpected', 'The fingerprint of the key is not valid.');
	}

	return Buffer.from(hash, 'base64').toString('hex');
}

/** The problems of a profile, in words for a person who does not own the settings. */
const problems: Readonly<Partial<Record<ErrorKind, string>>> = {
	'not-found': 'does not exist here',
	'no-key': 'has no API key',
	insecure: 'is for a service over plain http',
};

/** The kinds of a profile that is gone: of anything else, such as settings that cannot be read now, nobody knows whether it lasts. */
const goneKinds: ReadonlySet<ErrorKind> = new Set(['not-found', 'no-key', 'insecure', 'usage']);

/**
Returns the service of a person over SSH: only that of their profile, whatever the environment of this process says.

@throws SwitchboardError if the profile cannot be used. It names neither another profile nor a file of this machine.
*/
export function resolveSessionTarget({profileName}: Pick<RemoteSession, 'profileName'>, readSettings: () => StoredProfiles): RemoteTarget {
	const refusal = (kind: ErrorKind, cause?: unknown): SwitchboardError =>
		new SwitchboardError(kind, `The profile “${profileName}” ${problems[kind] ?? 'cannot be used'}.`, {
			nextStep: 'Tell the administrator of this server.',
			cause,
		});
	try {
		const target = resolveTarget({settings: readSettings(), env: {}, profile: profileName, isInsecureHttpAllowed: false, isForUi: false});
		if (target.kind === 'remote') {
			return target;
		}
	} catch (error) {
		throw refusal(error instanceof SwitchboardError ? error.kind : 'unexpected', error);
	}

	throw refusal('usage');
}

/**
Returns the rights that a profile gives those who use it, as a text to compare: the same as long as it leads to the same service with the
same key.

@returns `undefined` if it gives no rights any more.
@throws SwitchboardError if the settings cannot be read.
*/
export function describeProfile(profileName: string, readSettings: () => StoredProfiles): string | undefined {
	try {
		const {baseAddress, apiKey} = resolveSessionTarget({profileName}, readSettings);
		return `${baseAddress} ${apiKey}`;
	} catch (error) {
		if (error instanceof SwitchboardError && goneKinds.has(error.kind)) {
			return undefined;
		}

		throw error;
	}
}
