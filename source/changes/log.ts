import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {SwitchboardError} from '../interface/errors.ts';
import {decodeHistoryEntry, describeWithStart, isLongText, type HistoryEntry} from '../interface/history.ts';
import type {JsonObject, JsonValue} from '../interface/json.ts';
import {fileProblem, parseObject} from '../platform/json-file.ts';
import {LineFile} from '../platform/line-file.ts';
import {isNoRoom} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';
import {isSameValue} from './fields.ts';
import {KeptFiles} from './kept-files.ts';

/*
The log of an account: a line of JSON for each change that was made here or seen in a list, and one for each outcome that was known later.
Nothing in it is changed. Lines of a later format stay as they are; what is no JSON is the end of a line whose writer was killed.

	{"format":1,"id":7,"field":"enabled","from":true,"to":false,"group":"a",…}     a change
	{"format":1,"id":8,"field":"prompt","state":"sent","version":3,…}              written before it is sent
	{"format":1,"settles":8,"outcome":"done","at":…}                               its outcome
*/

const format = 1;

const outcomes = ['done', 'unknown', 'failed'] as const;

/** A change as the log has it. */
export type LogEntry = HistoryEntry & {
	/** By `beginSession`; empty for a change that was seen, or that an earlier program has left. */
	readonly session: string;
	/** True for a change that was seen and not made here: `by` is for reading only, and a person may be called “elsewhere”. */
	readonly isSeen?: boolean;
	/** The hash of the key of a person over SSH. */
	readonly person?: string;
	/** Shared by the changes of one key or one command. */
	readonly group: string;
	/** When its group was begun, in milliseconds since the epoch. */
	readonly begun: number;
	/** The group that this one takes back. */
	readonly undoes?: string;
	/** True if it was switched for a conversation only. */
	readonly isTry?: boolean;
	/** The data that a removal needs to be undone. */
	readonly before?: JsonObject;
	/** Its outcome is not known: yet, or at all. */
	readonly state?: 'sent' | 'unknown';
	/** Why nothing was sent, of an entry that takes nothing back. */
	readonly skipped?: 'already' | 'refused';
	/** Of a replaced prompt that is kept: counts those of the agent, from 1. */
	readonly version?: number;
	/** True for a kept prompt without a change, from an earlier program or from another account. */
	readonly isText?: boolean;
};

/** A change to add; the log gives it its number, and a replaced prompt its version. */
export type NewEntry = Omit<LogEntry, 'id' | 'at' | 'key' | 'version'> & {
	/** In milliseconds since the epoch, as the next one. */
	readonly at: number;
	/** Until then it was surely not made: it was sent later, or a list that was read later does not show it. */
	readonly since: number;
};

/** The outcome of an entry, with the values that were not known before. An entry that failed is no change, and is left out. */
export type Settlement = Partial<Pick<LogEntry, 'record' | 'name' | 'from' | 'to'>> & {readonly outcome: (typeof outcomes)[number]};

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

/** How many texts of an agent are kept. */
const maximumTexts = 20;

const maximumEntries = 10_000;
const defaultLimits = {fileBytes: 8 * 1024 * 1024, textBytes: 50 * 1024 * 1024};

/** What is left of the entries when some have to go, so that the file is not written anew with each. */
const leftPart = 0.9;

/** Longer texts are kept beside the log. */
const maximumInline = 1000;
const maximumNameCharacters = 1000;

/** Looks for changes that were noted twice among this many recent ones. */
const maximumRecent = 1000;

const zipLimits = {count: 20, bytes: 64 * 1024 * 1024, ageMilliseconds: 30 * 24 * 60 * 60 * 1000};

type LogOptions = {
	/** The folder for what is kept between runs; that of the platform by default. */
	readonly stateFolder?: string | undefined;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
	/** 8 MB for the file and 50 MB for the texts by default. */
	readonly limits?: typeof defaultLimits | undefined;
};

/** The beginning of the names of an account's files. */
const nameOf = (account: string): string => createHash('sha256').update(account).digest('hex').slice(0, 24);

