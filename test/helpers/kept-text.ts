import {existsSync, path, readdirSync, readFileSync} from './node.ts';
import type {IsolatedHome} from './isolated-home.ts';

/** Where the prompts of a home lie that are edited, or were not saved. */
export function promptFolderOf({env}: IsolatedHome): string {
	return path.join(env['XDG_CONFIG_HOME']!, 'switchboard', 'prompts');
}

/** The file of the prompt that is kept in a folder; `undefined` if there is none. */
export function keptFileIn(folder: string): string | undefined {
	const name = existsSync(folder) ? readdirSync(folder).find(each => each.endsWith('.md')) : undefined;
	return name === undefined ? undefined : path.join(folder, name);
}

export function keptTextIn(folder: string): string | undefined {
	const file = keptFileIn(folder);
	return file === undefined ? undefined : readFileSync(file, 'utf8');
}
