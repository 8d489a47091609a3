import process from 'node:process';
import path from 'node:path';
import {randomUUID} from 'node:crypto';
import {existsSync, renameSync, rmSync, readdirSync} from 'node:fs';
import {homedir} from 'node:os';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject} from '../interface/json.ts';
import {
	hasErrorCode,
	isNoRoom,
	readPrivateFile,
	tightenFile,
	tightenFolder,
	writePrivateFile,
	writePrivateFileSoon,
} from '../platform/private-files.ts';
import {promptFileEnd, promptFolderOf} from './account.ts';
import {fileProblem} from '../platform/kept-file.ts';

/** The edits that are open in this process, which many share over SSH. */
const openEdits = new Set<string>();

const maximumNameLength = 200;

/** The format of the file beside a text. */
const version = 1;

/** Far more than any prompt needs; a larger file is not one of ours. */
const maximumBytes = 128 * 1024 * 1024;

/** Appears in place of bytes that are not UTF-8, and between the letters of UTF-16. */
const notUtf8 = /[\0\u{FFFD}]/u;

/** Tells whether this is a text that is not empty and not the original. */
export function isChanged(text: string, original: string): boolean {
	return text.trim() !== '' && text !== original;
}

type PromptFileOptions = {
	readonly account: string;
	readonly agentId: number;
	readonly configFolder?: string | undefined;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
};

/** The prompt that a text was made from. It is stored beside the text, and as long. */
type PromptOrigin = {
	readonly agentName: string;
	/** The prompt on the service at that time; `undefined` if the service doesn't show it. */
	readonly prompt: string | undefined;
};

type StoredOrigin = PromptOrigin & {readonly processId: number | undefined; readonly editId: string | undefined};