const isOff = (): boolean => process.env['SWITCHBOARD_JOURNAL'] === 'off';

/** A line; it has neither an entry nor a settlement if only another version understands it. */
type Line = {
	readonly text: string;
	readonly entry?: LogEntry;
	/** The id of the entry whose outcome it has. */
	readonly settles?: number;
	readonly settlement?: Settlement & {readonly at?: string};
};

const optionalTypes = {
	session: 'string',
	isSeen: 'boolean',
	person: 'string',
	group: 'string',
	begun: 'number',
	undoes: 'string',
	isTry: 'boolean',
	before: 'object',
	state: 'string',
	skipped: 'string',
	version: 'number',
	isText: 'boolean',
} as const satisfies {readonly [Name in Exclude<keyof LogEntry, keyof HistoryEntry>]-?: string};

const decodeEntry = (value: JsonObject): LogEntry | undefined => {
	const entry = value['id'] === Number.MAX_SAFE_INTEGER ? undefined : decodeHistoryEntry(value);
	const known = Object.entries(optionalTypes).filter(([name, type]) => typeof value[name] === type && value[name] !== null);
	return (
		entry && {
			session: '',
			group: `entry-${entry.id}`,
			begun: Date.parse(entry.at),
			...Object.fromEntries(known.map(([name]) => [name, value[name]])),
			...entry,
		}
	);
};

const readLine = (text: string): Line | undefined => {
	const value = parseObject(text);
	if (value === undefined || value['format'] !== format) {
		return value && {text};
	}

	const {settles, outcome} = value;
	if (settles !== undefined) {
		return typeof settles === 'number' && outcomes.some(each => each === outcome)
			? {text, settles, settlement: value as unknown as Settlement}
			: {text};
	}

	const entry = decodeEntry(value);
	return entry === undefined ? {text} : {text, entry};
};

const lineOf = (value: object): Line => readLine(JSON.stringify({format, ...value}))!;

/** The entry as it is known by now; `undefined` if it failed. */
const settled = (entry: LogEntry, settlement: (Settlement & {readonly at?: string}) | undefined): LogEntry | undefined => {
	if (settlement === undefined) {
		return entry;
	}

	const {outcome, record = entry.record, name = entry.name, from = entry.from, to = entry.to, at = entry.at} = settlement;
	const {state: _, ...rest} = {...entry, record, name, from, to, at};
	return outcome === 'failed' ? undefined : outcome === 'unknown' ? {...rest, state: 'unknown'} : rest;
};

type Place = Pick<HistoryEntry, 'kind' | 'record' | 'name' | 'field'>;

/** What has the same name as the ability that comes or goes, comes and goes with it. */
const placeOf = ({kind, record, name, field}: Place): string =>
	field === 'exists' || field === 'installed' ? `presence ${name}` : `${kind} ${record} ${field}`;

/** True if two changes of a place are one: what was seen is what was made here or seen already. */
const isSameChange = (known: Pick<LogEntry, 'isSeen' | 'field' | 'to'>, seen: Pick<LogEntry, 'field' | 'to'>): boolean =>
	isSameValue(known.to, seen.to) && (known.field === seen.field || (!known.isSeen && known.field === 'exists'));

/** The log of an account in one file; opened with `openLog`. */
export class ChangeLog {
	readonly #folder: string;
	readonly #name: string;
	readonly #file: LineFile;
	readonly #texts: KeptFiles;
	readonly #zips: KeptFiles;
	readonly #limits: typeof defaultLimits;
	readonly #arePathsShown: boolean;
	readonly #listeners = new Set<() => void>();
	/** The entries that were read, of the end of the file, as they were added. */
	#entries: LogEntry[] = [];
	/** Added here after the file was removed, or where nothing is kept. */
	readonly #memory: LogEntry[] = [];
	readonly #settlements = new Map<number, Settlement>();
	#lastId = 0;
	/** Counted before the first line is added. */
	#lineCount: number | undefined;
	#hasNewTexts = false;
	#isGone = false;

