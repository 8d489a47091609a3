import {createHash} from 'node:crypto';
import {existsSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {SwitchboardError, withoutFailing} from '../interface/errors.ts';
import {wordList} from '../interface/format-count.ts';
import {takeFileLock} from '../platform/file-lock.ts';
import {fileFailure} from '../platform/kept-file.ts';
import {
	ensurePrivateFolder,
	readPrivateFile,
	tightenFile,
	tightenFolder,
	writePrivateFile,
	writePrivateFileSoon,
} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';

/*
The prompts that are edited: each a file in a folder beside the settings, so that an unsaved text is found again. Its name has the agent, and
hashes of the account and of the prompt that the text was made from: `agent-7-0a1b2c-3d4e5f.md`. Names of earlier versions end after
the account.
*/

/** Far more than any prompt needs; a larger file is not one of ours. */
const maximumBytes = 128 * 1024 * 1024;

/** Appears in place of bytes that are not UTF-8, and between the letters of UTF-16. */
const notUtf8 = /[\0\u{FFFD}]/u;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6);

const namePattern = /^agent-(?<id>\d+)-(?<account>[\da-f]{6})(?:-(?<origin>[\da-f]{6}))?\.md$/;

const folderOf = (configFolder: string | undefined): string => path.join(configFolder ?? userFolders().config, 'prompts');

/** Tells whether this is a text that is not empty and not the original. */
export function isChanged(text: string, original: string): boolean {
	return text.trim() !== '' && text !== original;
}

type AccountFiles = {readonly account: string; readonly configFolder?: string | undefined};

type PromptFileOptions = AccountFiles & {
	readonly agentId: number;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
};

/**
Returns the file that the prompt of an agent is edited in: 0600 in a folder 0700. Its functions throw a SwitchboardError for a file that
cannot be read or written.
*/
export function promptFileOf({account, agentId, configFolder, arePathsShown = true}: PromptFileOptions) {
	const folder = folderOf(configFolder);
	const start = path.join(folder, `agent-${agentId}-${hashOf(account)}`);
	let release: (() => void) | undefined;

	const names = (): readonly string[] => namesIn(folder).filter(name => name.startsWith(path.basename(start)));

	const currentName = (): string => names().find(name => namePattern.test(name)) ?? `${path.basename(start)}.md`;

	const filePath = (): string => path.join(folder, currentName());

	const shownPath = (): string => (arePathsShown ? fromHome(filePath()) : 'your drafts');

	const failed = (verb: string, error: unknown): SwitchboardError =>
		fileFailure(`Could not ${verb} ${shownPath()}`, error, {file: filePath(), arePathsShown});

	/** The text without the line break at its end. */
	const readText = (): string | undefined => {
		try {
			const file = filePath();
			// Written by nano when it is killed. It holds the text, and nano never offers it.
			if (existsSync(`${file}.save`)) {
				renameSync(`${file}.save`, file);
			}

			return readPrivateFile(file, maximumBytes)?.replace(/\r?\n$/, '');
		} catch (error) {
			throw failed('read', error);
		}
	};

	/** Without what an editor silently adds: a byte order mark, and Windows line breaks. They stay if the original has them too. */
	const read = (original: string): string | undefined => {
		const text = readText();
		const unmarked = original.startsWith('\u{FEFF}') ? text : text?.replace(/^\u{FEFF}/u, '');
		return original.includes('\r') ? unmarked : unmarked?.replaceAll('\r\n', '\n');
	};

	const unsaved = (original: string): string | undefined => {
		const text = read(original);
		return text !== undefined && isChanged(text, original) ? text : undefined;
	};

	const isFrom = (prompt: string): boolean => namePattern.exec(currentName())?.groups?.['origin'] === hashOf(prompt);

	const lock = (): boolean => {
		try {
			ensurePrivateFolder(folder);
			release ??= takeFileLock(`${start}.lock`);
			return release !== undefined;
		} catch (error) {
			throw failed('write', error);
		}
	};

	const unlock = (): void => {
		release?.();
		release = undefined;
	};

	/** Removes the file. If another editor has opened it since, it stays. */
	const remove = (): void => {
		const isOpen = release !== undefined;
		withoutFailing(() => {
			for (const name of lock() ? names().filter(each => !each.endsWith('.lock')) : []) {
				rmSync(path.join(folder, name), {force: true});
			}

			if (!isOpen) {
				unlock();
			}
		});
	};

	return {
		path: filePath,
		/** Its path in messages, relative to the home folder (`~`) if it lies below it; where paths are not shown, a name for it. */
		shownPath,
		/** Marks the file as open in an editor. Returns false if another editor has it open now, in this process or another one. */
		lock,
		/** Marks the file as no longer open in an editor: another editor may open it now. */
		unlock,
		/**
		Prepares the file for an editor: writes a text, made from a prompt. Without one the file stays as it is, byte for byte, with its
		permissions tightened.
		*/
		open(fresh?: {readonly text: string; readonly prompt: string}): void {
			try {
				if (fresh === undefined) {
					tightenFolder(folder);
					tightenFile(filePath());
					return;
				}

				const file = `${start}-${hashOf(fresh.prompt)}.md`;
				if (existsSync(filePath())) {
					renameSync(filePath(), file);
				}

				writePrivateFile(file, asFile(fresh.text));
			} catch (error) {
				throw failed('write', error);
			}
		},
		/** Replaces the text in it, while it is edited on the screen. */
		async write(text: string): Promise<void> {
			try {
				await writePrivateFileSoon(filePath(), asFile(text));
			} catch (error) {
				throw failed('write', error);
			}
		},
		/**
		The text after editing.

		@throws SwitchboardError if there is none, or it is not UTF-8.
		*/
		edited(original: string): string {
			const text = read(original);
			if (text === undefined) {
				throw new SwitchboardError('unexpected', 'The editor left no file that can be read.');
			}

			if (notUtf8.test(text) && !notUtf8.test(original)) {
				throw new SwitchboardError('refused', 'The text is not UTF-8.');
			}

			return text;
		},
		unsaved,
		/** Tells whether the text was made from this prompt. */
		isFrom,
		/** True if it holds a changed text that no editor has open. */
		isLeft(): boolean {
			try {
				const text = readText();
				const isUnchanged = [text, read('')].some(each => each === undefined || each.trim() === '' || isFrom(each));
				return !isUnchanged && lock();
			} catch {
				return false;
			} finally {
				unlock();
			}
		},
		/** True if it holds a changed text. A file without one is removed. */
		keepsText(original: string): boolean {
			try {
				const isKept = unsaved(original) !== undefined;
				if (!isKept) {
					remove();
				}

				return isKept;
			} catch {
				return false;
			}
		},
		remove,
	};
}

