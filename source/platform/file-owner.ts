import {accessSync, constants, lstatSync, readFileSync, statSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {getSystemErrorMessage} from 'node:util';
import {hasErrorCode, isLink} from './private-files.ts';
import {shellWord} from './shell-word.ts';
import {isBeneath, userFolders} from './user-folders.ts';

/* The owner of a private file that cannot be used: a run as root in somebody's home leaves files there that only root can read. */

export type FileProblem = {
	/** As the end of a sentence, without its full stop. */
	readonly reason: string;
	/** The next step, if it is known; it ends with a command. */
	readonly nextStep?: string | undefined;
};

const root = 0;

/** Returns the owner of a file that is not this user's, as a number if the name is not known here. */
export function ownerName(uid: number): string {
	return uid === root ? 'root' : `another user (${usernameOf(uid)})`;
}

function usernameOf(uid: number): string {
	try {
		const line = readFileSync('/etc/passwd', 'utf8')
			.split('\n')
			.find(each => each.split(':', 3)[2] === String(uid));
		const [name = ''] = line?.split(':', 1) ?? [];
		return /^[\w\-.]+$/.test(name) ? name : String(uid);
	} catch {
		return String(uid);
	}
}

/**
Describes the owner of a file or a folder that belongs to somebody else.

@param file - the file that could not be used, which is the place or lies in it.
*/
export function foreignOwner(place: string, uid: number, file = place): FileProblem {
	const its = place === file ? 'it' : place === path.dirname(file) ? 'its folder' : `${place}, which it lies in,`;
	return {reason: `${its} belongs to ${ownerName(uid)}`, nextStep: uid === root ? takeBack(place) : undefined};
}

/** Returns how to get a folder of ours back from root. Folders above it may be used by other programs, and a link may lead anywhere. */
function takeBack(place: string): string | undefined {
	const folders = Object.values(userFolders());
	const own = folders.find(folder => isBeneath(folder, place));
	if (own !== undefined) {
		return isLink(own) ? undefined : `Take it back with: sudo chown -R ${shellWord(ownName())} ${shellWord(own)}`;
	}

	return folders.some(folder => isBeneath(place, folder)) && isBeneath(os.homedir(), place)
		? `Have ${place} given back to ${ownName()} first: other programs use it too.`
		: undefined;
}

function ownName(): string {
	try {
		return os.userInfo().username;
	} catch {
		return String(process.getuid?.());
	}
}

const permissionCodes = ['EACCES', 'EPERM'] as const;

/** SQLite says only that it has no permission, or cannot open or write a file. */
const permissionErrcodes: ReadonlySet<number> = new Set([3, 8, 14]);

/**
Explains why a private file cannot be used, and names its owner if that is the reason; other reasons are in the words of the system.

@param file - its path, which the reason does not repeat.
*/
export function explainFileError(error: unknown, file?: string): FileProblem {
	try {
		const place = file ?? pathOf(error);
		const foreign = place !== undefined && process.getuid !== undefined && isRefused(error) ? findOwner(place) : undefined;
		if (foreign !== undefined) {
			return foreign;
		}
	} catch {
		// The place has disappeared; the error itself remains.
	}

	return {reason: isRefused(error) ? 'permission denied' : systemReason(error, file)};
}

/** Returns the reason without the code and the call of the system, and with the path only if it is not that of the file itself. */
function systemReason(error: unknown, file: string | undefined): string {
	if (!(error instanceof Error)) {
		return String(error);
	}

	if (!('errno' in error) || typeof error.errno !== 'number') {
		return error.message.replace(/\.$/, '');
	}

	const words = getSystemErrorMessage(error.errno) ?? error.message;
	const at = pathOf(error);
	// A failed write has no path. A new file is written beside the one that it replaces, with a longer name.
	return at === undefined || (file !== undefined && at.startsWith(file)) ? words : `${words}: ${at}`;
}

const pathOf = (error: unknown): string | undefined =>
	error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;

const isRefused = (error: unknown): boolean =>
	hasErrorCode(error, ...permissionCodes) ||
	// eslint-disable-next-line no-bitwise -- The last byte is the code; the others have more detail.
	(error instanceof Error && 'errcode' in error && permissionErrcodes.has(Number(error.errcode) & 0xff));

/** Finds the owner of the file or folder that is in the way; `undefined` if it is this user. */
function findOwner(file: string): FileProblem | undefined {
	const seen = nearest(path.resolve(file));
	const places = lstatSync(seen).isDirectory() ? [seen] : [seen, path.dirname(seen)];
	for (const place of places) {
		const {uid} = statSync(place);
		if (uid !== process.getuid?.() && !isUsable(place)) {
			return foreignOwner(place, uid, path.resolve(file));
		}
	}

	return undefined;
}

/** Returns the file, or the nearest folder above it that is visible. */
function nearest(file: string): string {
	try {
		lstatSync(file);
		return file;
	} catch {
		return path.dirname(file) === file ? file : nearest(path.dirname(file));
	}
}

function isUsable(place: string): boolean {
	try {
		// eslint-disable-next-line no-bitwise -- Modes are made of bits.
		accessSync(place, constants.R_OK | constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/**
Returns a warning about a run as root in somebody else's home, as with `sudo` where it keeps `HOME`.

@returns sentences; `undefined` for any other run.
*/
export function describeForeignHome(): string | undefined {
	const home = os.homedir();
	const owner = process.getuid?.() === root ? (statSync(home, {throwIfNoEntry: false})?.uid ?? root) : root;
	if (owner === root) {
		return undefined;
	}

	const name = usernameOf(owner);
	return `Warning: this runs as root with the home folder of ${name}. Files that it writes there belong to root, and ${name} cannot use them. Run it without sudo, or with “sudo -H” to work as root.`;
}