	constructor(account: string, {stateFolder, arePathsShown = true, limits = defaultLimits}: LogOptions = {}) {
		this.#folder = path.join(stateFolder ?? userFolders().log, 'changes');
		this.#name = nameOf(account);
		this.#arePathsShown = arePathsShown;
		this.#limits = limits;
		this.#file = new LineFile(path.join(this.#folder, `${this.#name}.jsonl`), arePathsShown);
		this.#texts = new KeptFiles(path.join(this.#folder, `${this.#name}.texts`), limits.textBytes);
		this.#zips = new KeptFiles(path.join(this.#folder, `${this.#name}.zips`), zipLimits.bytes);
	}

	/** True once the file was removed, by a sign-out: it is not made again. */
	get isGone(): boolean {
		return this.#isGone;
	}

	/**
	Goes through the changes, the newest first, and reads on backwards as far as the caller goes. Those whose outcome is not known have a `state`.

	@throws SwitchboardError `unexpected` if the file cannot be read.
	*/
	*newestFirst(): Generator<LogEntry, void> {
		let last = Infinity;
		this.#withReason('The history on this machine cannot be read', () => {
			this.#sync();
		});
		for (const entry of this.#raw()) {
			const known = settled(entry, this.#settlements.get(entry.id));
			if (known !== undefined && known.isText !== true && entry.id < last) {
				last = entry.id;
				yield known;
			}
		}
	}

	/**
	Adds changes, each once: one that was seen and is in the log already, made here or seen by another program, is left out, and one that was
	made here takes the place of what others saw of it.

	@returns each as it was added; `undefined` for one that was left out.
	@throws SwitchboardError `not-kept` with a sentence that begins so.
	*/
	async append(
		changes: readonly NewEntry[],
		failure = 'The history on this machine misses changes',
	): Promise<ReadonlyArray<LogEntry | undefined>> {
		let added: ReadonlyArray<LogEntry | undefined> = [];
		await this.#write(failure, () => {
			added = this.#add(changes);
		});
		return added;
	}

	/** Notes the outcomes of entries. */
	async settle(settlements: ReadonlyArray<Settlement & {readonly id: number}>): Promise<void> {
		await this.#write('The history on this machine misses changes', () => {
			this.#save(settlements.map(settlement => this.#settlementLine(settlement)));
		});
	}

	/**
	Returns the texts that prompts had, the newest of each agent first.

	@throws SwitchboardError `unexpected` if the file cannot be read.
	*/
	prompts(agentId?: number): readonly KeptPrompt[] {
		return this.#withReason('The texts that prompts had cannot be read', () => {
			this.#sync();
			return this.#keptPrompts(agentId);
		})
			.map(({version, record, name, at, via, from}) => ({
				version: version!,
				agentId: record,
				name,
				at: Date.parse(at),
				via,
				text: this.whole(from),
			}))
			.filter((prompt): prompt is KeptPrompt => typeof prompt.text === 'string');
	}

	/** Returns a value whole; one whose text is gone stays as it is described. */
	whole(value: JsonValue): JsonValue {
		return (isLongText(value) ? this.#texts.read(value.sha256)?.toString('utf8') : undefined) ?? value;
	}

	/** Keeps the zip of an ability that is deleted; returns its name for `zipOf`, or `undefined` if it cannot be kept. */
	keepZip(zip: Uint8Array): string | undefined {
		if (isOff() || this.#isGone || zip.length > zipLimits.bytes) {
			return undefined;
		}

		try {
			const name = this.#zips.keep(zip);
			const recent = this.#zips.list().filter(({at}) => Date.now() - at < zipLimits.ageMilliseconds);
			this.#zips.keepOnly(recent.slice(0, zipLimits.count).map(each => each.name));
			return name;
		} catch {
			return undefined;
		}
	}

	zipOf(name: string): Uint8Array | undefined {
		return this.#zips.read(name);
	}

	/** Calls back after each change that this process adds or settles; the function returned ends that. */
	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	}

	/** Takes texts that another account had, each with its time. */
	async takeOver(prompts: readonly KeptPrompt[]): Promise<void> {
		await this.#file.locked(() => {
			this.#sync();
			const lines = [...this.#readAll(), ...this.#textLines(prompts)];
			const byTime = lines
				.filter(line => line.entry?.version !== undefined)
				.toSorted((first, second) => Date.parse(first.entry!.at) - Date.parse(second.entry!.at));
			const versionOf = new Map(
				[...Map.groupBy(byTime, ({entry}) => entry!.record).values()].flatMap(same =>
					same.map((line, index) => [line, index + 1] as const),
				),
			);
			this.#file.rewrite(
				lines.map(line => (versionOf.has(line) ? JSON.stringify({...parseObject(line.text), version: versionOf.get(line)!}) : line.text)),
			);
		});
	}

	/** Removes the log with its texts and zips, and what a writer that was killed has left. */
	async remove(): Promise<void> {
		const names = this.#names();
		if (names.length > 0) {
			await this.#file.locked(() => {
				for (const name of names) {
					rmSync(path.join(this.#folder, name), {force: true, recursive: true});
				}
			});
		}
	}

	/** Gives it to the account under another name. */
	async rename(account: string): Promise<void> {
		const names = this.#names();
		if (names.length > 0) {
			await this.#file.locked(() => {
				for (const name of names) {
					const target = path.join(this.#folder, name.replace(this.#name, nameOf(account)));
					rmSync(target, {force: true, recursive: true});
					renameSync(path.join(this.#folder, name), target);
				}
			});
		}
	}

	#names(): readonly string[] {
		return existsSync(this.#folder) ? readdirSync(this.#folder).filter(name => name.startsWith(this.#name) && !name.endsWith('.lock')) : [];
	}

	/** The entries as they were added, the newest first. */
	*#raw(): Generator<LogEntry, void> {
		yield* this.#memory.toReversed();
		const entries = this.#entries;
		for (let index = entries.length - 1; entries === this.#entries; index--) {
			if (index < 0) {
				index = this.#readBack() - 1;
			}

			if (index < 0) {
				return;
			}

			yield entries[index]!;
		}
	}

	/** Reads what was added since, also by an earlier program. */
	#sync(): void {
		this.#readOn();
	}

	#readOn(): void {
		const lines = this.#file.readOn();
		if (typeof lines === 'string') {
			this.#isGone ||= lines === 'gone';
			this.#entries = [];
			this.#lineCount = undefined;
		} else {
			this.#entries.push(...this.#take(lines, true));
		}
	}

	/** Returns how many entries there were in the piece before; 0 at the beginning of the file. */
	#readBack(): number {
		for (;;) {
			const lines = this.#file.readBack();
			const entries = this.#take(lines, false);
			this.#entries.unshift(...entries);
			if (entries.length > 0 || lines.length === 0) {
				return entries.length;
			}
		}
	}

	#take(texts: readonly string[], areNewer: boolean): readonly LogEntry[] {
		const lines = texts.map(text => readLine(text)).filter(line => line !== undefined);
		const settlements = lines.flatMap(({settles, settlement}) => (settles === undefined ? [] : [[settles, settlement!] as const]));
		for (const [id, settlement] of new Map(settlements)) {
			if (areNewer || !this.#settlements.has(id)) {
				this.#settlements.set(id, settlement);
			}
		}

		const entries = lines.flatMap(({entry}) => entry ?? []);
		for (const {id} of entries) {
			this.#lastId = Math.max(this.#lastId, id);
		}

		return entries;
	}

	#readAll(): readonly Line[] {
		return this.#file
			.readAll()
			.map(text => readLine(text))
			.filter(line => line !== undefined);
	}

	/** Writes under the lock; in memory where nothing is kept. */
	async #write(sentence: string, action: () => void): Promise<void> {
		try {
			if (this.#isKept()) {
				await this.#file.locked(() => {
					this.#sync();
					action();
				});
			} else {
				try {
					this.#sync();
				} catch {
					// Then nothing of it is shown either.
				}

				action();
			}
		} catch (error) {
			throw this.#failure('not-kept', sentence, error);
		}

		for (const listener of this.#listeners) {
			listener();
		}
	}

	#isKept(): boolean {
		return !this.#isGone && !isOff();
	}

	#add(changes: readonly NewEntry[]): ReadonlyArray<LogEntry | undefined> {
		const known = this.#raw()
			.take(maximumRecent)
			.map(entry => settled(entry, this.#settlements.get(entry.id)))
			.filter(entry => entry !== undefined);
		const recent = Map.groupBy([...known].toReversed(), entry => placeOf(entry));
		const lines: Line[] = [];
		const added = changes.map(change => {
			const place = placeOf(change);
			const earlier = recent.get(place) ?? [];
			const meanwhile = earlier.filter(({state, at}) => state !== undefined || Date.parse(at) >= change.since);
			const same = meanwhile
				.map(other => ({...other, to: this.whole(other.to)}))
				.filter(other => isSameChange(change.isSeen ? other : change, change.isSeen ? change : other));
			if (change.isSeen && same.length > 0) {
				return undefined;
			}

			const from = (change.isSeen ? meanwhile.findLast(({field}) => field === change.field)?.to : undefined) ?? change.from;
			const line = this.#entryLine({...change, from});
			if (line.entry !== undefined) {
				lines.push(line, ...same.filter(({isSeen}) => isSeen).map(({id}) => this.#settlementLine({id, outcome: 'failed'})));
				recent.set(place, [...earlier, line.entry]);
			}

			return line.entry;
		});
		this.#save(lines);
		return added;
	}

	#textLines(prompts: readonly KeptPrompt[]): readonly Line[] {
		return prompts.map(({agentId, name, at, via, text, version}) =>
			lineOf({
				id: ++this.#lastId,
				at: new Date(at).toISOString(),
				by: '',
				via,
				kind: 'agent',
				record: agentId,
				name,
				field: 'prompt',
				from: this.#keptValue(text, true),
				version,
				isText: true,
			}),
		);
	}

	#entryLine({since: _, at, ...given}: NewEntry): Line {
		const isPrompt = given.kind === 'agent' && given.field === 'prompt' && given.isSeen !== true;
		return lineOf({
			...given,
			id: ++this.#lastId,
			at: new Date(at).toISOString(),
			name: given.name.slice(0, maximumNameCharacters),
			version: isPrompt && this.#isKept() ? this.#nextVersion(given.record, given.from) : undefined,
			from: this.#keptValue(given.from, isPrompt),
			to: this.#keptValue(given.to, false),
		});
	}

	#settlementLine({id, ...settlement}: Settlement & {readonly id: number}): Line {
		const {from, to} = settlement;
		return lineOf({
			settles: id,
			at: new Date().toISOString(),
			...settlement,
			...(from !== undefined && {from: this.#keptValue(from, false)}),
			...(to !== undefined && {to: this.#keptValue(to, false)}),
		});
	}

	/** The version of a text that a prompt had; `undefined` for one that is empty, or the newest of its agent already. */
	#nextVersion(agentId: number, text: JsonValue): number | undefined {
		const newest = this.#keptPrompts(agentId)[0];
		return typeof text !== 'string' || text.trim() === '' || (newest !== undefined && this.whole(newest.from) === text)
			? undefined
			: (newest?.version ?? 0) + 1;
	}

	/** A value as it is in a line. A text with half a character is no UTF-8. */
	#keptValue(value: JsonValue, isNeeded: boolean): JsonValue {
		if (typeof value !== 'string' || value.length <= maximumInline || !value.isWellFormed() || !this.#isKept()) {
			return value;
		}

		if (Buffer.byteLength(value) < this.#limits.textBytes) {
			this.#texts.keep(value);
			this.#hasNewTexts = true;
		} else if (isNeeded) {
			throw new SwitchboardError('too-large', `it takes more than ${this.#limits.textBytes / 1024 / 1024} MB`);
		}

		return describeWithStart(value);
	}

	/** The entries whose former prompts are kept, the newest of each agent first. */
	#keptPrompts(agentId?: number): readonly LogEntry[] {
		return newestPrompts([...this.#raw()].filter(({version, record}) => version !== undefined && (agentId ?? record) === record));
	}

	#save(lines: readonly Line[]): void {
		if (lines.length === 0) {
			return;
		}

		const texts = lines.map(({text}) => text);
		if (!this.#isKept()) {
			this.#memory.push(...this.#take(texts, true));
			return;
		}

		this.#lineCount ??= this.#file.readAll().length;
		this.#file.append(texts);
		this.#lineCount += lines.length;
		if (this.#lineCount > maximumEntries || this.#file.bytes > this.#limits.fileBytes || (this.#hasNewTexts && this.#texts.areTooLarge())) {
			this.#trim();
		}

		this.#hasNewTexts = false;
		this.#readOn();
	}

	/** Removes the oldest groups until the others fit, with the texts that nothing needs any more. The newest group stays, and so do the kept prompts. */
	#trim(since = 0): void {
		const lines = this.#readAll();
		const settlements = new Map(lines.map(({settles, settlement}) => [settles, settlement]));
		const prompts = new Set(
			newestPrompts(lines.flatMap(({entry}) => (entry?.version === undefined ? [] : [entry]))).toSorted(
				(first, second) => Date.parse(second.at) - Date.parse(first.at),
			),
		);
		const groups = Map.groupBy(
			lines.filter(({entry}) => entry !== undefined && !prompts.has(entry) && settlements.get(entry.id)?.outcome !== 'failed').toReversed(),
			({entry}) => entry!.group,
		);
		const left = {bytes: this.#limits.fileBytes * leftPart, count: maximumEntries * leftPart};
		const kept = new Set(prompts);
		for (const [index, group] of [...groups.values()].entries()) {
			left.bytes -= group.reduce((sum, {text}) => sum + Buffer.byteLength(text) + 1, 0);
			left.count -= group.length;
			if (index > 0 && (left.bytes < 0 || left.count < 0 || Date.parse(group[0]!.entry!.at) < since)) {
				break;
			}

			for (const {entry} of group) {
				kept.add(entry!);
			}
		}

		const ids = new Set([...kept].map(({id}) => id));
		const rest = lines.filter(({entry, settles}) => (settles === undefined ? entry === undefined || kept.has(entry) : ids.has(settles)));
		this.#texts.keepOnly(
			[...prompts, ...[...kept].filter(entry => !prompts.has(entry))].flatMap(({from, to}) =>
				[from, to].flatMap(value => (isLongText(value) ? [value.sha256] : [])),
			),
		);
		if (rest.length < lines.length) {
			this.#file.rewrite(rest.map(({text}) => text));
		}
	}

	#withReason<T>(sentence: string, action: () => T): T {
		try {
			return action();
		} catch (error) {
			throw this.#failure('unexpected', sentence, error);
		}
	}

	#failure(kind: 'unexpected' | 'not-kept', sentence: string, error: unknown): SwitchboardError {
		const {reason, nextStep} = isNoRoom(error)
			? {reason: 'the disk is full', nextStep: undefined}
			: fileProblem(error, {file: this.#file.path, arePathsShown: this.#arePathsShown});
		return new SwitchboardError(kind, `${sentence}: ${reason}${kind === 'not-kept' ? '.' : ''}`, {nextStep, cause: error});
	}
}

/** The newest texts of each agent that are kept, the newest first. */
const newestPrompts = (entries: readonly LogEntry[]): readonly LogEntry[] =>
	[...Map.groupBy(entries, ({record}) => record).values()].flatMap(same =>
		same.toSorted((first, second) => second.version! - first.version!).slice(0, maximumTexts),
	);

/** The logs of this process: one for each file, however many sessions use it. */
const openLogs = new Map<string, WeakRef<ChangeLog>>();

/**
Opens the log of an account. Nothing is read yet.

@param account - by `presetAccountOf`.
*/
export function openLog(account: string, options: LogOptions = {}): ChangeLog {
	const key = JSON.stringify([account, options]);
	const open = openLogs.get(key)?.deref();
	if (open !== undefined && !open.isGone) {
		return open;
	}

	const log = new ChangeLog(account, options);
	openLogs.set(key, new WeakRef(log));
	return log;
}
