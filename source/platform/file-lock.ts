import {lstatSync, rmSync, truncateSync} from 'node:fs';
import process from 'node:process';
import type {DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import {createPrivateFile} from './private-files.ts';

/*
A lock of the operating system on a file, taken through SQLite, because Node.js has no other way. It ends with the process that holds it, so
no lock is left behind, and none is taken from a process that still runs.
*/

/** SQLite's result codes (https://sqlite.org/rescode.html). The second means that the file was emptied while it was read. */
const heldCodes: ReadonlySet<unknown> = new Set([5, 522]);
const notADatabaseCode = 26;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'errcode' in error ? error.errcode : undefined);

/** Names the file itself rather than its path. */
const identityOf = (file: string): number | undefined => lstatSync(file, {throwIfNoEntry: false})?.ino;

/** Refuses a link: SQLite would follow it, and create a file at the end of a dangling one. */
function refuseLink(lockFile: string): void {
	if (!(lstatSync(lockFile, {throwIfNoEntry: false})?.isFile() ?? true)) {
		throw new Error(`${lockFile} is not a regular file; remove it`);
	}
}

/**
Takes the lock if it is free.

@returns the open database, which holds the lock until it is closed; `undefined` if another process has it, or had it until now.
*/
function tryLock(Database: typeof DatabaseSync, lockFile: string): DatabaseSync | undefined {
	createPrivateFile(lockFile);
	refuseLink(lockFile);
	const identity = identityOf(lockFile);
	// The last holder removes the file: a lock on an unlinked file is useless, and SQLite may fail in any way on it.
	const isInPlace = (): boolean => identity !== undefined && identity === identityOf(lockFile);
	const lock = new Database(lockFile, {timeout: 0});
	let isTaken = false;
	try {
		// Nothing is ever written: a journal would be a second file, and the lock would not work on a full disk.
		lock.exec('pragma journal_mode = memory; begin exclusive');
		isTaken = isInPlace();
	} catch (error) {
		if (isInPlace() && codeOf(error) === notADatabaseCode) {
			// Another program wrote to it, so nobody holds it.
			truncateSync(lockFile);
		} else if (isInPlace() && !heldCodes.has(codeOf(error))) {
			throw error;
		}
	} finally {
		if (!isTaken) {
			lock.close();
		}
	}

	return isTaken ? lock : undefined;
}

/**
Takes a lock if it is free.

@param lockFile - a file that exists while the lock is held; its folder must exist.
@returns how to give it back; `undefined` if another process, or another part of this one, has it.
@throws an error of the file system or SQLite if it cannot be taken.
*/
export function takeFileLock(lockFile: string): (() => void) | undefined {
	// Loaded here: reading settings at every start needs no lock.
	const {DatabaseSync: Database} = process.getBuiltinModule('node:sqlite');
	// The first try may only have emptied the file.
	const lock = tryLock(Database, lockFile) ?? tryLock(Database, lockFile);
	return (
		lock &&
		(() => {
			try {
				rmSync(lockFile, {force: true});
			} finally {
				lock.close();
			}
		})
	);
}

/**
Runs the action while no other process of this program holds the same lock, so that the data it read is still current.

@param patienceMilliseconds - far longer than any holder needs: a process that still has the lock was stopped (SIGSTOP), and may continue at
any time.
@throws an error if the lock cannot be taken: from the file system or SQLite, or because its holder was stopped.
*/
export async function withFileLock(lockFile: string, action: () => void, patienceMilliseconds = 5000): Promise<void> {
	const deadline = performance.now() + patienceMilliseconds;
	let release = takeFileLock(lockFile);
	while (release === undefined) {
		if (performance.now() > deadline) {
			throw new Error(`another process has held ${lockFile} for too long`);
		}

		await delay(15);
		release = takeFileLock(lockFile);
	}

	try {
		action();
	} finally {
		release();
	}
}
