import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {
	existsSync,
	lstatSync,
	readdirSync,
	renameSync,
	rmSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type {Client} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {decodeHistoryEntry, type HistoryEntry} from '../interface/history.ts';
import type {JsonObject, JsonValue} from '../interface/json.ts';
import {
	appendPrivateFile,
	ensurePrivateFolder,
	isNoRoom,
	readPrivateFile,
	tightenFile,
	writePrivateFile,
} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';
import {fileReason, parseObject, withFileLock} from './json-file.ts';

/*
The journal of an account: lines of JSON, each of a `kind`. Lines of another kind or of a later format are another version's,
and stay as they are; what is no JSON at all is the end of a line whose writer was killed.
*/

const format = 1;

/** How many texts of an agent are kept. */
const maximumTexts = 20;

const maximumBytes = 50 * 1024 * 1024;

/** A later version may keep more. */
const maximumReadBytes = 4 * maximumBytes;

/** A text that the prompt of an agent had until it was replaced. */
export type KeptPrompt = {
	/** Counts the texts of the agent, from 1. */
	readonly version: number;
	readonly agentId: number;
	/** The agent's name at that time. */
	readonly name: string;
	/** When it was replaced, in milliseconds since the epoch. */
	readonly at: number;
	/** By what it was replaced, such as `agents edit`. */
	readonly via: string;
	/** As the service returned it. */
	readonly text: string;
};

type JournalOptions = {
	/** The folder for what is kept between runs; that of the platform by default. */
	readonly stateFolder?: string | undefined;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
};

/** A line of the file; it has neither a prompt nor a change if only another version understands it. */
type Line = {readonly text: string; readonly prompt: KeptPrompt | undefined; readonly change: HistoryEntry | undefined};

const isInteger = (value: JsonValue | undefined): value is number => typeof value === 'number' && Number.isSafeInteger(value);

const readPrompt = (value: JsonObject): KeptPrompt | undefined => {
	const {version, agent_id: agentId, name, via, text} = value;
	const at = typeof value['at'] === 'string' ? Date.parse(value['at']) : NaN;
	return value['format'] === format && value['kind'] === 'prompt' && isInteger(version) && version > 0 && version < Number.MAX_SAFE_INTEGER && isInteger(agentId)
		&& typeof name === 'string' && typeof via === 'string' && typeof text === 'string' && !Number.isNaN(at)
		? {
			version, agentId, name, at, via, text,
		}
		: undefined;
};

/** The kind of the line is not that of the record. */
const readChange = ({record_kind: recordKind = null, ...value}: JsonObject): HistoryEntry | undefined =>
	value['format'] === format && value['kind'] === 'change' && value['id'] !== Number.MAX_SAFE_INTEGER
		? decodeHistoryEntry({...value, kind: recordKind})
		: undefined;

const readLine = (text: string): Line | undefined => {
	const value = parseObject(text);
	return value && {text, prompt: readPrompt(value), change: readChange(value)};
};

/** The newest lines that may be kept, in their order. */
const withinLimits = (lines: readonly Line[]): readonly Line[] => {
	const counts = new Map<number, number>();
	const kept: Line[] = [];
	let bytes = 0;
	for (const line of lines.toReversed()) {
		const {text, prompt} = line;
		const count = prompt === undefined ? 0 : (counts.get(prompt.agentId) ?? 0) + 1;
		if (prompt !== undefined) {
			counts.set(prompt.agentId, count);
		}

		if (count > maximumTexts) {
			continue;
		}

		bytes += Buffer.byteLength(text) + 1;
		if (bytes > maximumBytes) {
			break;
		}

		kept.push(line);
	}

	return kept.toReversed();
};

/** @param account - by `presetAccountOf`. */
export const openJournal = (account: string, {stateFolder, arePathsShown = true}: JournalOptions = {}) => {
	const folder = path.join(stateFolder ?? userFolders().log, 'journal');
	const fileOf = (name: string): string => path.join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 24)}.jsonl`);
	const file = fileOf(account);

	/** As the end of a sentence. */
	const reason = (error: unknown): string => isNoRoom(error) ? 'the disk is full' : fileReason(error, arePathsShown).replace(/\.$/, '');

	const unusable = (problem: string): SwitchboardError => new SwitchboardError('refused', arePathsShown ? `${file} ${problem}` : `its file ${problem}`);

	/** The whole lines that the file holds now. It is torn if the last one has no end: a new one must not continue it. */
	const read = (): {readonly lines: readonly Line[]; readonly isTorn: boolean} => {
		const found = lstatSync(file, {throwIfNoEntry: false});
		if (found === undefined) {
			return {lines: [], isTorn: false};
		}

		if (!found.isFile() || found.nlink > 1) {
			throw unusable(found.isFile() ? 'has a second name' : 'is not a regular file');
		}

		if (process.getuid !== undefined && found.uid !== process.getuid()) {
			throw unusable('belongs to another user');
		}

		const text = readPrivateFile(file, maximumReadBytes);
		if (text === undefined) {
			throw unusable('is too large');
		}

		return {lines: text.split('\n').map(line => readLine(line)).filter(line => line !== undefined), isTorn: !(text === '' || text.endsWith('\n'))};
	};

	const locked = async (action: () => void): Promise<void> => withFileLock(`${file}.lock`, action);

	const add = (prompt: Omit<KeptPrompt, 'version' | 'at'>): void => {
		const {agentId, name, via, text} = prompt;
		const {lines, isTorn} = read();
		const earlier = lines.map(line => line.prompt).filter(each => each?.agentId === agentId);
		if (earlier.at(-1)?.text === text) {
			return;
		}

		const version = (earlier.at(-1)?.version ?? 0) + 1;
		const line = JSON.stringify({
			format, kind: 'prompt', at: new Date().toISOString(), via, agent_id: agentId, name, version, text,
		});
		if (Buffer.byteLength(line) >= maximumBytes) {
			throw new SwitchboardError('too-large', `it takes more than ${maximumBytes / 1024 / 1024} MB`);
		}

		const all = [...lines, readLine(line)!];
		const kept = withinLimits(all);
		if (kept.length < all.length) {
			writePrivateFile(file, kept.map(each => `${each.text}\n`).join(''));
		} else {
			tightenFile(file);
			appendPrivateFile(file, `${isTorn ? '\n' : ''}${line}\n`);
		}
	};

	return {
		/**
		The texts of all agents, the newest first.
		@throws SwitchboardError `unexpected` if the file cannot be read.
		*/
		list(): readonly KeptPrompt[] {
			try {
				return read().lines.map(({prompt}) => prompt).filter(prompt => prompt !== undefined).toReversed();
			} catch (error) {
				throw new SwitchboardError('unexpected', `The texts that prompts had cannot be read: ${reason(error)}`, {cause: error});
			}
		},
		/**
		The changes, the newest first.
		@throws SwitchboardError `unexpected` if the file cannot be read.
		*/
		changes(): readonly HistoryEntry[] {
			try {
				const changes = read().lines.map(({change}) => change).filter(change => change !== undefined);
				return [...new Map(changes.map(change => [change.id, change])).values()].toSorted((first, second) => second.id - first.id);
			} catch (error) {
				throw new SwitchboardError('unexpected', `The history on this machine cannot be read: ${reason(error)}`, {cause: error});
			}
		},
		/**
		Adds a text to those of its agent, unless it is the newest of them.
		@throws SwitchboardError `not-kept`.
		*/
		async keep(prompt: Omit<KeptPrompt, 'version' | 'at'>): Promise<void> {
			try {
				ensurePrivateFolder(folder);
				await locked(() => {
					add(prompt);
				});
			} catch (error) {
				throw new SwitchboardError('not-kept', `The present prompt of ${prompt.name} cannot be kept: ${reason(error)}.`, {cause: error});
			}
		},
		/** Removes all texts, and what a writer that was killed has left. */
		async remove(): Promise<void> {
			const names = existsSync(folder) ? readdirSync(folder).filter(name => name.startsWith(path.basename(file))) : [];
			if (names.length > 0) {
				await locked(() => {
					for (const name of names) {
						rmSync(path.join(folder, name), {force: true});
					}
				});
			}
		},
		/** Gives the texts to the account under another name. */
		async moveTo(newAccount: string): Promise<void> {
			if (lstatSync(file, {throwIfNoEntry: false}) !== undefined) {
				await locked(() => {
					renameSync(file, fileOf(newAccount));
				});
			}
		},
	};
};

export type Journal = ReturnType<typeof openJournal>;

type KeepOptions = {
	/** The journal of the account that the client belongs to: another one once its profile is renamed. */
	readonly openJournal: () => Journal;
	readonly via: string;
	/** Called with a sentence if a text is lost that may be. */
	readonly note: (text: string) => void;
};

/**
A client that keeps the prompt of an agent before it sends another one: every way that changes prompts goes through it. What the
service does not show cannot be kept.

@returns a client whose `editAgent` throws SwitchboardError `not-kept`, and changes nothing, if the text cannot be kept and
`canLosePrompt` is not set.
*/
export const keepPrompts = (client: Client, {openJournal: open, via, note}: KeepOptions): Client => ({
	...client,
	async editAgent(agent, changes, signal) {
		const {id: agentId, name, raw: {description: text}} = agent;
		const isReplaced = changes.prompt !== undefined && typeof text === 'string' && text !== changes.prompt && text.trim() !== '';
		if (isReplaced && process.env['SWITCHBOARD_JOURNAL'] !== 'off') {
			try {
				await open().keep({
					agentId, name, via, text,
				});
			} catch (error_) {
				const error = toSwitchboardError(error_);
				if (!changes.canLosePrompt) {
					throw new SwitchboardError(error.kind, `${error.message} It was not changed.`, {nextStep: 'Use --yes to change it all the same.', cause: error});
				}

				note(error.message);
			}
		}

		return client.editAgent(agent, changes, signal);
	},
});
