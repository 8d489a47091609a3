import {reasonOf, SwitchboardError} from '../../../interface/errors.ts';
import {
	damaged,
	noRoomFor,
	StoreBusyError,
	unreachable,
} from '../store-errors.ts';

/** The connection was lost, or could not be made. What was asked on it may have been done, but a transaction without its commit was not. */
export class ConnectionLostError extends Error {
	override readonly name = 'ConnectionLostError';
}

/** The code of an error that PostgreSQL answers (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const stateOf = (error: unknown): string =>
	error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : '';

/** The server goes down, comes up, or has no room for another connection. */
const passing = new Set(['25P03', '53300', '57P01', '57P02', '57P03', '57P05']);

/** The server wants a password and `pg` has none, which it says in its own words. */
const lacksPassword = (error: unknown): boolean => error instanceof ConnectionLostError && error.message.includes('client password must be a string');

/** The server has no TLS, which `pg` says in its own words. */
const lacksTls = (error: unknown): boolean => error instanceof ConnectionLostError && error.message.includes('does not support SSL connections');

/** The code of Node.js or OpenSSL for a certificate that is not valid; `undefined` for another error. */
const certificateFault = (error: unknown): string | undefined => {
	const code = error instanceof ConnectionLostError ? (error.cause as {readonly code?: unknown} | undefined)?.code : undefined;
	return typeof code === 'string' && /^(?:CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|SELF_SIGNED_|UNABLE_TO_)/.test(code) ? code : undefined;
};

/** Waiting does not help against it. */
const isLasting = (error: unknown): boolean => lacksPassword(error) || lacksTls(error) || certificateFault(error) !== undefined;

const certificateRemedies: Readonly<Record<string, string>> = {
	ERR_TLS_CERT_ALTNAME_INVALID: 'Use the name that its certificate is for.',
	CERT_HAS_EXPIRED: 'Renew its certificate; check the clock of this machine too.',
};

/** True if the database is away: another connection may find it again. */
export const isAway = (error: unknown): boolean => !isLasting(error)
	&& (error instanceof ConnectionLostError || passing.has(stateOf(error)) || stateOf(error).startsWith('08'));

/** True if the database takes no changes: it is a standby, or was made read-only. */
export const isReadOnly = (error: unknown): boolean => stateOf(error) === '25006';

/** True if a transaction was given up so that another one could go on: the same again may do. */
export const isGivenUp = (error: unknown): boolean => stateOf(error) === '40001' || stateOf(error) === '40P01';

/** What to do where the database refuses this service; `undefined` if it does not. */
const remedyFor = (state: string): string | undefined => {
	if (state.startsWith('28')) {
		return 'Check the user and the password: in SWITCHBOARD_DATABASE_URL, or in the file that PGPASSFILE names.';
	}

	switch (state) {
		case '25006': {
			return 'It is read-only: a standby, or made so by its operator. Name the primary, or make it writable.';
		}

		case '3F000':
		case '42P01': {
			return 'A table or the schema “switchboard” is missing. Restore it from a backup.';
		}

		case '3D000': {
			return 'Create it, as with createdb, or name another one.';
		}

		case '42501': {
			return 'Give its user the right to create and use the schema “switchboard” there: a user that owns the database has it.';
		}

		default: {
			return undefined;
		}
	}
};

/**
What the store says in place of an error of PostgreSQL's; anything else stays as it is.

@param database - as it may be shown.
*/
export const toStoreError = (error: unknown, database: string): unknown => {
	if (isAway(error)) {
		return unreachable(database, error);
	}

	if (lacksPassword(error)) {
		return unreachable(database, new Error('it wants a password', {cause: error}), remedyFor('28P01'));
	}

	if (lacksTls(error)) {
		return unreachable(database, new Error('it does not offer TLS', {cause: error}), 'Turn TLS on there, or put sslmode=disable into the URL for plain text, which others on the way can read.');
	}

	const fault = certificateFault(error);
	if (fault !== undefined) {
		return unreachable(database, error, certificateRemedies[fault] ?? 'Name the file of the authority that signed its certificate: sslrootcert=FILE in the URL.');
	}

	const state = stateOf(error);
	const remedy = remedyFor(state);
	if (remedy !== undefined) {
		return unreachable(database, error, remedy);
	}

	switch (state) {
		case '40001':
		case '40P01':
		case '55P03':
		case '57014': {
			return new StoreBusyError('The database took too long.', {cause: error});
		}

		case '53100': {
			return noRoomFor(database, error);
		}

		case 'XX001':
		case 'XX002': {
			return damaged(database, error);
		}

		default: {
			return error;
		}
	}
};

/** What Node.js says of several addresses that were tried has a code and no message. */
const describeLoss = (error: unknown): string => {
	const {code} = error as {readonly code?: unknown};
	return reasonOf(error) || (typeof code === 'string' ? code : 'no connection');
};

/** An error of `pg`: an answer of the server and our own refusal as they are, and anything else as what it means, a lost connection. */
export const asAnswer = (error: unknown): unknown =>
	stateOf(error) === '' && !(error instanceof SwitchboardError) ? new ConnectionLostError(describeLoss(error), {cause: error}) : error;
