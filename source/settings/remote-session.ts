import {type StandardStreams} from '../platform/standard-streams.ts';

/** Someone who came over SSH: who they are, what they may do, and their side of the line. */
export type RemoteSession = {
	/** The fingerprint of their public key, as OpenSSH prints it: `SHA256:…`. */
	readonly fingerprint: string;
	/** The stored profile that they get. They can choose no other. */
	readonly profileName: string;
	readonly isReadOnly: boolean;
	/** `TERM` and what else they sent of `LANG`, `LC_*`, `NO_COLOR` and `COLORTERM`; nothing of this process's environment. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly streams: StandardStreams;
	/** Aborted with a `SwitchboardError` when the session has to end: `hangup`, `interrupted`, `terminated` or another reason to tell. */
	readonly signal: AbortSignal;
};
