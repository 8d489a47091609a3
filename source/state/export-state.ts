import {Buffer} from 'node:buffer';
import {categoryLabel, isCategory} from '../interface/categories.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {stringifyJson, type JsonObject, type JsonValue} from '../interface/json.ts';
import {nameIdentity} from '../interface/name-index.ts';
import {tidyTriggerPhrases} from '../interface/names.ts';
import {hasMorePhrases, type Ability, type Agent, type InstalledAbility} from '../interface/records.ts';
import {maximumTextBytes} from './bounded-text.ts';
import {descriptionProblems, phraseProblems, promptProblems} from './field-problems.ts';
import {parseText} from './parse.ts';
import type {PlacedEntry, PlacedValue} from './state.ts';
import {stringifyYaml} from './yaml-text.ts';

export type AccountRecords = {
	readonly agents: readonly Agent[];
	readonly abilities: readonly Ability[];
	readonly installed: readonly InstalledAbility[];
};

type Named = {readonly id: number; readonly name: string};

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The same order on every machine: names differ by more than case. */
const byName = (a: {readonly name: string}, b: {readonly name: string}): number => compareTexts(nameIdentity(a.name), nameIdentity(b.name));

const sharedNames = (records: readonly Named[], noun: string): readonly string[] =>
	[...Map.groupBy(records, ({name}) => nameIdentity(name)).values()]
		.filter(({length}) => length > 1)
		.map(group => `Several ${noun} are named “${group[0]!.name}”: ${group.map(({id, name}) => `${id} (${name})`).join(', ')}.`);

const tiedAbilities = ({agents, abilities}: AccountRecords): readonly Ability[] => {
	const tied = new Set(agents.flatMap(({abilityIds = []}) => abilityIds));
	const tiedNames = new Set(abilities.filter(({id}) => tied.has(id)).map(({name}) => nameIdentity(name)));
	return abilities.filter(({name}) => tiedNames.has(nameIdentity(name)));
};

/** The files beside a state file, by the ids of the records, as the state names them. */
export type StateFiles = {readonly promptFiles?: ReadonlyMap<number, string>; readonly sources?: ReadonlyMap<number, string> | undefined};

/** A state file goes by names, so it cannot hold a record that shares its name. */
const refuseNames = (records: AccountRecords, {sources = new Map()}: StateFiles): void => {
	const shared = [
		...sharedNames(records.installed, 'installed abilities'),
		...sharedNames(records.agents, 'agents'),
		...sharedNames([...new Set([...tiedAbilities(records), ...records.abilities.filter(({id}) => sources.has(id))])], 'abilities'),
	];
	if (shared.length > 0) {
		throw new SwitchboardError('ambiguous', shared.join('\n'), {nextStep: 'Rename or delete the others: a state file goes by names.'});
	}
};

/** The part of an account that a state can hold (`docs/compatibility.md`, State file), with notes on shown fields that it cannot. */
type ExportedState = {readonly value: JsonObject; readonly notes: readonly string[]};

const leftOut = (what: string, name: string, problem: string): string =>
	`Left out the ${what} of ${name}, which no state file can hold. ${problem}`;

