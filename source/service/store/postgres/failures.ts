import {reasonOf, SwitchboardError} from '../../../interface/errors.ts';
import {busy, damaged, noRoomFor, unreachable} from '../../store-errors.ts';

/**
The connection was lost, or could not be made. A statement on it may have been executed, but a transaction without its commit was not.
*/
class ConnectionLostError extends Error {
	override readonly name = 'ConnectionLostError';
}

const certificateCode = /^(?:CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|SELF_SIGNED_|UNABLE_TO_)/;

const certificateRemedies: Readonly<Record<string, string>> = {
	ERR_TLS_CERT_ALTNAME_INVALID: 'Use the name that its certificate is for.',
	CERT_HAS_EXPIRED: 'Renew its certificate; check the clock of this machine too.',
};

const wrongPassword = 'Check the user and the password: in SWITCHBOARD_DATABASE_URL, or in the file that PGPASSFILE names.';

/** The code of an error that PostgreSQL answers (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const stateOf = (error: unknown): string => (error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : '');

type Failure = (database: string, error: unknown) => unknown;

const refusedWith =
	(remedy: string): Failure =>
	(database, error) =>
		unreachable(database, error, remedy);

const serverAnswers = 'Try again in a moment; the log of the server may say more.';

/** The server goes down, comes up, or has no room for another connection. */
const away = refusedWith(serverAnswers);

/** A transaction was given up so that another one could go on. */
const givenUp: Failure = (database, error) => busy(database, error);

/** It is a standby, or was made read-only. */
const readOnly = refusedWith('It is read-only: a standby, or made so by its operator. Name the primary, or make it writable.');

const tableIsMissing = refusedWith('A table or the schema “switchboard” is missing. Restore it from a backup.');

/** The meaning of each code, or class of codes, for the store. */
const failures: Readonly<Partial<Record<string, Failure>>> = {
	'08': away,
	25_006: readOnly,
	'25P03': away,
	28: refusedWith(wrongPassword),
	'3D000': refusedWith('Create it, as with createdb, or name another one.'),
	'3F000': tableIsMissing,
	40_001: givenUp,
	'40P01': givenUp,
	42_501: refusedWith(
		'Give its user the rights to create the schema “switchboard”, and to read and change its tables: a user that owns the database and the schema has them.',
	),
	'42P01': tableIsMissing,
	53_100: noRoomFor,
	53_300: away,
	'55P03': busy,
	57_014: busy,
	'57P01': away,
	'57P02': away,
	'57P03': away,
	'57P05': away,
	XX001: damaged,
	XX002: damaged,
};

function findFailure(error: unknown): Failure | undefined {
	const state = stateOf(error);
	return failures[state] ?? failures[state.slice(0, 2)];
}

/** Tells whether the database is away: another connection may find it again. */
export function isAway(error: unknown): boolean {
	return error instanceof ConnectionLostError ? findLastingFault(error) === undefined : findFailure(error) === away;
}

/** Tells whether the same again may do. */
export function isPassing(error: unknown): boolean {
	return isAway(error) || findFailure(error) === givenUp;
}

/** Tells whether the database takes no changes. */
export function isReadOnly(error: unknown): boolean {
	return findFailure(error) === readOnly;
}

/**
Returns the store's error in place of one of PostgreSQL's; anything else stays as it is.

@param database - as it may be shown.
*/
export function toStoreError(error: unknown, database: string): unknown {
	if (error instanceof ConnectionLostError) {
		const {reason = error, nextStep} = findLastingFault(error) ?? {};
		return unreachable(database, reason, nextStep);
	}

	return findFailure(error)?.(database, error) ?? error;
}

/** Returns the reason, if waiting does not remove it, why a connection was lost or not made. */
function findLastingFault(error: ConnectionLostError): {readonly reason: unknown; readonly nextStep: string} | undefined {
	// `pg` has its own words where the server wants a password that it does not have, and where the server has no TLS.
	if (error.message.includes('client password must be a string')) {
		return {reason: new Error('it wants a password', {cause: error}), nextStep: wrongPassword};
	}

	if (error.message.includes('does not support SSL connections')) {
		return {
			reason: new Error('it does not offer TLS', {cause: error}),
			nextStep: 'Enable TLS there, or put sslmode=disable into the URL for plain text, which others on the way can read.',
		};
	}

	const code = (error.cause as {readonly code?: unknown} | undefined)?.code;
	return typeof code === 'string' && certificateCode.test(code)
		? {
				reason: error,
				nextStep: certificateRemedies[code] ?? 'Name the file of the authority that signed its certificate: sslrootcert=FILE in the URL.',
			}
		: undefined;
}

/** Returns the store's error for a database that cannot be opened, for whichever reason. */
export function toOpenError(error: unknown, database: string): SwitchboardError {
	const known = toStoreError(error, database);
	return known instanceof SwitchboardError ? known : unreachable(database, error, stateOf(error) === '' ? undefined : serverAnswers);
}

/** Returns an error of `pg`: an answer of the server and our own refusal as they are, and anything else as a lost connection. */
export function asAnswer(error: unknown): unknown {
	return stateOf(error) !== '' || error instanceof SwitchboardError ? error : new ConnectionLostError(describeLoss(error), {cause: error});
}

/** The messages of `pg` about a connection, which have no code. */
const lossesByMessage: Readonly<Record<string, string>> = {
	'timeout expired': 'it does not answer',
	'timeout exceeded when trying to connect': 'it does not answer',
	'Connection terminated due to connection timeout': 'it does not answer',
	'Query read timeout': 'it does not answer any more',
	'Connection terminated unexpectedly': 'the connection was closed',
	'Connection terminated': 'the connection was closed',
	'Client has encountered a connection error and is not queryable': 'the connection was closed',
};

/** An error of Node.js about a connection to a port, to a socket, or to a name. */
type ConnectError = Error & {readonly code?: string; readonly address?: string; readonly port?: number; readonly hostname?: string};

/** Returns the reason for a lost connection, as a clause that names the place which did not answer. */
function describeLoss(error: unknown): string {
	// A name may have several addresses, and each was tried.
	const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
	const {code = '', address = '', port, hostname = ''} = first as ConnectError;
	const place = port === undefined ? address : `port ${port} of ${address}`;
	const lossesByCode: Readonly<Record<string, string>> = {
		ECONNREFUSED: `nothing listens on ${place}`,
		ENOENT: `there is no socket ${place}`,
		EACCES: `permission denied for ${place}`,
		ENOTFOUND: `there is no host ${hostname}`,
		EAI_AGAIN: `the name of the host ${hostname} cannot be looked up now`,
		EHOSTUNREACH: `there is no way to ${place}`,
		ENETUNREACH: `there is no way to ${place}`,
		ETIMEDOUT: 'it does not answer',
		ECONNRESET: 'the connection was closed',
		EPIPE: 'the connection was closed',
	};
	return [lossesByCode[code], lossesByMessage[reasonOf(first)], reasonOf(first), code, 'no connection'].find(Boolean)!;
}
