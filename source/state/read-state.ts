import {constants, open, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {unreadableText} from '../bundle/file-errors.ts';
import {abilityLimits} from '../interface/ability-package/limits.ts';
import {categoryOf} from '../interface/categories.ts';
import {cleanText} from '../interface/clean-text.ts';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {nameIdentity} from '../interface/name-index.ts';
import {straightenPhrase, tidyTriggerPhrases} from '../interface/names.ts';
import {cleanName} from '../interface/records.ts';
import {isBeneath} from '../platform/user-folders.ts';
import {maximumTextBytes, readBoundedText} from './bounded-text.ts';
import {descriptionProblems, nameProblems, newNameProblems, phraseProblems, promptProblems} from './field-problems.ts';
import {parseText, type NodeLimits} from './parse.ts';
import {checkShape, stateSchema} from './schema.ts';
import {
	problemsError,
	type AbilityEntry,
	type AgentEntry,
	type InstalledEntry,
	type NamedPlace,
	type Place,
	type PlacedEntry,
	type PlacedValue,
	type Problem,
	type State,
} from './state.ts';

const stateValues: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
	['on', true],
	[true, true],
	['off', false],
	[false, false],
]);

type PathRules = {
	/** The folder that paths are relative to. */
	readonly folder: string;
	/** True if a path may lead out of the folder. */
	readonly isOutsideAllowed: boolean;
	/** False if no path may be named at all. */
	readonly arePathsAllowed: boolean;
};

export type ReadStateOptions = PathRules & {
	/** Names the file in messages. */
	readonly label: string;
	/** Called for a text that is not small; the usual limits by default. */
	readonly readLimits?: () => Promise<NodeLimits>;
};

const start: Place = {line: 1, column: 1};

const beginning = 'Begin it with: version: 1';

/** A text that was read: the state, as far as it is usable (`undefined` if the text is not a state), and all problems. */
type InspectedState = {readonly state: State | undefined; readonly problems: readonly Problem[]};

type Report = (place: Place, ...messages: readonly string[]) => void;

/** The tools of the readers of entries. A value of the wrong kind is left out, because the check of the shape has reported it. */
type Reading = {
	readonly report: Report;
	/** The absolute path of an ability's folder or zip. */
	readonly locateSource: (written: string) => Promise<string>;
	readonly readPromptFile: (written: string) => Promise<string>;
};

/**
Reads the text of a state file (`docs/compatibility.md`, State file), and the files of the prompts that it names. The service is not asked
whether the names in it exist.

@throws SwitchboardError `usage` if the text is too large.
*/
export async function inspectState(text: string, {label, readLimits, ...paths}: ReadStateOptions): Promise<InspectedState> {
	if (text.length > maximumTextBytes) {
		throw new SwitchboardError('usage', `${label} is larger than 1 MiB, the limit for a text. Nothing was done.`);
	}

	const {root, problems: syntaxProblems} = await parseText(text, readLimits);
	const problems = [...syntaxProblems];
	const stop = problems.length > 0 ? undefined : formatProblem(root);
	if (root === undefined || stop !== undefined) {
		return {state: undefined, problems: stop === undefined ? problems : [stop]};
	}

	problems.push(...checkShape(stateSchema, root, 'The file'));
	const reading: Reading = {
		report(place, ...messages) {
			problems.push(...messages.map(message => ({place, message})));
		},
		locateSource: async written => locateSource(written, paths),
		readPromptFile: createPromptReader(paths),
	};
	const installed = await readEach(root, 'installed', entry => readInstalled(entry, reading));
	const abilities = await readEach(root, 'abilities', async entry => readAbility(entry, reading));
	const agents = await readEach(root, 'agents', async entry => readAgent(entry, reading));
	problems.push(
		...['installed', 'abilities', 'agents'].flatMap(name => checkNames(namesIn(root, name))),
		...agents.flatMap(agent => checkNames(agent.abilities ?? [])),
		...checkNewNames(agents),
	);
	return {problems, state: {label, installed, abilities, agents}};
}

/** Returns the problem that makes all others pointless: the text is not a state file of a readable version. */
function formatProblem(root: PlacedValue | undefined): Problem | undefined {
	if (root === undefined) {
		return {place: start, message: `The file is empty. ${beginning}`};
	}

	if (root.kind !== 'mapping') {
		return {place: root.place, message: `This is not a state file. ${beginning}`};
	}

	const version = root.entries.find(({key}) => key === 'version')?.value;
	return version?.kind === 'scalar' && typeof version.value === 'number' && Number.isSafeInteger(version.value) && version.value > 1
		? {place: version.place, message: `This is version ${version.value} of the format, which needs a newer Switchboard.`}
		: undefined;
}

