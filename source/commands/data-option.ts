import path from 'node:path';
import {wrongValue} from './wrong-value.ts';

/**
The absolute path of `--data`. An empty value, such as a script's unset variable, would mean the working folder, which the
service would then make private.
*/
export const parseDataFolder = (text: string): string => {
	if (text === '') {
		throw wrongValue('--data', text, 'a folder');
	}

	return path.resolve(text);
};

/** The option of the commands that work on the data of a service. */
export const dataOption = ['--data <folder>', 'the data folder of the service (default: the one that serve uses)', parseDataFolder] as const;
