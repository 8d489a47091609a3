import {existsSync} from 'node:fs';
import type {ResourceList} from '../client/client.ts';
import {
	rawName,
	type DecodedRecord,
	type InstalledAbility,
	type Records,
	type Resource,
	type Agent,
	type Named,
} from '../interface/records.ts';
import {listNouns, recordNouns} from '../interface/lists.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {cleanText} from '../interface/clean-text.ts';
import {formatCount} from '../interface/format-count.ts';
import {kindOf} from '../changes/fields.ts';
import {didYouMean, findNamesake, globMatcher, indexNames, isGlob, listCandidates, nameIdentity} from '../interface/name-index.ts';
import {shellWord} from '../platform/shell-word.ts';
import {abilityLookup} from '../interface/installed-lookup.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';

/** Reads a list, warns if records are missing from it, and stores it for shell completion. */
export async function readResourceList<R extends Resource>(
	context: Context,
	{client, lastSeen}: Service,
	resource: R,
): Promise<ResourceList<Records[R]>> {
	context.showProgress(`Reading the list of ${listNouns[resource]} …`);
	const list = await client.list(resource, context.readSignal);
	const {records, leftOutCount, isComplete} = list;
	if (leftOutCount > 0) {
		context.note(
			leftOutCount === 1
				? 'Ignored an entry of the answer that is not a record.'
				: `Ignored ${leftOutCount} entries of the answer that are not records.`,
		);
	}

	if (!isComplete) {
		context.note('The list is incomplete: its next page has been read before, or is on another host, to which the key is not sent.');
	}

	lastSeen.save(resource, {records: records.map(({raw}) => raw), fetchedAt: Date.now()});
	return list;
}

/** Returns the records of a list, for a command that needs nothing else. */
export async function readList<R extends Resource>(context: Context, service: Service, resource: R): Promise<ReadonlyArray<Records[R]>> {
	const {records} = await readResourceList(context, service, resource);
	return records;
}

/** Returns a list that only adds to the output: if it cannot be read, `undefined`, with a note. */
export async function readIfShown<R extends Resource>(
	context: Context,
	service: Service,
	resource: R,
): Promise<ReadonlyArray<Records[R]> | undefined> {
	try {
		return await readList(context, service, resource);
	} catch (error) {
		context.readSignal.throwIfAborted();
		context.note(`Not shown: the list of ${listNouns[resource]}. ${toSwitchboardError(error).message}`);
		return undefined;
	}
}

/** For messages. */
type Wanted = {
	readonly resource: Resource;
	/** False if the command only reads; otherwise the messages say that nothing was done. */
	readonly isToChange?: boolean;
};

/**
Refuses a list with commas that is also the spelling of a name with a comma.

@param words - the parts of the list.
@throws SwitchboardError `ambiguous`, or `not-found` if the parts are not the names of records.
*/
export function refuseSplitNames(records: readonly Named[], words: readonly string[], {resource}: Wanted): void {
	const ids = new Set(records.map(({id}) => String(id)));
	// An id takes precedence over a name.
	const list = `,${words.map(word => (ids.has(word) ? '#' : nameIdentity(word))).join(',')},`;
	const split = records.find(({name}) => {
		const parts = name
			.split(',')
			.map(part => nameIdentity(part))
			.filter(part => part !== '');
		return parts.length > 1 && list.includes(`,${parts.join(',')},`);
	});
	if (split === undefined) {
		return;
	}

	const {find} = indexNames(records);
	const areOthers = words.every(word => ids.has(word) || find(word).length > 0);
	throw new SwitchboardError(
		areOthers ? 'ambiguous' : 'not-found',
		`“${split.name}” has a comma, and commas separate the names of a list. Nothing was done.`,
		{nextStep: `For this ${recordNouns[resource]}, use its id: ${split.id}${areOthers ? ' (or the ids of the others)' : ''}`},
	);
}

/** @throws SwitchboardError `conflict` if another record already has the new name. */
export function refuseTakenName(
	resource: Resource,
	records: readonly DecodedRecord[],
	record: DecodedRecord,
	name: string | undefined,
	nextStep: string,
): void {
	const other = name === undefined ? undefined : findNamesake(records, record, name);
	if (other !== undefined) {
		throw new SwitchboardError('conflict', `The name “${other.name}” is taken by ${kindOf[resource]} ${other.id}. Nothing was done.`, {
			nextStep,
			field: 'name',
		});
	}
}

/** Returns the record with this name or id; throws as the finder does. */
export function findRecord<Record_ extends Named>(records: readonly Record_[], word: string, wanted: Wanted): Record_ {
	return createFinder(records, wanted)(word);
}