/**
Returns the place of an ability's folder or zip, which is not read.

@throws SwitchboardError `usage`, naming the path, if it breaks the rules or is not there.
*/
async function locateSource(written: string, rules: PathRules): Promise<string> {
	try {
		const place = await locate(written, rules);
		const stats = await stat(place);
		if (!stats.isDirectory() && !stats.isFile()) {
			throw refused(`${quoted(written)} is neither a folder nor a zip.`);
		}

		return place;
	} catch (error) {
		throw pathError(written, error);
	}
}

/** Returns the place of a path, with all links followed. */
async function locate(written: string, {folder, isOutsideAllowed, arePathsAllowed}: PathRules): Promise<string> {
	if (!arePathsAllowed) {
		throw refused('No paths are allowed here, so neither “abilities” nor “prompt_file” is: give prompts in “prompt”.');
	}

	if (written === '') {
		throw refused('A path is empty.');
	}

	const place = path.resolve(folder, written);
	if (!isOutsideAllowed && (path.isAbsolute(written) || !isBeneath(path.resolve(folder), place))) {
		throw refused(`${quoted(written)} leaves the folder of the file: use --allow-outside if it may.`);
	}

	const real = await realpath(place);
	if (!isOutsideAllowed && !isBeneath(await realpath(folder), real)) {
		throw refused(`${quoted(written)} leaves the folder of the file through a link: use --allow-outside if it may.`);
	}

	return real;
}

const refused = (message: string): SwitchboardError => new SwitchboardError('usage', message);

const quoted = (written: string): string => `“${cleanText(written, 120)}”`;

/** The error for a path that cannot be used, as a sentence that names it. */
const pathError = (written: string, error: unknown): SwitchboardError =>
	error instanceof SwitchboardError ? error : new SwitchboardError('usage', `${quoted(written)} ${unreadableText(error)}.`, {cause: error});

/** Returns `readPromptFile` with a limit for all prompts together. */
function createPromptReader(rules: PathRules): (written: string) => Promise<string> {
	let length = 0;
	return async written => {
		if (length > maximumPromptLength) {
			throw refused('The prompts are larger than 16 MiB in all.');
		}

		const text = await readPromptFile(written, rules);
		length += text.length;
		return text;
	};
}