/**
Returns the file that the prompt of an agent is edited in: 0600 in a folder 0700, with the same path in every run, so that an unsaved text
is found again. Its functions throw a SwitchboardError for a file that cannot be read or written.
*/
export function promptFileOf({account, agentId, configFolder, arePathsShown = true}: PromptFileOptions) {
	const folder = promptFolderOf(configFolder);
	const file = path.join(folder, `agent-${agentId}${promptFileEnd(account)}`);
	const originFile = `${file}.json`;
	const shownPath = arePathsShown ? fromHome(file) : 'your drafts';
	/** Written by nano when it is killed. It holds the text, and nano never offers it. */
	const rescuedFile = `${file}.save`;
	const ownEditId = randomUUID();

	const origin = (): StoredOrigin | undefined => {
		try {
			return decodeOrigin(readPrivateFile(originFile, 2 * maximumBytes) ?? '');
		} catch {
			return undefined;
		}
	};

	const writeOrigin = (stored: StoredOrigin): void => writePrivateFile(originFile, JSON.stringify({version, ...stored}));

	/**
	The text without the line break at its end, and without what an editor silently adds: a byte order mark, and Windows line
	breaks. They stay if the original has them too.
	*/
	const read = (original: string): string | undefined => {
		try {
			if (existsSync(rescuedFile)) {
				renameSync(rescuedFile, file);
			}

			const text = readPrivateFile(file, maximumBytes)?.replace(/\r?\n$/, '');
			const unmarked = original.startsWith('\u{FEFF}') ? text : text?.replace(/^\u{FEFF}/u, '');
			return original.includes('\r') ? unmarked : unmarked?.replaceAll('\r\n', '\n');
		} catch (error) {
			throw failed('read', {file, shownPath, arePathsShown}, error);
		}
	};

	const unsaved = (original: string): string | undefined => {
		const text = read(original);
		return text !== undefined && isChanged(text, original) ? text : undefined;
	};

	/** Removes the file. If another editor has opened it since, it stays. */
	const remove = (): void => {
		const {editId} = origin() ?? {editId: ownEditId};
		for (const each of editId === ownEditId ? [file, originFile, rescuedFile] : []) {
			withoutFailing(() => rmSync(each, {force: true}));
		}
	};

	return {
		path: file,
		/** Its path in messages, relative to the home folder (`~`) if it lies below it; where paths are not shown, a name for it. */
		shownPath,
		/** The prompt that the text was made from; `undefined` if that is not known. */
		origin,
		/** The original prompt of another editor that has the file open now; `undefined` if none has. */
		openElsewhere(): StoredOrigin | undefined {
			const stored = origin();
			return stored !== undefined && stored.editId !== ownEditId && isBeingEdited(stored) ? stored : undefined;
		},
		/**
		Prepares the file for an editor: writes a text. Without a text the file stays as it is, byte for byte, with its permissions
		tightened.
		*/
		open(text: string | undefined, from: PromptOrigin): void {
			try {
				openEdits.add(ownEditId);
				writeOrigin({...from, processId: process.pid, editId: ownEditId});
				if (text === undefined) {
					tightenFolder(folder);
					tightenFile(file);
				} else {
					writePrivateFile(file, asFile(text));
				}
			} catch (error) {
				throw failed('write', {file, shownPath, arePathsShown}, error);
			}
		},
		/** Replaces the text in it, while it is edited on the screen. */
		async write(text: string): Promise<void> {
			try {
				await writePrivateFileSoon(file, asFile(text));
			} catch (error) {
				throw failed('write', {file, shownPath, arePathsShown}, error);
			}
		},
		/** Marks the file as no longer open in an editor: another editor may open it now. */
		close(): void {
			openEdits.delete(ownEditId);
			const stored = origin();
			if (stored?.editId === ownEditId) {
				withoutFailing(() => writeOrigin({...stored, processId: undefined}));
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

function fromHome(file: string): string {
	const relative = path.relative(homedir(), file);
	return relative.startsWith('..') || path.isAbsolute(relative) ? file : path.join('~', relative);
}

function decodeOrigin(text: string): StoredOrigin | undefined {
	const value: unknown = JSON.parse(text);
	if (!isJsonObject(value) || value['version'] !== version || typeof value['agentName'] !== 'string') {
		return undefined;
	}

	const {agentName, prompt, processId, editId} = value;
	return {
		agentName: cleanText(agentName, maximumNameLength),
		prompt: typeof prompt === 'string' ? prompt : undefined,
		processId: typeof processId === 'number' && Number.isSafeInteger(processId) && processId > 0 ? processId : undefined,
		editId: typeof editId === 'string' ? editId : undefined,
	};
}

function failed(
	verb: string,
	{file, shownPath, arePathsShown}: {readonly file: string; readonly shownPath: string; readonly arePathsShown: boolean},
	error: unknown,
): SwitchboardError {
	if (isNoRoom(error)) {
		return new SwitchboardError('no-room', `Could not ${verb} ${shownPath}: the disk is full.`, {
			nextStep: 'Make room on it, then try again.',
			cause: error,
		});
	}

	const {reason, nextStep} = fileProblem(error, {file, arePathsShown});
	return new SwitchboardError('unexpected', `Could not ${verb} ${shownPath}: ${reason}.`, {nextStep, cause: error});
}

function withoutFailing(action: () => void): void {
	try {
		action();
	} catch {
		// The next edit overwrites it.
	}
}

/** Tells whether an editor has the text open, in this process or another one. */
function isBeingEdited({processId, editId = ''}: StoredOrigin): boolean {
	// An earlier process may have had the number of this one.
	if (processId === undefined || processId === process.pid) {
		return processId !== undefined && openEdits.has(editId);
	}

	try {
		process.kill(processId, 0);
		return true;
	} catch (error) {
		// The process exists, and belongs to another user.
		return hasErrorCode(error, 'EPERM');
	}
}

/** Editors add a missing line break at the end, which would look like a change. */
const asFile = (text: string): string => `${text}\n`;

export type PromptFile = ReturnType<typeof promptFileOf>;

type KeptPromptsOptions = {readonly account: string; readonly configFolder?: string | undefined};

/**
Says which prompts have an unsaved text, and which key edits it, or why none does; `undefined` if none has.

@param editKey - `undefined` where nothing may be changed.
*/
export function keptPromptsText(options: KeptPromptsOptions, editKey: string | undefined): string | undefined {
	const names = keptFor(options);
	const last = names.at(-1);
	if (last === undefined) {
		return undefined;
	}

	const [kept, it] =
		names.length === 1
			? [`Your unsaved text for the prompt of ${last} is kept.`, 'it']
			: [`Your unsaved texts for the prompts of ${names.slice(0, -1).join(', ')} and ${last} are kept.`, 'one of them'];
	return editKey === undefined
		? `${kept} You can go on with ${it} once changes are allowed.`
		: `${kept} On Agents, ${editKey} edits ${it} again.`;
}

const keptFor = (options: KeptPromptsOptions): readonly string[] =>
	filesOf(options).flatMap(name => {
		const id = /^agent-(?<id>\d+)-/.exec(name)?.groups?.['id'];
		if (id === undefined) {
			return [];
		}

		const file = promptFileOf({...options, agentId: Number(id)});
		const origin = file.origin();
		if (origin !== undefined && isBeingEdited(origin)) {
			return [];
		}

		try {
			return file.unsaved(origin?.prompt ?? '') === undefined ? [] : [origin?.agentName ?? `#${id}`];
		} catch {
			return [];
		}
	});

function filesOf({account, configFolder}: KeptPromptsOptions): readonly string[] {
	try {
		return readdirSync(promptFolderOf(configFolder)).filter(name => name.endsWith(promptFileEnd(account)));
	} catch {
		// No prompt was ever edited.
		return [];
	}
}

/** Moves the texts to the new name of an account. */
export function renameKeptPrompts(from: KeptPromptsOptions, account: string): void {
	const folder = promptFolderOf(from.configFolder);
	const oldEnd = promptFileEnd(from.account);
	for (const name of filesOf(from)) {
		const newName = name.slice(0, -oldEnd.length) + promptFileEnd(account);
		for (const suffix of ['', '.json']) {
			try {
				renameSync(path.join(folder, name + suffix), path.join(folder, newName + suffix));
			} catch {
				// A text without its origin is still a text.
			}
		}
	}
}
