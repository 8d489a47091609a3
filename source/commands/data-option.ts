import path from 'node:path';
import {wrongValue} from './wrong-value.ts';

/**
The folder of `--data`, whole. An empty one, as a script's unset variable gives, would be the folder that the script runs
in, which would then be closed to everyone else.
*/
export const parseDataFolder = (text: string): string => {
	if (text === '') {
		throw wrongValue('--data', text, 'a folder');
	}

	return path.resolve(text);
};