/**
Returns the text of a prompt's file.

@throws SwitchboardError `usage`, naming the path, if it breaks the rules, or is not a regular file, larger than 1 MiB, not UTF-8 or empty.
*/
async function readPromptFile(written: string, rules: PathRules): Promise<string> {
	try {
		const place = await locate(written, rules);
		// A pipe that nobody writes to would hold up the opening.
		// eslint-disable-next-line no-bitwise -- Flags are bits.
		await using handle = await open(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		if (!(await handle.stat()).isFile()) {
			throw refused(`${quoted(written)} is not a file.`);
		}

		const text = await readBoundedText(handle.createReadStream({autoClose: false}), quoted(written));
		if (text.trim() === '') {
			throw refused(`${quoted(written)} is empty: for an empty prompt write “prompt: ''”.`);
		}

		return text;
	} catch (error) {
		throw pathError(written, error);
	}
}

/** In turn: files are read, and their total size is limited. */
async function readEach<Result>(
	root: PlacedValue,
	name: string,
	read: (entry: PlacedEntry) => Promise<Result> | Result,
): Promise<readonly Result[]> {
	const results: Result[] = [];
	for (const entry of section(root, name)) {
		results.push(await read(entry));
	}

	return results;
}

function section(root: PlacedValue, name: string): readonly PlacedEntry[] {
	const value = root.kind === 'mapping' ? root.entries.find(({key}) => key === name)?.value : undefined;
	return value?.kind === 'mapping' ? value.entries : [];
}

const readInstalled = ({key, keyPlace, value}: PlacedEntry, {report}: Reading): InstalledEntry => ({
	name: key,
	place: keyPlace,
	isEnabled: readEnabled(value.kind === 'mapping' ? field(value, 'enabled') : value),
	triggerPhrases: readPhrases(field(value, 'triggers'), report),
});

const readEnabled = (value: PlacedValue | undefined): boolean | undefined =>
	value?.kind === 'scalar' ? stateValues.get(value.value) : undefined;

const field = (value: PlacedValue, name: string): PlacedValue | undefined =>
	value.kind === 'mapping' ? value.entries.find(({key}) => key === name)?.value : undefined;

function readPhrases(value: PlacedValue | undefined, report: Report): readonly string[] | undefined {
	const phrases = placedTexts(value);
	if (value === undefined || phrases === undefined) {
		return undefined;
	}

	for (const {text, place} of phrases) {
		report(place, ...phraseProblems([straightenPhrase(text.trim())]));
	}

	const tidy = tidyTriggerPhrases(phrases.map(({text}) => text));
	if (tidy.length > abilityLimits.triggerPhrases) {
		report(value.place, phraseProblems(tidy)[0]!);
	}

	return tidy;
}

type PlacedText = {readonly text: string; readonly place: Place};

const placedTexts = (value: PlacedValue | undefined): readonly PlacedText[] | undefined =>
	value?.kind === 'list' ? value.items.map(item => placedText(item)).filter(item => item !== undefined) : undefined;

const placedText = (value: PlacedValue | undefined): PlacedText | undefined =>
	value?.kind === 'scalar' && typeof value.value === 'string' ? {text: value.value, place: value.place} : undefined;

async function readAbility({key, keyPlace, value}: PlacedEntry, reading: Reading): Promise<AbilityEntry> {
	const {report} = reading;
	const source = field(value, 'source');
	const category = placedText(field(value, 'category'));
	const create = field(value, 'create');
	return {
		name: key,
		place: keyPlace,
		source: placedText(source)?.text ?? '',
		sourcePath: (await followPath(source, report, reading.locateSource)) ?? '',
		sourcePlace: source?.place ?? keyPlace,
		category: category && categoryOf(category.text),
		description: readText(field(value, 'description'), report, descriptionProblems),
		triggerPhrases: readPhrases(field(value, 'triggers'), report),
		isCreationWanted: create?.kind === 'scalar' && create.value === true,
	};
}

/** Follows a path; a problem with it is reported at its place in the file. */
async function followPath(
	value: PlacedValue | undefined,
	report: Report,
	follow: (written: string) => Promise<string>,
): Promise<string | undefined> {
	const written = placedText(value);
	if (written === undefined) {
		return undefined;
	}

	try {
		return await follow(written.text);
	} catch (error) {
		report(written.place, reasonOf(error));
		return undefined;
	}
}

/** Reads a text that is stored as it is. */
function readText(value: PlacedValue | undefined, report: Report, problemsOf: (text: string) => readonly string[]): string | undefined {
	const written = placedText(value);
	if (written !== undefined) {
		report(written.place, ...problemsOf(written.text));
	}

	return written?.text;
}

async function readAgent({key, keyPlace, value}: PlacedEntry, reading: Reading): Promise<AgentEntry> {
	const {report} = reading;
	const abilities = placedTexts(field(value, 'abilities'))?.map(({text, place}): NamedPlace => ({name: text, place}));
	return {
		key,
		place: keyPlace,
		name: readText(field(value, 'name'), report, newNameProblems),
		prompt: await readPrompt(value, reading),
		abilities,
	};
}

async function readPrompt(value: PlacedValue, reading: Reading): Promise<string | undefined> {
	const {report} = reading;
	const file = field(value, 'prompt_file');
	const inline = field(value, 'prompt');
	if (inline !== undefined && file !== undefined) {
		report(file.place, '“prompt” and “prompt_file” cannot be used together.');
		return undefined;
	}

	const text = readText(inline, report, promptProblems) ?? (await followPath(file, report, reading.readPromptFile));
	if (file !== undefined && text !== undefined) {
		report(file.place, ...promptProblems(text));
	}

	return text;
}

/** Problems with names that must differ from all names before them. Names that differ in case only may be two records. */
function checkNames(names: readonly NamedPlace[]): readonly Problem[] {
	const first = new Map<string, NamedPlace>();
	return names.flatMap((named): readonly Problem[] => {
		const {name, place} = named;
		const problems = nameProblems(name);
		if (problems.length > 0) {
			return problems.map(message => ({place, message}));
		}

		const earlier = first.get(cleanName(name));
		first.set(cleanName(name), earlier ?? named);
		return earlier === undefined ? [] : [{place, message: `“${cleanName(name)}” is here twice, first in line ${earlier.place.line}.`}];
	});
}

const namesIn = (root: PlacedValue, name: string) => section(root, name).map(({key, keyPlace}) => ({name: key, place: keyPlace}));

/** Problems with new names: after `apply`, the key or the new name must still mean the same agent. */
function checkNewNames(agents: readonly AgentEntry[]): readonly Problem[] {
	const owners = new Map(agents.map(agent => [nameIdentity(agent.key), agent]));
	return agents.flatMap((agent): readonly Problem[] => {
		if (agent.name === undefined || nameIdentity(agent.name) === '') {
			return [];
		}

		const own = nameIdentity(agent.name);
		if (own === nameIdentity(agent.key)) {
			// Names that differ only in case are left to planning, which knows the agents.
			return [];
		}

		const owner = owners.get(own) ?? agent;
		owners.set(own, owner);
		return owner === agent
			? []
			: [
					{
						place: agent.place,
						message: `“${cleanName(agent.key)}” cannot be renamed “${cleanName(agent.name)}”: that is the name of another agent, in line ${owner.place.line}.`,
					},
				];
	});
}

/**
Reads the text of a state file, as `inspectState` does.

@throws SwitchboardError `usage` with a line for every problem, each with its place in the file.
*/
export async function readState(text: string, options: ReadStateOptions): Promise<State> {
	const {state, problems} = await inspectState(text, options);
	if (state === undefined || problems.length > 0) {
		throw problemsError(options.label, problems);
	}

	return state;
}

/** For all prompts together, so that a small file cannot name one large prompt a thousand times. */
const maximumPromptLength = 16 * maximumTextBytes;
