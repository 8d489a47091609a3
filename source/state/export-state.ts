import {Buffer} from 'node:buffer';
import {categoryLabel, isCategory} from '../interface/categories.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {stringifyJson, type JsonObject, type JsonValue} from '../interface/json.ts';
import {nameIdentity} from '../interface/name-index.ts';
import {tidyTriggerPhrases} from '../interface/names.ts';
import {hasMorePhrases, type Ability, type Agent, type InstalledAbility, type Named} from '../interface/records.ts';
import {maximumTextBytes} from './bounded-text.ts';
import {descriptionProblems, phraseProblems, promptProblems} from './field-problems.ts';
import {parseText} from './parse.ts';
import {stringifyYaml} from './yaml-text.ts';

export type ExportedRecords = {
	readonly agents: readonly Agent[];
	readonly abilities: readonly Ability[];
	readonly installed: readonly InstalledAbility[];
};

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts in one order on every machine. */
const compareNames = (a: string, b: string): number => compareTexts(nameIdentity(a), nameIdentity(b)) || compareTexts(a, b);

const groupShared = <Record_ extends Named>(records: readonly Record_[]): ReadonlyArray<readonly Record_[]> =>
	[...Map.groupBy(records, ({name}) => name).values()].filter(({length}) => length > 1);

/** Returns the records that a state file can hold: it identifies records by name, so it leaves out records that share one. */
export function withoutShared<Record_ extends Named>(records: readonly Record_[]): readonly Record_[] {
	const shared = new Set(groupShared(records).flat());
	return records.filter(record => !shared.has(record));
}

/** Returns a note for each name that several records have, with the records that are left out. */
const sharedNotes = (records: readonly Named[], noun: string, consequence = ''): readonly string[] =>
	groupShared(records).map(
		group =>
			`Left out the ${noun} ${group.map(({id}) => id).join(', ')}: all are named “${group[0]!.name}”, and a state file refers to records by name.${consequence}`,
	);

type StateFiles = {readonly promptFiles?: ReadonlyMap<number, string>; readonly sources?: ReadonlyMap<number, string> | undefined};

/** The part of an account that a state can hold (`docs/compatibility.md`, State file), with notes on shown fields that it cannot. */
type ExportedState = {
	readonly value: JsonObject;
	readonly notes: readonly string[];
	/** True if records are left out because they share their names. */
	readonly areNamesShared: boolean;
};

const leftOut = (what: string, name: string, problem: string): string =>
	`Left out the ${what} of ${name}, which no state file can hold. ${problem}`;

