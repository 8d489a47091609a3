import {randomUUID} from 'node:crypto';
import {existsSync, renameSync, rmSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {SwitchboardError} from '../../../interface/errors.ts';
import {isNoRoom} from '../../../platform/no-room.ts';
import {
	readPrivateFile,
	tightenFile,
	tightenFolder,
	writePrivateFile,
	writePrivateFileSoon,
} from '../../../platform/private-files.ts';
import {promptFileEnd, promptFolderOf} from '../../../settings/prompt-drafts.ts';
import {
	decodeOrigin,
	encodeOrigin,
	isBeingEdited,
	markOpen,
	type PromptOrigin,
	type StoredOrigin,
} from './prompt-origin.ts';

/** Far more than any prompt needs; a larger file is not one of ours. */
const maximumBytes = 128 * 1024 * 1024;

/** The file that a prompt is edited in: 0600 in a folder 0700, with the same path in every run, so that a text left in it is found again. */
export type PromptFile = {
	readonly path: string;
	/** Its path in messages, relative to the home folder (`~`) if it lies below it; where paths are not shown, a name for it. */
	readonly shownPath: string;
	/**
	The text in it, without the line break that was added at its end; `undefined` if there is none.
	@throws SwitchboardError if it cannot be read as text.
	*/
	read(): string | undefined;
	/** What the text was made from; `undefined` if that is not known. */
	origin(): StoredOrigin | undefined;
	/** What another editor that has it open now made its text from; `undefined` if none has. */
	openElsewhere(): StoredOrigin | undefined;
	/**
	Prepares it for an editor: writes a text; without one the file stays as it is, byte for byte, with its permissions tightened.
	@throws SwitchboardError if it cannot be written.
	*/
	open(text: string | undefined, origin: PromptOrigin): void;
	/**
	Replaces the text in it, while it is edited on the screen.
	@throws SwitchboardError if it cannot be written.
	*/
	write(text: string): Promise<void>;
	/** Marks it as no longer open in an editor: from now on another one may open it. */
	close(): void;
	/** True if a killed editor left a recovery file, which it offers when it opens the file again. */
	hasRecovery(): boolean;
	/** Removes it, and once its text is `saved` also the recovery files of editors. If another editor opened it since, it stays. */
	remove(isSaved?: 'saved'): void;
};

type PromptFileOptions = {
	/** Which service and account the agent belongs to. */
	readonly account: string;
	readonly agentId: number;
	readonly configFolder?: string | undefined;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
};

const fromHome = (file: string): string => {
	const relative = path.relative(homedir(), file);
	return relative.startsWith('..') || path.isAbsolute(relative) ? file : path.join('~', relative);
};

const failed = (verb: string, shownPath: string, error: unknown): SwitchboardError => {
	if (isNoRoom(error)) {
		return new SwitchboardError('no-room', `Could not ${verb} ${shownPath}: the disk is full.`, {nextStep: 'Make room on it, then try again.', cause: error});
	}

	const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
	return new SwitchboardError('unexpected', `Could not ${verb} ${shownPath}${code}.`, {cause: error});
};

/** Editors add a missing line break at the end, which would look like a change. */
const asFile = (text: string): string => `${text}\n`;

const withoutFailing = (action: () => void): void => {
	try {
		action();
	} catch {
		// The next edit overwrites it.
	}
};

/** The file for the prompt of one agent. */
export const promptFileOf = ({account, agentId, configFolder, arePathsShown = true}: PromptFileOptions): PromptFile => {
	const folder = promptFolderOf(configFolder);
	const name = `agent-${agentId}${promptFileEnd(account)}`;
	const file = path.join(folder, name);
	const originFile = `${file}.json`;
	const shownPath = arePathsShown ? fromHome(file) : 'your drafts';
	/** The recovery files of Vim and of Emacs. */
	const recoveryFiles = [path.join(folder, `.${name}.swp`), path.join(folder, `#${name}#`)];
	/** Written by nano when it is killed. It holds the text, and nano never offers it. */
	const rescuedFile = `${file}.save`;
	const editId = randomUUID();

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
		openElsewhere() {
			const origin = this.origin();
			return origin !== undefined && origin.editId !== editId && isBeingEdited(origin) ? origin : undefined;
		},
		open(text, origin) {
			try {
				markOpen(editId, true);
				writePrivateFile(originFile, encodeOrigin({...origin, processId: process.pid, editId}));
				if (text === undefined) {
					tightenFolder(folder);
					tightenFile(file);
				} else {
					writePrivateFile(file, asFile(text));
				}
			} catch (error) {
				throw failed('write', shownPath, error);
			}
		},
		async write(text) {
			try {
				await writePrivateFileSoon(file, asFile(text));
			} catch (error) {
				throw failed('write', shownPath, error);
			}
		},
		close() {
			markOpen(editId, false);
			const origin = this.origin();
			if (origin?.editId === editId) {
				withoutFailing(() => {
					writePrivateFile(originFile, encodeOrigin({...origin, processId: undefined}));
				});
			}
		},
		hasRecovery: () => recoveryFiles.some(each => existsSync(each)),
		remove(isSaved) {
			const origin = this.origin();
			if (origin !== undefined && origin.editId !== editId) {
				return;
			}

			for (const each of [file, originFile, rescuedFile, ...(isSaved === 'saved' ? recoveryFiles : [])]) {
				withoutFailing(() => {
					rmSync(each, {force: true});
				});
			}
		},
	};
};
