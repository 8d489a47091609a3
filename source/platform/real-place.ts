import {realpathSync} from 'node:fs';
import path from 'node:path';
import {isMissing} from './private-files.ts';

/** A path with all links followed; what does not exist yet is taken as it is written. */
export const realPlace = (file: string): string => {
	const resolved = path.resolve(file);
	try {
		return realpathSync(resolved);
	} catch (error) {
		if (!isMissing(error) || path.dirname(resolved) === resolved) {
			throw error;
		}

		return path.join(realPlace(path.dirname(resolved)), path.basename(resolved));
	}
};

/** True for the folder itself, too. */
export const isBeneath = (folder: string, place: string): boolean => {
	const relative = path.relative(folder, place);
	return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
};
