import process from 'node:process';
import {formatBytes} from '../interface/ability-package/limits.ts';
import {type ErrorDetails, type ErrorKind, reasonOf, SwitchboardError} from '../interface/errors.ts';
import {describeEnd} from '../interface/key-rights.ts';

/**
Why the database cannot be used, or not be written. `busy` means that another program locked it for longer than a verb waits, `unreachable`
that nothing was changed, `unknown-outcome` that a change may or may not be stored: the connection was lost before the answer. `newer`
means that a newer program has changed the schema meanwhile: this one would write what does not fit it. `clock-behind` means that no time can
be counted from now.
*/
export type Trouble = 'busy' | 'no-room' | 'damaged' | 'moved' | 'unreachable' | 'unknown-outcome' | 'newer' | 'clock-behind';

const kinds: Readonly<Partial<Record<Trouble, ErrorKind>>> = {
	'no-room': 'no-room',
	unreachable: 'unreachable',
	'unknown-outcome': 'unreachable',
	newer: 'server-error',
	'clock-behind': 'server-error',
};

/** An error for the operator of the service: its words name files, so they are not for its clients. */
export class StoreFailure extends SwitchboardError {
	readonly trouble: Trouble;

	constructor(trouble: Trouble, message: string, details: ErrorDetails) {
		super(kinds[trouble] ?? 'unexpected', message, details);
		this.trouble = trouble;
	}
}

/** Tells whether an error is that trouble, or any. */
export function isTrouble(error: unknown, trouble?: Trouble): boolean {
	return error instanceof StoreFailure && (trouble ?? error.trouble) === error.trouble;
}

export function busy(database: string, cause?: unknown): StoreFailure {
	return new StoreFailure('busy', `The database ${database} is in use by another program.`, {nextStep: 'Try again in a moment.', cause});
}

export function noRoomFor(file: string, cause: unknown): StoreFailure {
	return new StoreFailure('no-room', `The disk is full, so ${file} cannot be written: ${reasonOf(cause)}.`, {
		nextStep: 'Make room on it.',
		cause,
	});
}

export function damaged(file: string, cause: unknown): StoreFailure {
	return new StoreFailure('damaged', `The database ${file} is damaged.`, {
		nextStep:
			'Restore it from a backup. First stop what uses it, without kill -9, and run “switchboard check”: a process may hold what is missing here. To start over, use another data folder.',
		cause,
	});
}

/** @param isDatabase - false for a file beside it. */
export function moved(file: string, isDatabase: boolean): StoreFailure {
	return new StoreFailure('moved', `${file} was deleted or replaced while it was in use, so nothing is read or stored any more.`, {
		nextStep: isDatabase
			? `Put it back where you can, then start the service again. Until the process ${process.pid} ends, a deleted one can be copied from there on Linux: ls -l /proc/${process.pid}/fd`
			: `Delete and restore nothing. End the process ${process.pid} as usual, not with kill -9: what it has stored is kept. Then start the service again.`,
	});
}

/**
Returns the error for a process that ends after that.

@param isSaved - true if a log that was deleted was moved into the database.
*/
export function movedAtEnd({message}: StoreFailure, isSaved: boolean): StoreFailure {
	return new StoreFailure('moved', isSaved ? `${message} What the log held is in the database now.` : message, {
		nextStep: 'If the database itself was moved away, put it back. Then start the service again.',
	});
}

const findIt = 'Check its host and port, and that PostgreSQL runs there.';

export function unreachable(database: string, cause: unknown, nextStep = findIt): StoreFailure {
	return new StoreFailure('unreachable', `The database ${database} cannot be used: ${reasonOf(cause)}.`, {nextStep, cause});
}

export function unknownOutcome(database: string, cause: unknown): StoreFailure {
	return new StoreFailure(
		'unknown-outcome',
		`The connection to the database ${database} was lost while a change was stored, so it may or may not be there: ${reasonOf(cause)}.`,
		{cause, isOutcomeUnknown: true},
	);
}

/**
@param version - of the database, as it is now.
@param known - the newest one that this program knows.
@throws StoreFailure `newer`
*/
export function refuseNewerSchema(database: string, version: number, known: number): void {
	if (version > known) {
		throw new StoreFailure(
			'newer',
			`The database ${database} is of a newer version by now: it has version ${version}, this process was started for ${known}. Nothing more is changed by it.`,
			{nextStep: 'Restart it with the newer Switchboard.'},
		);
	}
}

/** @param newest - the time of the newest change. */
export function clockBehind(newest: string): StoreFailure {
	const message = `The clock of this machine is earlier than the newest change, of ${newest}. Until then no timer is set or done.`;
	return new StoreFailure('clock-behind', message, {nextStep: 'Set the clock.'});
}

/** Returns the same error for what does not exist and for what belongs to another account. */
export function notFound(what: string, id: number): SwitchboardError {
	return new SwitchboardError('not-found', `There is no ${what} with the id ${id}.`);
}

/** Returns the error for an account that was removed while the request was under way. */
export function accountGone(): SwitchboardError {
	return new SwitchboardError('key-refused', 'The account of this key was deleted.');
}

export function quotaExceeded(quotaBytes: number): SwitchboardError {
	return new SwitchboardError('quota', `This would take the account over its limit of ${formatBytes(quotaBytes)}. Nothing was changed.`);
}

/** Returns the same error for a key that never was one of this service and for a key that was revoked. */
export function keyRefused(): SwitchboardError {
	return new SwitchboardError('key-refused', 'It is not a key of this service.', {
		nextStep: 'Make a new one with: switchboard keys create',
	});
}

/** Returns the error for one who has a key that has ended. */
export function keyEnded(name: string, at: string): SwitchboardError {
	return new SwitchboardError('key-refused', describeEnd(name, at), {nextStep: 'Make a new one with: switchboard keys create'});
}

export function nameTaken(name: string): SwitchboardError {
	// `openhome-cli` recognizes this error by the words “same name”.
	return new SwitchboardError('conflict', `There is already an ability with the same name, “${name}”.`, {
		nextStep: 'Choose another name, or release a new version of it.',
		field: 'name',
	});
}
