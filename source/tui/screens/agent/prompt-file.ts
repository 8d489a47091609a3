import {createHash} from 'node:crypto';
import {existsSync, renameSync, rmSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {SwitchboardError} from '../../../interface/errors.ts';
import {userFolders} from '../../../platform/user-folders.ts';
import {
	readPrivateFile,
	tightenFile,
	tightenFolder,
	writePrivateFile,
} from '../../../platform/private-files.ts';
import {
	decodeOrigin,
	encodeOrigin,
	type PromptOrigin,
	type StoredOrigin,
} from './prompt-origin.ts';

/** Far more than any prompt; a larger file is something else that was put in its place. */
const maximumBytes = 8 * 1024 * 1024;

/** The file that a prompt is edited in: 0600 in a folder 0700, the same at each run, so that a text left in it is found again. */
export type PromptFile = {
	readonly path: string;
	/** Its path as it is said: from the home folder where it lies below it. */
	readonly shownPath: string;
	/**
	The text in it, without the line break that was added at its end; `undefined` where there is none.
	@throws SwitchboardError where it cannot be read as text.
	*/
	read(): string | undefined;
	/** Which agent the text is for and what it was made from; `undefined` where that is not known. */
	origin(): StoredOrigin | undefined;
	/**
	Opens it for an editor: puts a text into it; without one what is there stays, byte for byte, and is closed to others.
	@throws SwitchboardError where it cannot be written.
	*/
	open(text: string | undefined, origin: PromptOrigin): void;
	/** The editor is closed: who starts meanwhile may offer what is in it. */
	close(): void;
	/** True where an editor that was ended has left what was typed in a file of its own, which it offers when it is opened again. */
	hasRecovery(): boolean;
	/** Removes it; once its text is `saved`, also what an editor has left beside it. */
	remove(isSaved?: 'saved'): void;
};

export type PromptFileOptions = {
	/** Which service and account the agent belongs to. */
	readonly account: string;
	readonly agentId: number;
	readonly configFolder?: string | undefined;
};

const fromHome = (file: string): string => {
	const relative = path.relative(homedir(), file);
	return relative.startsWith('..') || path.isAbsolute(relative) ? file : path.join('~', relative);
};

const failed = (verb: string, shownPath: string, error: unknown): SwitchboardError => {
	const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
	return new SwitchboardError('unexpected', `${shownPath} cannot be ${verb}${code}.`, {cause: error});
};

/** Where prompts are edited: a folder of their own beside the settings. */
export const promptFolderOf = (configFolder: string | undefined): string => path.join(configFolder ?? userFolders().config, 'prompts');

/** What the names of an account's files end in. */
export const promptFileEnd = (account: string): string => `-${createHash('sha256').update(account).digest('hex').slice(0, 6)}.md`;

const withoutFailing = (action: () => void): void => {
	try {
		action();
	} catch {
		// The next edit writes over it.
	}
};

/** The file for the prompt of one agent. */
export const promptFileOf = ({account, agentId, configFolder}: PromptFileOptions): PromptFile => {
	const folder = promptFolderOf(configFolder);
	const name = `agent-${agentId}${promptFileEnd(account)}`;
	const file = path.join(folder, name);
	const originFile = `${file}.json`;
	const shownPath = fromHome(file);
	/** Of Vim, and of Emacs. */
	const recoveryFiles = [path.join(folder, `.${name}.swp`), path.join(folder, `#${name}#`)];
	/** What nano leaves when it is told to end: the text itself, which it never asks for again. */
	const rescuedFile = `${file}.save`;

	return {
		path: file,
		shownPath,
		read() {
			try {
				if (existsSync(rescuedFile)) {
					renameSync(rescuedFile, file);
				}

				return readPrivateFile(file, maximumBytes)?.replace(/\r?\n$/, '');
			} catch (error) {
				throw failed('read', shownPath, error);
			}
		},
		origin() {
			try {
				return decodeOrigin(readPrivateFile(originFile, 2 * maximumBytes) ?? '');
			} catch {
				return undefined;
			}
		},
		open(text, origin) {
			try {
				writePrivateFile(originFile, encodeOrigin({...origin, processId: process.pid}));
				if (text === undefined) {
					tightenFolder(folder);
					tightenFile(file);
				} else {
					// Editors want a line break at the end, and add it where it is missing: that is no change of the person's.
					writePrivateFile(file, `${text}\n`);
				}
			} catch (error) {
				throw failed('written', shownPath, error);
			}
		},
		close() {
			const origin = this.origin();
			if (origin !== undefined) {
				withoutFailing(() => {
					writePrivateFile(originFile, encodeOrigin({...origin, processId: undefined}));
				});
			}
		},
		hasRecovery: () => recoveryFiles.some(each => existsSync(each)),
		remove(isSaved) {
			for (const each of [file, originFile, rescuedFile, ...(isSaved === 'saved' ? recoveryFiles : [])]) {
				withoutFailing(() => {
					rmSync(each, {force: true});
				});
			}
		},
	};
};
