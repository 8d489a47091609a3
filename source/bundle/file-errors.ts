import {SwitchboardError} from '../interface/errors.ts';
import {isMissing} from '../platform/private-files.ts';
import {quotePath} from '../interface/ability-package/limits.ts';

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'does not exist',
	ENOTDIR: 'does not exist',
	EACCES: 'cannot be read: permission denied',
	EPERM: 'cannot be read: permission denied',
	EROFS: 'cannot be read: the disk is read-only',
	ELOOP: 'is a symbolic link, or part of a loop of links',
	ENAMETOOLONG: 'has a name that is too long',
	EISDIR: 'is a folder',
};

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Returns the reason why a local file cannot be read, as a clause that follows its name. */
export function unreadableText(error: unknown): string {
	return reasons[codeOf(error)] ?? `cannot be read (${codeOf(error) || 'unknown reason'})`;
}

/** Returns the reason why a local file cannot be written. */
export function writeProblem(error: unknown): string {
	return isMissing(error) ? 'cannot be written: its folder does not exist' : unreadableText(error).replace('read', 'written');
}

/**
Returns the error for a local file that cannot be read, as a refusal of the input with its path.

@param field - the field of the upload that the file is for.
*/
export function fileError(error: unknown, path: string, field: string): SwitchboardError {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const reason = unreadableText(error);
	return new SwitchboardError('refused', `${quotePath(path)} ${reason}.`, {
		field,
		cause: error,
		nextStep: reason === 'does not exist' ? 'Check the path.' : 'Make it readable, or leave it out.',
	});
}
