import {limits} from '../../source/service/http/limits.ts';

/** What callers have of a key that may do everything. */
export const plainKey = {rights: 'all', isForSsh: false, expiresAt: undefined} as const;

/** What an application needs besides a store and keys. An error that it would log fails the test. */
export const appParts = {
	logError(error: unknown): never {
		throw error;
	},
	isOwn: false,
	requestsPerMinute: undefined,
	tls: undefined,
	trustedProxies: [],
	limits,
	isReadOnly: false,
	onRequest: undefined,
	onTimer: () => undefined,
	onWrongKey: undefined,
	onKey: undefined,
	onStrangePerson: () => undefined,
} as const;
