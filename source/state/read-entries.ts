import {categoryOf} from '../interface/categories.ts';
import {reasonOf} from '../interface/errors.ts';
import {tidyTriggerPhrases} from '../interface/names.ts';
import {
	descriptionProblems,
	nameProblems,
	phraseCountProblems,
	phraseProblems,
	promptProblems,
} from './field-problems.ts';
import {type PlacedEntry, type PlacedValue} from './placed.ts';
import {
	type AbilityEntry,
	type AgentEntry,
	type InstalledEntry,
	type NamedPlace,
	type Place,
} from './state.ts';

type Report = (place: Place, ...messages: readonly string[]) => void;

/** What the entries are read with. A value of the wrong kind is left out: the check of the shape has reported it. */
export type Reading = {
	readonly report: Report;
	/** The absolute path of an ability's folder or zip. */
	readonly locateSource: (written: string) => Promise<string>;
	readonly readPromptFile: (written: string) => Promise<string>;
};

type PlacedText = {readonly text: string; readonly place: Place};

const field = (value: PlacedValue, name: string): PlacedValue | undefined =>
	value.kind === 'mapping' ? value.entries.find(({key}) => key === name)?.value : undefined;

const placedText = (value: PlacedValue | undefined): PlacedText | undefined =>
	value?.kind === 'scalar' && typeof value.value === 'string' ? {text: value.value, place: value.place} : undefined;

const placedTexts = (value: PlacedValue | undefined): readonly PlacedText[] | undefined =>
	value?.kind === 'list' ? value.items.map(item => placedText(item)).filter(item => item !== undefined) : undefined;

const stateValues: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([['on', true], [true, true], ['off', false], [false, false]]);

const readState = (value: PlacedValue | undefined): boolean | undefined =>
	value?.kind === 'scalar' ? stateValues.get(value.value) : undefined;

const readPhrases = (value: PlacedValue | undefined, report: Report): readonly string[] | undefined => {
	const phrases = placedTexts(value);
	if (value === undefined || phrases === undefined) {
		return undefined;
	}

	for (const {text, place} of phrases) {
		report(place, ...phraseProblems(text.trim()));
	}

	const tidy = tidyTriggerPhrases(phrases.map(({text}) => text));
	report(value.place, ...phraseCountProblems(tidy));
	return tidy;
};

/** Reads a text that is stored as it is. */
const readText = (value: PlacedValue | undefined, report: Report, problemsOf: (text: string) => readonly string[]): string | undefined => {
	const written = placedText(value);
	if (written !== undefined) {
		report(written.place, ...problemsOf(written.text));
	}

	return written?.text;
};

/** Follows a path; a problem with it is reported where it stands. */
const followPath = async (value: PlacedValue | undefined, report: Report, follow: (written: string) => Promise<string>): Promise<string | undefined> => {
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
};

export const readInstalled = ({key, keyPlace, value}: PlacedEntry, {report}: Reading): InstalledEntry => ({
	name: key,
	place: keyPlace,
	isEnabled: readState(value.kind === 'mapping' ? field(value, 'enabled') : value),
	triggerPhrases: readPhrases(field(value, 'triggers'), report),
});

export const readAbility = async ({key, keyPlace, value}: PlacedEntry, reading: Reading): Promise<AbilityEntry> => {
	const {report} = reading;
	const source = field(value, 'source');
	const category = placedText(field(value, 'category'));
	return {
		name: key,
		place: keyPlace,
		source: placedText(source)?.text ?? '',
		sourcePath: await followPath(source, report, reading.locateSource) ?? '',
		sourcePlace: source?.place ?? keyPlace,
		category: category && categoryOf(category.text),
		description: readText(field(value, 'description'), report, descriptionProblems),
		triggerPhrases: readPhrases(field(value, 'triggers'), report),
	};
};

const readPrompt = async (value: PlacedValue, reading: Reading): Promise<string | undefined> => {
	const {report} = reading;
	const file = field(value, 'prompt_file');
	const inline = field(value, 'prompt');
	if (inline !== undefined && file !== undefined) {
		report(file.place, '“prompt” and “prompt_file” cannot be used together.');
		return undefined;
	}

	const text = readText(inline, report, promptProblems) ?? await followPath(file, report, reading.readPromptFile);
	if (file !== undefined && text !== undefined) {
		report(file.place, ...promptProblems(text));
	}

	return text;
};

export const readAgent = async ({key, keyPlace, value}: PlacedEntry, reading: Reading): Promise<AgentEntry> => {
	const {report} = reading;
	const abilities = placedTexts(field(value, 'abilities'))?.map(({text, place}): NamedPlace => ({name: text, place}));
	return {
		key,
		place: keyPlace,
		name: readText(field(value, 'name'), report, nameProblems),
		prompt: await readPrompt(value, reading),
		abilities,
	};
};
