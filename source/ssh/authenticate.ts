import {Buffer} from 'node:buffer';
import QuickLru from 'quick-lru';
import type {AuthContext, Connection} from 'ssh2';
import {addressGroup} from '../platform/ip-address.ts';
import {fingerprintOf, readPublicKey, type AuthorizedKey} from './authorized-keys.ts';
import type {SshLog} from './ssh-log.ts';

const mostSteps = 30;

/** Counts failed attempts of each address, so that an address that tries key after key waits longer each time. */
export function createFailedTries(stepMilliseconds: number) {
	const counts = new QuickLru<string, number>({maxSize: 10_000, maxAge: 10 * 60 * 1000});
	const groupOf = (address: string): string => addressGroup(address) ?? address;
	return {
		/** Counts a failed attempt; returns the delay of its answer. */
		delayMilliseconds(address: string): number {
			const count = Math.min((counts.get(groupOf(address)) ?? 0) + 1, mostSteps);
			counts.set(groupOf(address), count);
			return count * stepMilliseconds;
		},
		forget(address: string): void {
			counts.delete(groupOf(address));
		},
	};
}

export type Authenticated = {readonly key: AuthorizedKey; readonly user: string};

type AuthenticateOptions = {
	readonly address: string;
	readonly find: (blob: Uint8Array, address: string) => AuthorizedKey | undefined;
	readonly failedTries: ReturnType<typeof createFailedTries>;
	readonly log: SshLog;
	readonly onSuccess: (authenticated: Authenticated) => void;
	readonly hangUp: () => void;
};

/** As in OpenSSH's MaxAuthTries. */
const mostFailures = 6;

/** Asking whether a key would be accepted costs little, and the answer reveals nothing. */
const mostQuestions = 40;

const methods = ['publickey'] as const;

/**
Lets a client in only if it signs with a listed key. A stranger cannot find out whether a key is listed: every key is asked for a signature,
and every signature is verified.
*/
export function authenticate(connection: Connection, {address, find, failedTries, log, onSuccess, hangUp}: AuthenticateOptions): void {
	let failures = 0;
	let questions = 0;
	let isClosed = false;
	connection.once('close', () => {
		isClosed = true;
	});

	const fail = (context: AuthContext, reason: string, blob?: Uint8Array): void => {
		failures++;
		log.refused({address, user: context.username, reason, fingerprint: blob && fingerprintOf(blob)});
		setTimeout(() => {
			if (isClosed) {
				return;
			}

			if (failures >= mostFailures) {
				hangUp();
			} else {
				context.reject([...methods]);
			}
		}, failedTries.delayMilliseconds(address));
	};

	connection.on('authentication', context => {
		questions++;
		if (questions > mostQuestions) {
			hangUp();
			return;
		}

		// The usual way to ask for the methods.
		if (context.method === 'none' && failures === 0) {
			context.reject([...methods]);
			return;
		}

		if (context.method !== 'publickey') {
			fail(context, `${context.method} is not accepted.`);
			return;
		}

		const blob = Buffer.from(context.key.data);
		const key = readPublicKey(blob);
		if (typeof key === 'string' || key.type !== context.key.algo) {
			fail(context, 'the key is of no type that is accepted.');
			return;
		}

		if (context.signature === undefined || context.blob === undefined) {
			context.accept();
			return;
		}

		const isSigned = key.verifies(context.blob, context.signature, context.hashAlgo);
		const found = find(blob, address);
		if (!isSigned || found === undefined) {
			fail(context, isSigned ? 'no line lets this key in from there.' : 'the signature is wrong.', blob);
			return;
		}

		failedTries.forget(address);
		onSuccess({key: found, user: context.username});
		context.accept();
	});
}