function namesIn(folder: string): readonly string[] {
	// No prompt was ever edited.
	return withoutFailing(() => readdirSync(folder)) ?? [];
}

function fromHome(file: string): string {
	const relative = path.relative(homedir(), file);
	return relative.startsWith('..') || path.isAbsolute(relative) ? file : path.join('~', relative);
}

/** Editors add a missing line break at the end, which would look like a change. */
const asFile = (text: string): string => `${text}\n`;

export type PromptFile = ReturnType<typeof promptFileOf>;

/**
Says which prompts have an unsaved text, and which key edits it, or why none does; `undefined` if none has.

@param nameOf - returns the name of an agent, if it is known.
@param editKey - `undefined` where nothing may be changed.
*/
export function keptPromptsText(
	files: AccountFiles,
	nameOf: (agentId: number) => string | undefined,
	editKey: string | undefined,
): string | undefined {
	const ids = namesOf(files).flatMap(name => namePattern.exec(name)?.groups?.['id'] ?? []);
	const names = [...new Set(ids.map(Number))]
		.filter(agentId => promptFileOf({...files, agentId}).isLeft())
		.map(agentId => nameOf(agentId) ?? `#${agentId}`);
	const last = names.at(-1);
	if (last === undefined) {
		return undefined;
	}

	const [kept, it] =
		names.length === 1
			? [`Your unsaved text for the prompt of ${last} is kept.`, 'it']
			: [`Your unsaved texts for the prompts of ${wordList(names)} are kept.`, 'one of them'];
	return editKey === undefined
		? `${kept} You can go on with ${it} once changes are allowed.`
		: `${kept} On Agents, ${editKey} edits ${it} again.`;
}

/** Returns the names of the texts of an account, and of what editors leave beside them. */
const namesOf = ({account, configFolder}: AccountFiles): readonly string[] =>
	namesIn(folderOf(configFolder)).filter(name => /agent-\d+-(?<account>[\da-f]{6})/.exec(name)?.groups?.['account'] === hashOf(account));

/** Moves the texts to the new name of an account. */
export function renameKeptPrompts(files: AccountFiles, account: string): void {
	const folder = folderOf(files.configFolder);
	for (const name of namesOf(files)) {
		const newName = name.replace(/(?<=agent-\d+-)[\da-f]{6}/, hashOf(account));
		withoutFailing(() => renameSync(path.join(folder, name), path.join(folder, newName)));
	}
}

/** Removes the unsaved texts of an account, with the recovery files of editors. */
export function removePromptDrafts({account, configFolder}: AccountFiles): void {
	for (const name of namesOf({account, configFolder})) {
		withoutFailing(() => rmSync(path.join(folderOf(configFolder), name), {force: true}));
	}
}
