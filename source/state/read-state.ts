import {SwitchboardError} from '../interface/errors.ts';
import {maximumTextBytes} from './bounded-text.ts';
import {checkNames, checkNewNames} from './check-names.ts';
import {checkShape} from './check-shape.ts';
import {parseText} from './parse.ts';
import {createPromptReader, locateSource, type PathRules} from './paths.ts';
import {type PlacedEntry, type PlacedValue} from './placed.ts';
import {problemsError, type Problem} from './problems.ts';
import {
	readAbility,
	readAgent,
	readInstalled,
	type Reading,
} from './read-entries.ts';
import {stateSchema} from './schema.ts';
import {type Place, type State} from './state.ts';

export type ReadStateOptions = PathRules & {
	/** Names the file in messages. */
	readonly label: string;
};

const start: Place = {line: 1, column: 1};

const beginning = 'Begin it with: version: 1';

/** The problem that makes all others pointless: this is no state file that can be read here. */
const formatProblem = (root: PlacedValue | undefined): Problem | undefined => {
	if (root === undefined) {
		return {place: start, message: `The file is empty. ${beginning}`};
	}

	if (root.kind !== 'mapping') {
		return {place: root.place, message: `This is no state file. ${beginning}`};
	}

	const version = root.entries.find(({key}) => key === 'version')?.value;
	return version?.kind === 'scalar' && typeof version.value === 'number' && Number.isSafeInteger(version.value) && version.value > 1
		? {place: version.place, message: `This is version ${version.value} of the format, which needs a newer Switchboard.`}
		: undefined;
};

const section = (root: PlacedValue, name: string): readonly PlacedEntry[] => {
	const value = root.kind === 'mapping' ? root.entries.find(({key}) => key === name)?.value : undefined;
	return value?.kind === 'mapping' ? value.entries : [];
};

/** One after the other: files are read, and what they may hold together is limited. */
const readEach = async <Result>(root: PlacedValue, name: string, read: (entry: PlacedEntry) => Promise<Result> | Result): Promise<readonly Result[]> => {
	const results: Result[] = [];
	for (const entry of section(root, name)) {
		results.push(await read(entry));
	}

	return results;
};

const namesIn = (root: PlacedValue, name: string) => section(root, name).map(({key, keyPlace}) => ({name: key, place: keyPlace}));

/**
Reads the text of a state file (`CONTRACT.md`, The state file), and the files of the prompts that it names. The service is not asked
whether the names in it exist.

@throws SwitchboardError `usage` with a line for every problem, each with its place in the file.
*/
export const readState = async (text: string, {label, ...paths}: ReadStateOptions): Promise<State> => {
	if (text.length > maximumTextBytes) {
		throw new SwitchboardError('usage', `${label} is larger than 1 MiB, the limit for a text. Nothing was done.`);
	}

	const {root, problems: syntaxProblems} = parseText(text);
	const problems = [...syntaxProblems];
	const stop = problems.length > 0 ? undefined : formatProblem(root);
	if (root === undefined || stop !== undefined) {
		throw problemsError(label, stop === undefined ? problems : [stop]);
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
	if (problems.length > 0) {
		throw problemsError(label, problems);
	}

	return {
		label, installed, abilities, agents,
	};
};
