import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {accessSync, constants, existsSync, lstatSync, readdirSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {SwitchboardError} from '../interface/errors.ts';
import {seenElsewhere, type HistoryEntry} from '../interface/history.ts';
import type {JsonObject} from '../interface/json.ts';
import {foreignOwner} from '../platform/file-owner.ts';
import {appendPrivateFile, ensurePrivateFolder, readPrivateFile, tightenFile, writePrivateFile} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';
import {withFileLock} from '../platform/file-lock.ts';
import {fileProblem} from '../platform/kept-file.ts';
import {isSameValue} from './fields.ts';
import {keepPackage, movePackages, readPackage} from './kept-packages.ts';
import {areTooMany, bytesOf, defaultLimits, withinLimits} from './log-limits.ts';
import {
	changesIn,
	format,
	keptValue,
	newestFirst,
	nothingRead,
	originFields,
	placeOf,
	promptLine,
	readLine,
	skipKey,
	type KeptPrompt,
	type Line,
	type LogEntry,
	type NewChange,
	type Origin,
	type Tried,
} from './log-lines.ts';

/*
The log of an account: the changes made from this machine or seen in a list, and the earlier texts of prompts. Undo, redo, earlier prompts
and, for a service without one, the history are read from it.
*/

/** How much of the end of the log undo reads first. */
const recentBytes = 256 * 1024;

/** Looks for duplicates among this many recent changes. */
const maximumRecent = 1000;

/** The state of the file, up to a position in it. */
type Known = {
	/** Names the file rather than its path, as it may be replaced. */
	readonly identity: string;
	readonly bytes: number;
	readonly isTorn: boolean;
	readonly lastId: number;
	readonly changeCount: number;
	readonly changeBytes: number;
	readonly oldest: LogEntry | undefined;
	/** The newest changes, in their order. */
	readonly recent: readonly LogEntry[];
};

const nothingKnown: Known = {
	identity: '',
	bytes: 0,
	isTorn: false,
	lastId: 0,
	changeCount: 0,
	changeBytes: 0,
	oldest: undefined,
	recent: [],
};

type LogOptions = {
	/** For data that is kept between runs; the platform's folder by default. */
	readonly stateFolder?: string | undefined;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
	/** 50 MB for the file and 8 MB for the changes in it by default. */
	readonly limits?: typeof defaultLimits | undefined;
};

/** Changes, the newest first, and the keys of the changes that undo skips. */
type Remembered = {readonly changes: readonly LogEntry[]; readonly skipped: ReadonlySet<string>};

/** A removal that is about to be sent: the ability before it. */
type Removal = Pick<HistoryEntry, 'kind' | 'record' | 'name' | 'via' | 'by'> & {readonly origin: Origin; readonly before: JsonObject};

/** @param account - by `presetAccountOf`. */
export function openLog(account: string, {stateFolder, arePathsShown = true, limits = defaultLimits}: LogOptions = {}) {
	const folder = path.join(stateFolder ?? userFolders().log, 'journal');
	const fileOf = (name: string): string => path.join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 24)}.jsonl`);
	const timersFileOf = (name: string): string => `${fileOf(name)}.timers`;
	const file = fileOf(account);
	let known: Known = nothingKnown;
	/** The state at the last reading, for the file with these bytes. */
	let recent: (Remembered & {readonly of: string}) | undefined;
	let tries: {readonly of: string; readonly all: readonly Tried[]} | undefined;

	const unusable = (problem: string, nextStep?: string): SwitchboardError =>
		new SwitchboardError('refused', arePathsShown ? `${file} ${problem}` : `its file ${problem}`, {nextStep});

	const failure = (kind: 'unexpected' | 'not-kept', sentence: string, error: unknown): SwitchboardError => {
		// The sentence does not name the file, so that the reason has to.
		const named = error instanceof Error && 'path' in error ? undefined : file;
		const {reason, nextStep} = fileProblem(error, {file: named, arePathsShown});
		return new SwitchboardError(kind, `${sentence}: ${reason}${kind === 'not-kept' ? '.' : ''}`, {nextStep, cause: error});
	};

	/** The file as it is now; `undefined` if there is none. */
	const look = () => {
		const found = lstatSync(file, {throwIfNoEntry: false});
		if (found === undefined) {
			return undefined;
		}

		if (!found.isFile() || found.nlink > 1) {
			throw unusable(found.isFile() ? 'has a second name' : 'is not a regular file');
		}

		if (process.getuid !== undefined && found.uid !== process.getuid()) {
			const {reason, nextStep} = foreignOwner(file, found.uid);
			throw arePathsShown ? unusable(reason.replace(/^it /, ''), nextStep) : unusable('belongs to another user');
		}

		return {identity: `${found.ino} ${found.birthtimeMs}`, bytes: found.size};
	};

	/**
	The whole lines that the file holds now, from a byte on. The file is torn if its last line has no end: a new line must not continue it.
	*/
	const read = (start = 0, isWanted?: (text: string) => boolean): {readonly lines: readonly Line[]; readonly isTorn: boolean} => {
		if (look() === undefined) {
			return {lines: [], isTorn: false};
		}

		// A later version may keep a longer log.
		const text = readPrivateFile(file, 4 * limits.fileBytes, start);
		if (text === undefined) {
			throw unusable('is too large');
		}

		return {
			lines: text
				.split('\n')
				.filter(line => isWanted?.(line) ?? true)
				.map(line => readLine(line))
				.filter(line => line !== undefined),
			isTorn: !(text === '' || text.endsWith('\n')),
		};
	};

	const rewrite = (lines: readonly Line[]): void => writePrivateFile(file, lines.map(({text}) => `${text}\n`).join(''));

	const append = (lines: readonly Line[], isTorn: boolean): void => {
		tightenFile(file);
		appendPrivateFile(file, `${isTorn ? '\n' : ''}${lines.map(({text}) => `${text}\n`).join('')}`);
	};

	const locked = async (action: () => void): Promise<void> => withFileLock(`${file}.lock`, action);

	/** Writes under the lock. Throws `not-kept` with the sentence if that fails. */
	const noted = async (sentence: string, write: () => void): Promise<void> => {
		try {
			ensurePrivateFolder(folder);
			await locked(write);
		} catch (error) {
			throw failure('not-kept', sentence, error);
		}
	};

	/** Returns what was read. Throws `unexpected` with the sentence if that fails. */
	const readable = <Result>(sentence: string, readIt: () => Result): Result => {
		try {
			return readIt();
		} catch (error) {
			throw failure('unexpected', sentence, error);
		}
	};

	const add = (prompt: Omit<KeptPrompt, 'version' | 'at'>): void => {
		const {agentId, text} = prompt;
		const {lines, isTorn} = read();
		const earlier = lines.map(line => line.prompt).filter(each => each?.agentId === agentId);
		if (earlier.at(-1)?.text === text) {
			return;
		}

		const version = (earlier.at(-1)?.version ?? 0) + 1;
		const line = promptLine({...prompt, version, at: Date.now()});
		if (Buffer.byteLength(line) >= limits.fileBytes) {
			throw new SwitchboardError('too-large', `it takes more than ${limits.fileBytes / 1024 / 1024} MB`);
		}

		const added = readLine(line)!;
		const kept = withinLimits([...lines, added], limits);
		if (kept.length <= lines.length) {
			rewrite(kept);
		} else {
			append([added], isTorn);
		}
	};

	/** The state of the file once the added lines were read, or all of it if it was replaced. */
	const readOn = (): Known => {
		const {identity, bytes} = look() ?? nothingKnown;
		const before = identity === known.identity && bytes >= known.bytes ? known : nothingKnown;
		const {lines, isTorn} = bytes === before.bytes ? {lines: [], isTorn: before.isTorn} : read(before.bytes);
		const added = lines.filter(({change}) => change !== undefined);
		let {lastId} = before;
		for (const {change} of added) {
			lastId = Math.max(lastId, change!.id);
		}

		return {
			identity,
			bytes,
			isTorn,
			lastId,
			changeCount: before.changeCount + added.length,
			changeBytes: before.changeBytes + bytesOf(added),
			oldest: before.oldest ?? added[0]?.change,
			recent: [...before.recent, ...added.slice(-maximumRecent).map(({change}) => change!)].slice(-maximumRecent),
		};
	};

	const addChanges = (changes: readonly NewChange[], maximumAge: number): void => {
		known = readOn();
		const recent = Map.groupBy(known.recent, change => placeOf(change));
		const added: Line[] = [];
		const dropped = new Set<number>();
		let {lastId} = known;
		for (const {since, at, origin, ...given} of changes) {
			const place = placeOf(given);
			const earlier = recent.get(place) ?? [];
			const meanwhile = earlier.filter(other => Date.parse(other.at) >= since);
			const isSeen = given.by === seenElsewhere;
			if (meanwhile.some(other => (isSeen || other.by === given.by) && isSameChange(other, given))) {
				continue;
			}

			for (const other of meanwhile) {
				if (!isSeen && other.by === seenElsewhere && isSameChange(given, other)) {
					dropped.add(other.id);
				}
			}

			const line = readLine(
				JSON.stringify({
					...given,
					...(origin && originFields(origin)),
					format,
					kind: 'change',
					record_kind: given.kind,
					id: ++lastId,
					at: new Date(at).toISOString(),
					name: given.name.slice(0, 1000),
					from: keptValue(isSeen ? (meanwhile.findLast(({field}) => field === given.field)?.to ?? given.from) : given.from),
					to: keptValue(given.to),
				}),
			);
			if (line?.change === undefined) {
				continue;
			}

			added.push(line);
			recent.set(place, [...earlier, line.change]);
		}

		const left = added.filter(({change}) => !dropped.has(change!.id));
		const isTooOld = ({at}: Pick<HistoryEntry, 'at'>): boolean => Date.now() - Date.parse(at) > maximumAge;
		if (
			dropped.size > 0 ||
			(known.oldest !== undefined && isTooOld(known.oldest)) ||
			areTooMany(
				known.changeCount + left.length,
				known.changeBytes + bytesOf(left),
				Math.min(limits.changeBytes, limits.fileBytes - (known.bytes - known.changeBytes)),
			)
		) {
			const kept = read().lines.filter(({change, removal}) => {
				const entry = change ?? removal;
				return entry === undefined || !(dropped.has(entry.id) || isTooOld(entry));
			});
			rewrite(withinLimits([...kept, ...left], limits));
		} else if (left.length > 0) {
			append(left, known.isTorn);
		}
	};

	const readRecent = (bytes: number): Remembered => {
		for (let length = recentBytes; ; length *= 2) {
			const start = Math.max(0, bytes - length);
			// The first line may be cut, and is skipped then.
			const {lines} = read(start);
			const newest = changesIn(lines).toReversed();
			const group = newest.at(-1)?.origin?.group;
			const isPartial = start > 0 && group !== undefined;
			if (!isPartial || newest[0]!.origin?.group !== group) {
				return {
					changes: isPartial ? newest.filter(({origin}) => origin?.group !== group) : newest,
					skipped: new Set(lines.flatMap(({skipped}) => skipped)),
				};
			}
		}
	};

	const readWith = <Result>(take: (lines: readonly Line[]) => Result): Result =>
		readable('The history on this machine cannot be read', () => take(read().lines));

	return {
		/** The timers of the account that this machine keeps, which are removed and moved with the log. Not shown unless the folder is. */
		timersFile: timersFileOf(account),
		/** The lock of the program that keeps them. */
		keeperFile: file.replace(/\.jsonl$/, '.keeper'),
		/** The folder of the log and its packages; `undefined` where it must not be shown. */
		folder: arePathsShown ? folder : undefined,
		/**
		The texts of all agents, the newest first.
		@throws SwitchboardError `unexpected` if the file cannot be read.
		*/
		list: (): readonly KeptPrompt[] =>
			readable('The texts that prompts had cannot be read', () =>
				read()
					.lines.flatMap(({prompt}) => prompt ?? [])
					.toReversed(),
			),
		/**
		Returns all changes, also the removals that were not noted any more, the newest first, and the keys of those that undo skips.
		@throws SwitchboardError `unexpected` if the file cannot be read.
		*/
		all: (): Remembered =>
			readWith(lines => ({changes: newestFirst(changesIn(lines)), skipped: new Set(lines.flatMap(({skipped}) => skipped))})),
		/** Returns the changes, the newest first. Throws as `all` does. */
		changes: (): readonly LogEntry[] => readWith(lines => newestFirst(lines.flatMap(({change}) => change ?? []))),
		/** Returns the changes at the end of the log: at least its last 256 KB, and only whole groups. Throws as `all` does. */
		recent: (): Remembered =>
			readable('The log of changes cannot be read', () => {
				const {identity, bytes} = look() ?? nothingKnown;
				if (recent?.of !== `${identity} ${bytes}`) {
					recent = {of: `${identity} ${bytes}`, ...readRecent(bytes)};
				}

				return recent;
			}),
		/**
		Returns the abilities that are on for a conversation, as far as the end of the log has them. It parses no other line, because each
		start calls it. Never throws.
		*/
		tries(): readonly Tried[] {
			try {
				const {identity, bytes} = look() ?? nothingKnown;
				if (tries?.of !== `${identity} ${bytes}`) {
					const {lines} = read(Math.max(0, bytes - recentBytes), text => /"kind":"(?:try|skip)"/.test(text));
					const over = new Set(lines.flatMap(({skipped}) => skipped));
					tries = {
						of: `${identity} ${bytes}`,
						all: lines.flatMap(({tried}) => (tried === undefined || over.has(tried.key) ? [] : [tried])),
					};
				}
			} catch {
				return [];
			}

			return tries.all;
		},
		/** @throws SwitchboardError `not-kept` if it cannot be written. */
		check(): void {
			try {
				ensurePrivateFolder(folder);
				accessSync(look() === undefined ? folder : file, constants.W_OK);
			} catch (error) {
				throw failure('not-kept', 'Changes cannot be noted', error);
			}
		},
		/**
		Notes an ability before it is switched on for a conversation, even where nothing else is noted.
		@returns its key.
		@throws SwitchboardError `not-kept`.
		*/
		async noteTry({id, ...tried}: Omit<Tried, 'key'>): Promise<string> {
			const key = `try ${tried.session} ${id} ${tried.at}`;
			await noted('It cannot be noted', () =>
				append([{...nothingRead, text: JSON.stringify({format, kind: 'try', key, record: id, ...tried})}], readOn().isTorn),
			);
			return key;
		},
		/**
		Notes an ability before it is removed.
		@param zip - its package, for a deletion.
		@returns the name of the package.
		@throws SwitchboardError `not-kept`.
		*/
		async noteRemoval({origin, kind, before, ...removal}: Removal, zip?: Uint8Array): Promise<string | undefined> {
			let name: string | undefined;
			await noted('It cannot be noted', () => {
				name = zip && keepPackage(file, zip);
				const at = new Date().toISOString();
				const kept = name === undefined ? before : {...before, source: {zip: name}};
				const text = JSON.stringify({...removal, ...originFields(origin), before: kept, format, kind: 'removal', record_kind: kind, at});
				append([{...nothingRead, text}], readOn().isTorn);
			});
			return name;
		},
		/** Returns the package of a deleted ability; `undefined` if it is no longer kept. */
		package: (name: string): Uint8Array | undefined => readPackage(file, name),
		/** Remembers keys of changes that undo skips from now on. Never rejects: they are asked about again. */
		async skip(keys: readonly string[]): Promise<void> {
			try {
				if (keys.length > 0 && look() !== undefined) {
					await locked(() => append([{...nothingRead, text: JSON.stringify({format, kind: 'skip', keys})}], readOn().isTorn));
				}
			} catch {}
		},
		/**
		Adds a text to its agent's texts, unless it is already the newest.
		@throws SwitchboardError `not-kept`.
		*/
		keep: async (prompt: Omit<KeptPrompt, 'version' | 'at'>): Promise<void> =>
			noted(`The present prompt of ${prompt.name} cannot be kept`, () => add(prompt)),
		/**
		Adds changes, each once: a seen change that is in the log already is left out, and a change that was made here replaces the same
		change seen by another program.
		@param maximumAge - in milliseconds: older changes go.
		@throws SwitchboardError `not-kept`.
		*/
		note: async (changes: readonly NewChange[], maximumAge = Infinity): Promise<void> =>
			noted('The history on this machine misses changes', () => addChanges(changes, maximumAge)),
		/** Removes changes that were noted and turned out not to have been made. */
		async withdraw(changes: readonly NewChange[]): Promise<void> {
			const isMeant = (entry: HistoryEntry): boolean =>
				changes.some(
					({by, at, to, ...change}) =>
						entry.by === by && Date.parse(entry.at) === at && placeOf(entry) === placeOf(change) && isSameValue(entry.to, to),
				);
			// A removal that was not made is not cut off either.
			const keys = new Set(changes.filter(({origin}) => origin !== undefined).map(change => skipKey(change)));
			const isKept = ({change, removal}: Line): boolean =>
				!(change !== undefined && isMeant(change)) && !(removal !== undefined && keys.has(skipKey(removal)));
			if (look() !== undefined) {
				await locked(() => rewrite(read().lines.filter(line => isKept(line))));
			}
		},
		/** Takes over the texts of another account, each with its time. */
		async takeOver(prompts: readonly KeptPrompt[]): Promise<void> {
			ensurePrivateFolder(folder);
			await locked(() => {
				const {lines} = read();
				const versions = new Map<number, number>();
				const texts = [...lines.flatMap(({prompt}) => prompt ?? []), ...prompts]
					.toSorted((first, second) => first.at - second.at)
					.map(prompt => {
						const version = (versions.get(prompt.agentId) ?? 0) + 1;
						versions.set(prompt.agentId, version);
						return readLine(promptLine({...prompt, version}))!;
					});
				rewrite(withinLimits([...lines.filter(({prompt}) => prompt === undefined), ...texts], limits));
			});
		},
		/** Removes all texts and changes, and the leftovers of a writer that was killed. */
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
		/** Moves them to the account's new name. */
		async moveTo(newAccount: string): Promise<void> {
			if (existsSync(timersFileOf(account))) {
				await withFileLock(`${timersFileOf(account)}.lock`, () => renameSync(timersFileOf(account), timersFileOf(newAccount)));
			}

			if (lstatSync(file, {throwIfNoEntry: false}) !== undefined) {
				await locked(() => {
					movePackages(file, fileOf(newAccount));
					renameSync(file, fileOf(newAccount));
				});
			}
		},
	};
}

/** True if two changes of a place are the same: a seen change was made here or was already seen. */
const isSameChange = (known: Pick<HistoryEntry, 'by' | 'field' | 'to'>, seen: Pick<HistoryEntry, 'field' | 'to'>): boolean =>
	isSameValue(known.to, seen.to) && (known.field === seen.field || (known.by !== seenElsewhere && known.field === 'exists'));

export type ChangeLog = ReturnType<typeof openLog>;
