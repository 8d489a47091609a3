import {SwitchboardError} from '../interface/errors.ts';
import {quotePath} from '../interface/ability-package/refusals.ts';

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'is not there',
	ENOTDIR: 'is not there',
	EACCES: 'may not be read by you',
	EPERM: 'may not be read by you',
	ELOOP: 'is a symbolic link, or one that leads round in a circle',
	ENAMETOOLONG: 'has too long a name',
	EISDIR: 'is a folder',
};

const codeOf = (error: unknown): string => error instanceof Error && 'code' in error ? String(error.code) : '';

/** What is wrong with a file of this machine, as a clause that follows its name. */
export const fileProblem = (error: unknown): string => reasons[codeOf(error)] ?? `cannot be read (${codeOf(error) || 'no reason given'})`;

/**
What went wrong with a file of this machine, as a refusal of the input that named it.

@param field - the field of the upload that the file was meant for.
*/
export const fileError = (error: unknown, path: string, field: string): SwitchboardError => {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const reason = fileProblem(error);
	return new SwitchboardError('refused', `${quotePath(path)} ${reason}.`, {
		field,
		cause: error,
		nextStep: reason === 'is not there' ? 'Check the path.' : 'Make it a file that you can read, or leave it out.',
	});
};
