import {constants, open, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {unreadableText} from '../bundle/file-errors.ts';
import {categoryOf} from '../interface/categories.ts';
import {cleanText} from '../interface/clean-text.ts';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {nameIdentity} from '../interface/name-index.ts';
import {tidyTriggerPhrases} from '../interface/names.ts';
import {cleanName} from '../interface/records.ts';
import {isBeneath} from '../platform/user-folders.ts';
import {maximumTextBytes, readBoundedText} from './bounded-text.ts';
import {checkNames, promptProblems} from './field-problems.ts';
import {parseText, pointerTo, type NodeLimits, type Parsed} from './parse.ts';
import {checkShape} from './schema.ts';
import {problemsError, type AbilityEntry, type AgentEntry, type InstalledEntry, type Place, type Problem, type State} from './state.ts';

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

/** A text that was read: the state, as far as it is usable (`undefined` if the text is not a state), and all problems. */
type InspectedState = {readonly state: State | undefined; readonly problems: readonly Problem[]};

/** An entry of a section. Its value may be of a wrong kind, which the check of the shape has reported. */
type Entry = {readonly name: string; readonly place: Place; readonly pointer: string; readonly value: JsonValue};

/**
Reads the text of a state file (`docs/compatibility.md`, State file), and the files of the prompts that it names. The service is not asked
whether the names in it exist.

@throws SwitchboardError `usage` if the text is too large.
*/
export async function inspectState(text: string, {label, readLimits, ...paths}: ReadStateOptions): Promise<InspectedState> {
	if (text.length > maximumTextBytes) {
		throw new SwitchboardError('usage', `${label} is larger than 1 MB, the limit for a text. Nothing was done.`);
	}

	const parsed = await parseText(text, readLimits);
	const {values} = parsed;
	const stop = parsed.problems.length > 0 ? parsed.problems : formatProblem(values);
	if (stop.length > 0) {
		return {state: undefined, problems: stop};
	}

	const problems = [...parsed.nameProblems, ...checkShape(parsed)];
	const placeOf = (pointer: string): Place => values.get(pointer)!.place;
	const follow = async (pointer: string, find: (written: string) => Promise<string>): Promise<string | undefined> => {
		const written = textOf(values.get(pointer)?.value);
		try {
			return written === undefined ? undefined : await find(written);
		} catch (error) {
			problems.push({place: placeOf(pointer), message: reasonOf(error)});
			return undefined;
		}
	};

	const readPromptFile = createPromptReader(paths);
	const installed = await readEach(values, 'installed', ({name, place, value}): InstalledEntry => {
		const {enabled, triggers}: JsonObject = isJsonObject(value) ? value : {enabled: value};
		return {name, place, isEnabled: stateValues.get(enabled), triggerPhrases: phrasesOf(triggers)};
	});
	const abilities = await readEach(values, 'abilities', async ({name, place, pointer, value}): Promise<AbilityEntry> => {
		const {source, category, description, triggers, create} = fieldsOf(value);
		return {
			name,
			place,
			source: textOf(source) ?? '',
			sourcePath: (await follow(`${pointer}/source`, async written => locateSource(written, paths))) ?? '',
			sourcePlace: source === undefined ? place : placeOf(`${pointer}/source`),
			category: categoryOf(textOf(category) ?? ''),
			description: textOf(description),
			triggerPhrases: phrasesOf(triggers),
			isCreationWanted: create === true,
		};
	});
	const agents = await readEach(values, 'agents', async ({name: key, place, pointer, value}): Promise<AgentEntry> => {
		const {name, prompt, abilities: named} = fieldsOf(value);
		const fromFile = prompt === undefined ? await follow(`${pointer}/prompt_file`, readPromptFile) : undefined;
		problems.push(...promptProblems(fromFile ?? '').map(message => ({place: placeOf(`${pointer}/prompt_file`), message})));
		return {
			key,
			place,
			name: textOf(name),
			prompt: textOf(prompt) ?? fromFile,
			abilities: Array.isArray(named)
				? named.flatMap((one, index) => (typeof one === 'string' ? {name: one, place: placeOf(`${pointer}/abilities/${index}`)} : []))
				: undefined,
		};
	});
	problems.push(...agents.flatMap(agent => checkNames(agent.abilities ?? [])), ...checkNewNames(agents));
	return {problems, state: {label, installed, abilities, agents}};
}

/** In turn: files are read, and their total size is limited. */
async function readEach<Result>(
	values: Parsed['values'],
	section: string,
	read: (entry: Entry) => Promise<Result> | Result,
): Promise<readonly Result[]> {
	const results: Result[] = [];
	for (const [name, value] of Object.entries(fieldsOf(values.get(`/${section}`)?.value))) {
		const pointer = pointerTo(`/${section}`, name);
		results.push(await read({name, place: values.get(pointer)!.keyPlace, pointer, value}));
	}

	return results;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const fieldsOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

const phrasesOf = (value: unknown): readonly string[] | undefined =>
	Array.isArray(value) ? tidyTriggerPhrases(value.filter(item => typeof item === 'string')) : undefined;

/** Returns the problem that makes all others pointless: the text is not a state file of a readable version. */
function formatProblem(values: Parsed['values']): readonly Problem[] {
	const root = values.get('');
	if (root === undefined || !isJsonObject(root.value)) {
		const message = root === undefined ? 'The file is empty.' : 'This is not a state file.';
		return [{place: root?.place ?? start, message: `${message} Begin it with: version: 1`}];
	}

	const {value, place = start} = values.get('/version') ?? {};
	return typeof value === 'number' && Number.isSafeInteger(value) && value > 1
		? [{place, message: `This is version ${value} of the format, which needs a newer Switchboard.`}]
		: [];
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
		throw refused(`${quoted(written)} leaves the folder of the file: use --allow-outside to allow it.`);
	}

	const real = await realpath(place);
	if (!isOutsideAllowed && !isBeneath(await realpath(folder), real)) {
		throw refused(`${quoted(written)} leaves the folder of the file through a link: use --allow-outside to allow it.`);
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
			throw refused('The prompts are larger than 16 MB in all.');
		}

		const text = await readPromptFile(written, rules);
		length += text.length;
		return text;
	};
}

/**
Returns the text of a prompt's file.

@throws SwitchboardError `usage`, naming the path, if it breaks the rules, or is not a regular file, larger than 1 MB, not UTF-8 or empty.
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
