import {createHash} from 'node:crypto';
import {rmSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {SwitchboardError} from '../../../interface/errors.ts';
import {userFolders} from '../../../settings/folders.ts';
import {
	readPrivateFile,
	tightenFile,
	tightenFolder,
	writePrivateFile,
} from '../../../settings/private-files.ts';

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
	/**
	Puts a text into it; without one what is there stays, byte for byte, and is closed to others.
	@throws SwitchboardError where it cannot be written.
	*/
	prepare(text: string | undefined): void;
	remove(): void;
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

/** The file for the prompt of one agent, in a folder of its own beside the settings. */
export const promptFileOf = ({account, agentId, configFolder}: PromptFileOptions): PromptFile => {
	const name = `agent-${agentId}-${createHash('sha256').update(account).digest('hex').slice(0, 6)}.md`;
	const file = path.join(configFolder ?? userFolders().config, 'prompts', name);
	const shownPath = fromHome(file);
	return {
		path: file,
		shownPath,
		read() {
			try {
				return readPrivateFile(file, maximumBytes)?.replace(/\r?\n$/, '');
			} catch (error) {
				throw failed('read', shownPath, error);
			}
		},
		prepare(text) {
			if (text === undefined) {
				tightenFolder(path.dirname(file));
				tightenFile(file);
				return;
			}

			try {
				// Editors want a line break at the end, and add it where it is missing: that is no change of the person's.
				writePrivateFile(file, `${text}\n`);
			} catch (error) {
				throw failed('written', shownPath, error);
			}
		},
		remove() {
			try {
				rmSync(file, {force: true});
			} catch {
				// The next edit writes over it.
			}
		},
	};
};