/** An object with the fields that are shown. */
const shownFields = (fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
	Object.fromEntries(Object.entries(fields).filter((field): field is [string, JsonValue] => field[1] !== undefined));

/**
The state of an account, in the order of the names. A field that the service does not show is left out.

@param files - prompts that are in files of their own, and the sources of abilities, which are left out without one.
@throws SwitchboardError `ambiguous` with the ids of records that share a name.
*/
export const exportState = (records: AccountRecords, files: StateFiles = {}): ExportedState => {
	refuseNames(records, files);
	const {promptFiles, sources} = files;
	const notes: string[] = [];
	const abilityNames = new Map(records.abilities.map(({id, name}) => [id, name]));

	const installedValue = ({name, raw, isEnabled, triggerPhrases}: InstalledAbility): JsonValue => {
		const phrases = tidyTriggerPhrases(triggerPhrases);
		const [problem] = hasMorePhrases(raw) ? ['There are too many.'] : phraseProblems(phrases);
		if (problem !== undefined) {
			notes.push(leftOut('trigger phrases', name, problem));
		}

		const areShown = raw['trigger_words'] !== undefined && raw['trigger_words'] !== null && problem === undefined;
		// Only the state where nothing else is shown: it is what people write.
		return areShown || isEnabled === undefined ? shownFields({enabled: isEnabled, triggers: areShown ? phrases : undefined}) : isEnabled;
	};

	/** Everything but the source counts when the ability is created. */
	const abilityValue = ({id, category, raw: {description}, triggerPhrases}: Ability): JsonValue => {
		const phrases = tidyTriggerPhrases(triggerPhrases);
		return shownFields({
			source: sources?.get(id),
			category: isCategory(category) ? categoryLabel(category) : undefined,
			description:
				typeof description !== 'string' || description === '' || descriptionProblems(description).length > 0 ? undefined : description,
			triggers: phrases.length === 0 || phraseProblems(phrases).length > 0 ? undefined : phrases,
		});
	};

	const agentValue = ({id: agentId, name, raw: {description}, abilityIds}: Agent): JsonValue => {
		// As the service has it: the decoded prompt is cleaned for the screen.
		const prompt = typeof description === 'string' ? description : undefined;
		const [problem] = promptProblems(prompt ?? '');
		// All names or none, because an apply takes away what a state leaves out.
		const ids = [...new Set(abilityIds)];
		const unknown = ids.filter(id => !abilityNames.has(id));
		notes.push(
			...(problem === undefined ? [] : [leftOut('prompt', name, problem)]),
			...unknown.map(id =>
				leftOut('abilities', name, `It has the ability ${id}, which is not in the list of abilities, so its name is not known.`),
			),
		);
		return shownFields({
			prompt: problem === undefined && promptFiles?.has(agentId) !== true ? prompt : undefined,
			prompt_file: promptFiles?.get(agentId),
			abilities:
				abilityIds && unknown.length === 0
					? ids.map(id => abilityNames.get(id)!).toSorted((a, b) => compareTexts(nameIdentity(a), nameIdentity(b)))
					: undefined,
		});
	};

	const valuesOf = <Record_ extends Named>(list: readonly Record_[], valueOf: (record: Record_) => JsonValue): JsonObject | undefined =>
		list.length === 0 ? undefined : Object.fromEntries(list.toSorted(byName).map(record => [record.name, valueOf(record)]));

	const value = shownFields({
		version: 1,
		installed: valuesOf(records.installed, installedValue),
		abilities:
			sources &&
			valuesOf(
				records.abilities.filter(({id}) => sources.has(id)),
				abilityValue,
			),
		agents: valuesOf(records.agents, agentValue),
	});
	return {value, notes};
};

/**
The text of a state file, which `readState` reads back to the byte: the same for records in any order, and safe to print.

@throws SwitchboardError `too-large` if it is larger than a state file may be.
*/
export const stateText = ({value}: ExportedState, format: 'yaml' | 'json'): string => {
	const text = format === 'json' ? `${stringifyJson(value)}\n` : stringifyYaml(value, {trueStr: 'on', falseStr: 'off'});
	if (Buffer.byteLength(text) > maximumTextBytes) {
		throw new SwitchboardError('too-large', 'The state is larger than 1 MiB, the limit for a state file.', {
			nextStep: 'Shorten the longest prompts: switchboard agents',
		});
	}

	return text;
};

const entriesOf = (value: PlacedValue | undefined): readonly PlacedEntry[] => (value?.kind === 'mapping' ? value.entries : []);

const valueOf = (value: PlacedValue, key: string): PlacedValue | undefined => entriesOf(value).find(entry => entry.key === key)?.value;

/** The words for a file that `lostByExport` cannot read as a state. */
export const noState = 'something else than a state';

/** The comment in the first line that tells editors the schema of the file; empty if there is none. */
export const languageServerLine = (text: string): string => /^# yaml-language-server:[^\n\r]*(?=\r?\n|$)/.exec(text)?.[0] ?? '';

/** The part of a text that no export writes, for a sentence; `undefined` if an export may replace the text. */
export const lostByExport = async (text: string): Promise<string | undefined> => {
	const {root, problems, hasComments} = await parseText(text);
	if (text.trim() === '') {
		return undefined;
	}

	if (hasComments) {
		return 'comments';
	}

	if (problems.length > 0 || root === undefined || valueOf(root, 'version') === undefined) {
		return noState;
	}

	if (valueOf(root, 'abilities') !== undefined) {
		return '“abilities:”';
	}

	const agentFields = new Set(entriesOf(valueOf(root, 'agents')).flatMap(({value}) => entriesOf(value).map(({key}) => key)));
	const lost = ['prompt_file', 'name'].find(field => agentFields.has(field));
	return lost === undefined ? undefined : `“${lost}:”`;
};