const shownFields = (fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
	Object.fromEntries(Object.entries(fields).filter((field): field is [string, JsonValue] => field[1] !== undefined));

/**
Returns the state of an account, in the order of the names. A field that the service does not show is left out.

@param files - prompts that are kept in separate files, and the sources of abilities; an ability without a source is left out.
*/
export function exportState({installed, agents, abilities}: ExportedRecords, {promptFiles, sources}: StateFiles = {}): ExportedState {
	const shared: string[] = [
		...sharedNotes(installed, 'installed abilities', ' With --prune, apply would switch them off.'),
		...sharedNotes(agents, 'agents'),
		...(sources === undefined ? [] : sharedNotes(abilities, 'sources of the abilities')),
	];
	const sharedAbilities = groupShared(abilities);
	const notes: string[] = [];
	const abilityNames = new Map(abilities.map(({id, name}) => [id, name]));

	const installedValue = ({name, raw, isEnabled, triggerPhrases}: InstalledAbility): JsonValue => {
		const phrases = tidyTriggerPhrases(triggerPhrases);
		const [problem] = hasMorePhrases(raw) ? ['There are too many.'] : phraseProblems(phrases);
		if (problem !== undefined) {
			notes.push(leftOut('trigger phrases', name, problem));
		}

		const areShown = raw['trigger_words'] !== undefined && raw['trigger_words'] !== null && problem === undefined;
		// The short form if only the state is shown: it is what people write.
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
		// As the service has it, because the decoded prompt is cleaned for the screen.
		const prompt = typeof description === 'string' ? description : undefined;
		const [problem] = promptProblems(prompt ?? '');
		// All names or none: an apply would remove abilities that the list leaves out.
		const ids = [...new Set(abilityIds)];
		const unknown = ids.filter(id => !abilityNames.has(id));
		const sharedTies = sharedAbilities.filter(group => group.some(({id}) => ids.includes(id)));
		notes.push(
			...(problem === undefined ? [] : [leftOut('prompt', name, problem)]),
			...unknown.map(id =>
				leftOut('abilities', name, `It has the ability ${id}, which is not in the list of abilities, so its name is not known.`),
			),
		);
		shared.push(
			...sharedTies.map(group =>
				leftOut('abilities', name, `The abilities ${group.map(({id}) => id).join(', ')} are all named “${group[0]!.name}”.`),
			),
		);
		return shownFields({
			prompt: problem === undefined && promptFiles?.has(agentId) !== true ? prompt : undefined,
			prompt_file: promptFiles?.get(agentId),
			abilities:
				abilityIds && unknown.length + sharedTies.length === 0
					? ids.map(id => abilityNames.get(id)!).toSorted((a, b) => compareNames(a, b))
					: undefined,
		});
	};

	const valuesOf = <Record_ extends Named>(list: readonly Record_[], valueOf: (record: Record_) => JsonValue): JsonObject | undefined => {
		const named = withoutShared(list).toSorted((a, b) => compareNames(a.name, b.name));
		return named.length === 0 ? undefined : Object.fromEntries(named.map(record => [record.name, valueOf(record)]));
	};

	const value = shownFields({
		version: 1,
		installed: valuesOf(installed, installedValue),
		abilities:
			sources &&
			valuesOf(
				withoutShared(abilities).filter(({id}) => sources.has(id)),
				abilityValue,
			),
		agents: valuesOf(agents, agentValue),
	});
	return {value, notes: [...shared, ...notes], areNamesShared: shared.length > 0};
}

/**
Ends an export that left out records because they share their names. The rest was written.

@throws SwitchboardError `some-failed`
*/
export function refuseSharedNames({areNamesShared}: ExportedState): void {
	if (areNamesShared) {
		throw new SwitchboardError('some-failed', 'Some records were left out, because others have the same names.', {
			nextStep: 'Rename or delete the others, then export again.',
		});
	}
}

/**
Returns the text of a state file, which `readState` reads back to the byte: the same text for records in any order, and safe to print.

@throws SwitchboardError `too-large` if it is larger than a state file may be.
*/
export function stateText({value}: ExportedState, format: 'yaml' | 'json'): string {
	const text = format === 'json' ? `${stringifyJson(value)}\n` : stringifyYaml(value, {trueStr: 'on', falseStr: 'off'});
	if (Buffer.byteLength(text) > maximumTextBytes) {
		throw new SwitchboardError('too-large', 'The state is larger than 1 MB, the limit for a state file.', {
			nextStep: 'Shorten the longest prompts: switchboard agents',
		});
	}

	return text;
}

/** The words for a file that `lostByExport` cannot read as a state. */
export const noState = 'something else than a state';

/** Returns the comment in the first line that tells editors the schema of the file; empty if there is none. */
export function languageServerLine(text: string): string {
	return /^# yaml-language-server:[^\n\r]*(?=\r?\n|$)/.exec(text)?.[0] ?? '';
}

/** Returns the part of a text that no export writes, for a sentence; `undefined` if an export may replace the text. */
export async function lostByExport(text: string): Promise<string | undefined> {
	const {values, problems, hasComments} = await parseText(text);
	if (text.trim() === '') {
		return undefined;
	}

	if (hasComments) {
		return 'comments';
	}

	if (problems.length > 0 || !values.has('/version')) {
		return noState;
	}

	const lost = [...values.keys()]
		.map(pointer => /^\/(abilities)$|^\/agents\/[^/]*\/(prompt_file|name)$/.exec(pointer))
		.find(found => found !== null);
	return lost === undefined ? undefined : `“${lost[1] ?? lost[2]}:”`;
}