/**
Returns a function that finds the record for a word: by its id, or by its name; an id takes precedence (`docs/compatibility.md`, Commands).
It throws a SwitchboardError: `not-found`, or `ambiguous` with the candidates.
*/
function createFinder<Record_ extends Named>(records: readonly Record_[], wanted: Wanted): (word: string) => Record_ {
	// Only the exact digits: “007” is a name.
	const byId = new Map(records.map(record => [String(record.id), record]));
	const names = indexNames(records);

	return word => {
		const candidates = byId.has(word) ? [byId.get(word)!] : names.find(word);
		if (candidates.length > 1) {
			throw new SwitchboardError(
				'ambiguous',
				`Several ${listNouns[wanted.resource]} are named “${word}”: ${listCandidates(candidates)}.${consequenceOf(wanted)}`,
				{nextStep: 'Use the id instead.'},
			);
		}

		if (candidates[0] === undefined) {
			throw notFound(word, names.findNear(word), wanted);
		}

		return candidates[0];
	};
}

const consequenceOf = ({isToChange = true}: Wanted): string => (isToChange ? ' Nothing was done.' : '');

/** @param near - the names that may be meant. */
const notFound = (word: string, near: readonly string[], wanted: Wanted): SwitchboardError =>
	new SwitchboardError('not-found', `There is no ${recordNouns[wanted.resource]} “${word}”.${consequenceOf(wanted)}`, {
		nextStep: didYouMean(near) ?? `List them with: switchboard ${wanted.resource}`,
	});

const maximumNames = 50;

/** Each glob is compared with all names. */
const maximumGlobs = 100;

/**
Replaces each glob with the ids of the records whose names match, and prints the names. An id or a name is not taken for a glob.

@param typed - the words of the command line. A name from standard input means itself.
@throws SwitchboardError `not-found` if no name matches a glob, `usage` if all names do, because a variable beside its star may be unset.
*/
export function expandGlobs(
	context: Context,
	records: readonly Named[],
	words: readonly string[],
	{typed, resource}: {readonly typed: readonly string[]; readonly resource: Resource},
): readonly string[] {
	const ids = new Set(records.map(({id}) => String(id)));
	const names = indexNames(records);
	const typedWords = new Set(typed);
	let globCount = 0;
	return [...new Set(words)].flatMap(word => {
		if (!isGlob(word) || !typedWords.has(word) || ids.has(word) || names.find(word).length > 0) {
			return [word];
		}

		if (++globCount > maximumGlobs) {
			throw new SwitchboardError('usage', `There are more than ${maximumGlobs} globs. Nothing was done.`, {
				nextStep: 'Use several commands, each with some of them.',
			});
		}

		const fits = globMatcher(word);
		const found = records.filter(({name}) => fits(name));
		const glob = cleanText(word);
		if (/^\*+$/.test(word)) {
			throw new SwitchboardError('usage', `“${glob}” is everything: nothing was done.`, {
				nextStep: resource === 'installed' ? 'Use --all if you mean that.' : 'Add a part of the names.',
			});
		}

		if (found.length === 0) {
			const nextStep = `List them with: switchboard ${resource}`;
			throw new SwitchboardError('not-found', `No ${recordNouns[resource]} matches “${glob}”. Nothing was done.`, {nextStep});
		}

		const shown = found
			.slice(0, maximumNames)
			.map(({name}) => name)
			.join(', ');
		const left = found.length - maximumNames;
		context.note(`${glob} matches ${formatCount(found.length)}: ${shown}${left > 0 ? ` and ${formatCount(left)} more` : ''}`);
		return found.map(({id}) => String(id));
	});
}

/**
Finds records by the words of the command line; if they are not found, and a shell has probably replaced a glob with files, the error says
so.
*/
export async function findTyped<Found>({session}: Context, typed: readonly string[], find: () => Promise<Found>): Promise<Found> {
	try {
		return await find();
	} catch (error) {
		const isGlobLost = session === undefined && typed.length > 1 && typed.every(word => existsSync(word));
		throw isGlobLost && error instanceof SwitchboardError && error.kind === 'not-found'
			? error.with({
					nextStep: [error.nextStep, "All these words are names of files here. A glob needs quotes, as in 'lamp*'."]
						.filter(Boolean)
						.join('\n'),
				})
			: error;
	}
}

/** Returns the records with these names or ids, each once, in the order of the words. Throws unless all are found. */
export function findRecords<Record_ extends Named>(
	records: readonly Record_[],
	words: readonly string[],
	wanted: Wanted,
): readonly Record_[] {
	const found = words.map(createFinder(records, wanted));
	return [...new Map(found.map(record => [record.id, record])).values()];
}

/** Reads a list and finds one record in it. */
export async function readAndFind<R extends Resource>(
	context: Context,
	service: Service,
	word: string,
	wanted: Wanted & {readonly resource: R},
): Promise<Records[R]> {
	return findRecord(await readList(context, service, wanted.resource), word, wanted);
}

/** Returns the name, unless a command would take it for an id, an option or standard input. */
export function wordFor(record: DecodedRecord): string {
	return /^-|^\d/.test(rawName(record)) ? String(record.id) : shellWord(record.name);
}

const wanted = {resource: 'installed'} as const;

/**
Returns the installed abilities with these names or ids, each once, in the order of the words.

@throws SwitchboardError `ambiguous` or `not-found`, which says how to install an ability that is not installed.
*/
export async function findInstalled(
	context: Context,
	service: Service,
	records: readonly InstalledAbility[],
	words: readonly string[],
): Promise<readonly InstalledAbility[]> {
	const find = createFinder(records, wanted);
	const found = new Map<number, InstalledAbility>();
	for (const word of words) {
		try {
			const record = find(word);
			found.set(record.id, record);
		} catch (error) {
			const {kind} = toSwitchboardError(error);
			throw kind === 'not-found' ? ((await explainNotFound(context, service, records, word)) ?? error) : error;
		}
	}

	return [...found.values()];
}

/** Explains why a word matches nothing installed, given the abilities too; `undefined` if they cannot be read. */
async function explainNotFound(
	context: Context,
	service: Service,
	records: readonly InstalledAbility[],
	word: string,
): Promise<SwitchboardError | undefined> {
	const abilities = await readList(context, service, 'abilities').catch(() => undefined);
	if (abilities === undefined) {
		return undefined;
	}

	const byId = abilities.find(({id}) => String(id) === word);
	const [ability, ...others] = byId === undefined ? indexNames(abilities).find(word) : [byId];
	if (ability === undefined || others.length > 0) {
		return notFound(word, indexNames([...records, ...abilities]).findNear(word), wanted);
	}

	const installed = records.find(({name}) => name === ability.name);
	return installed === undefined
		? new SwitchboardError('not-found', `${ability.name} is not installed. Nothing was done.`, {
				nextStep: `To install it, use: switchboard install ${wordFor(ability)}`,
			})
		: new SwitchboardError(
				'not-found',
				`${word} is the id of the ability ${ability.name}; the id of the installed ability is ${installed.id}. Nothing was done.`,
				{nextStep: `Use ${installed.id}, or the name.`},
			);
}

/**
Finds the id of the ability that an installed record belongs to. Reads the list of abilities if the service connects the two only by name.
*/
export async function lookUpAbilityIds(
	context: Context,
	service: Service,
	installed: readonly InstalledAbility[],
): Promise<(record: InstalledAbility) => number | undefined> {
	if (installed.every(({abilityId}) => abilityId !== undefined)) {
		return ({abilityId}) => abilityId;
	}

	const abilityOf = abilityLookup(await readList(context, service, 'abilities'));
	return record => record.abilityId ?? abilityOf(record)?.id;
}

export type ChosenAgent = {
	/** Its id, or 0 for the account's default agent, whichever it is. */
	readonly id: number;
	/** For display. */
	readonly name: string;
	/** For `--json`: the service's name, or null for the default agent, which only the service knows. */
	readonly publicName: string | null;
};

export function toChosen(agent: Agent): ChosenAgent {
	return {id: agent.id, name: agent.name, publicName: rawName(agent)};
}

const defaultAgent: ChosenAgent = {id: 0, name: 'the default agent', publicName: null};

/**
Chooses the agent of a conversation: the agent named by a word, else the only agent, else the account's default agent. Without a word, a
note on standard error names the agent.

@param word - an id, or a name in any case; `0` is the default agent unless an agent has that name.
@param doing - begins the note.
@throws SwitchboardError `not-found` or `ambiguous`; `forbidden` for a command that may not be run with the key.
*/
export async function chooseAgent(
	context: Context,
	service: Service,
	word: string | undefined,
	doing = 'Talking to',
): Promise<ChosenAgent> {
	const agents = await readList(context, service, 'agents');
	if (word === '0' && agents.every(({name}) => name !== word)) {
		return defaultAgent;
	}

	if (word !== undefined) {
		return toChosen(findRecord(agents, word, {resource: 'agents', isToChange: context.isChanging}));
	}

	const [only, ...others] = agents;
	if (only !== undefined && others.length === 0) {
		context.note(`${doing} ${only.name}.`);
		return toChosen(only);
	}

	context.note(`${doing} ${defaultAgent.name}.`);
	return defaultAgent;
}
