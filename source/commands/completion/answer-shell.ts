import type {Argument, Command, Option} from 'commander';
import {categoryLabel, categoryMeanings, categoryOf, categoryWords} from '../../interface/categories.ts';
import {endpoints} from '../../interface/endpoints.ts';
import {agentFilter} from '../../interface/filter.ts';
import {decodeList} from '../../interface/lists.ts';
import {findCaseVariants, indexNames} from '../../interface/name-index.ts';
import {resources, type Resource, type Named} from '../../interface/records.ts';
import {presetAccountOf} from '../../settings/account.ts';
import {openPresets} from '../../settings/presets.ts';
import {localProfileName} from '../../settings/profile.ts';
import {peekSettings} from '../../settings/settings.ts';
import {resolveTarget, type Target} from '../../settings/target.ts';
import {argumentsOf, commandPath, optionsOf, parseWords, subcommandsOf, type ParsedWords} from '../command-tree.ts';
import {topics} from '../help.ts';

/** A possible word at the cursor. */
type Candidate = {
	readonly word: string;
	/** For the shells that show it. */
	readonly meaning?: string | undefined;
	/** True if the word matches in any case, as the name of a record does. */
	readonly isAnyCase?: boolean;
	/** True for a name that looks like an option and must come after `--`. */
	readonly isAfterDashes?: boolean;
};

/** The names of the profiles and of the bundled service. */
const profileNames = (): readonly Candidate[] => [
	...peekSettings()
		.profiles()
		.map(({name, baseAddress}) => ({word: name, meaning: baseAddress})),
	{word: localProfileName, meaning: 'the bundled service on this machine'},
];

type NamesOptions = {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly profile: string | undefined;
	readonly baseUrl: string | undefined;
	/** The data folder of the bundled service, from `--data`, and its database, from `--database-url`. */
	readonly data: string | undefined;
	readonly databaseUrl: string | undefined;
};

/** Returns the target of a command with these options. */
const targetOf = (options: NamesOptions): Target =>
	resolveTarget({...options, settings: peekSettings(), isInsecureHttpAllowed: true, isForUi: false});

type Names = (options: NamesOptions) => readonly Candidate[] | Promise<readonly Candidate[]>;

/** The names that an argument takes, by its name in the help. */
const namesByPlaceholder: Readonly<Record<string, Names>> = {
	profile: profileNames,
	agent: async options => recordNames('agents', options),
	ability: async options => recordNames('abilities', options),
	installed: async options => recordNames('installed', options),
	key: keyNames,
	preset: presetNames,
	// The person may look for a change of any record.
	async record(options) {
		const names = await Promise.all(resources.map(async resource => recordNames(resource, options)));
		return names.flat();
	},
	// Ends with the identifier.
	path: () => Object.values(endpoints).map(({path, summary}) => ({word: path.split('{', 1)[0]!, meaning: summary})),
};

const choicesOf = ({argChoices = []}: Option | Argument): readonly Candidate[] => argChoices.map(word => ({word}));

const categories = (): readonly Candidate[] =>
	categoryWords.map(word => {
		const category = categoryOf(word)!;
		return {word, meaning: word === categoryLabel(category) ? categoryMeanings[category] : `the same as ${categoryLabel(category)}`};
	});

const days: readonly Candidate[] = [{word: 'today'}, {word: 'yesterday'}];

/** The values that an option takes, by its flags with the name of the value if others have another meaning. */
const namesByOption: Readonly<
	Record<string, (names: NamesOptions, typed: string) => readonly Candidate[] | Promise<readonly Candidate[]>>
> = {
	'--profile': profileNames,
	'--agent': async names => recordNames('agents', names),
	'--ability': async names => recordNames('abilities', names),
	'--abilities': async (names, typed) => inList(typed, await recordNames('abilities', names, true)),
	'--except': async (names, typed) => inList(typed, await recordNames('installed', names, true)),
	'--category': categories,
	'--filter': filterTermsFor,
	'--since': () => days,
	'--until': () => days,
	'--until <when>': () => [{word: 'tomorrow'}],
	'--for <duration>': () => ['30m', '1h', '2h', '8h'].map(word => ({word})),
};

const optionCandidates = ({command}: ParsedWords): readonly Candidate[] => [
	...optionsOf(command).map(({long, description}) => ({word: long!, meaning: description})),
	{word: '--help', meaning: 'print help'},
];

/** Matches characters that may have a meaning for a shell or end a word in its completion. */
const special = /[^\p{Letter}\p{Mark}\p{Number}%+,\-./_]/u;

const isSpecial = (character: string): boolean => character.codePointAt(0)! < 0x80 && special.test(character);

/** A quote that is still open at the end of a command line. */
type OpenQuote = '"' | "'" | '';

/** Bash replaces the open quote if the word starts with one. */
const withOpenQuote = (text: string, openQuote: OpenQuote): string =>
	openQuote !== '' && text.startsWith(openQuote) ? openQuote + text : text;

const lineOf = (word: string, meaning: string | undefined): string =>
	meaning === undefined || meaning === '' ? word : `${word}\t${meaning}`;

type Env = Readonly<Record<string, string | undefined>>;

/** Finds the candidates for one shell; returns the lines of the answer. */
type Answer = (program: Command, words: readonly string[], env: Env) => Promise<readonly string[]>;

/**
Bash breaks words at an open quote and at characters such as `=`, and replaces only the last piece, with exactly the answer. The first word
is that piece; the others are as they were typed.
*/
const answerBash: Answer = async (program, [piece = '', ...words], env) => {
	const last = words.at(-1) ?? '';
	const {openQuote, lengthBeforeQuote} = unquoteBash(last);
	const isQuoted = openQuote !== '';
	const lengthBefore = isQuoted ? lengthBeforeQuote : unquoteBash(last.slice(0, last.length - piece.length)).text.length;
	const candidates = await completeWords(
		program,
		words.map(word => unquoteBash(word).text),
		env,
	);
	return candidates.map(({word, isAfterDashes}) => {
		const rest = quoteForBash(word.slice(lengthBefore), openQuote);
		return isAfterDashes && !isQuoted ? `-- ${rest}` : rest;
	});
};

/** Zsh quotes words itself, except after `--`, and takes their meaning after a tab. */
const answerZsh: Answer = async (program, words, env) => {
	const candidates = await completeWords(program, words, env);
	return candidates.map(({word, meaning, isAfterDashes}) => lineOf(isAfterDashes ? `-- ${word}` : word, meaning));
};

/**
Fish passes the last word as it is typed. It inserts one word at a time, so names that need `--` before them are offered only after it.
*/
const answerFish: Answer = async (program, words, env) => {
	const candidates = await completeWords(program, [...words.slice(0, -1), unquoteBash(words.at(-1) ?? '').text], env);
	const hasNamesAfterDashes = candidates.some(({isAfterDashes}) => isAfterDashes);
	return [
		...candidates.filter(({isAfterDashes}) => !isAfterDashes).map(({word, meaning}) => lineOf(word, meaning)),
		...(hasNamesAfterDashes ? [lineOf('--', 'names follow')] : []),
	];
};

const answers: Readonly<Record<string, Answer>> = {bash: answerBash, zsh: answerZsh, fish: answerFish};

/** Returns the candidates for a shell, one a line. */
export async function answerShell(program: Command, shell: string, words: readonly string[], env: Env): Promise<readonly string[]> {
	return (answers[shell] ?? answerUnnamed)(program, words, env);
}

/** The script of an earlier version does not name a shell, and passes words as they were typed. */
const answerUnnamed: Answer = async (program, words, env) =>
	answerFish(
		program,
		words.map(word => unquoteBash(word).text),
		env,
	);

type Unquoted = {
	readonly text: string;
	readonly openQuote: OpenQuote;
	/** The length of the text before the open quote; of the whole text if no quote is open. */
	readonly lengthBeforeQuote: number;
};

/** Unquotes an unfinished word as bash does. */
function unquoteBash(word: string): Unquoted {
	let text = '';
	let openQuote: OpenQuote = '';
	let lengthBeforeQuote = 0;
	for (let index = 0; index < word.length; index++) {
		const character = word[index]!;
		const next = word[index + 1] ?? '';
		if (character === openQuote) {
			openQuote = '';
		} else if (openQuote === '' && (character === '"' || character === "'")) {
			openQuote = character;
			lengthBeforeQuote = text.length;
		} else if (character === '\\' && openQuote !== "'" && (openQuote === '' || '\\"$`'.includes(next))) {
			text += next;
			index++;
		} else {
			text += character;
		}
	}

	return {text, openQuote, lengthBeforeQuote: openQuote === '' ? text.length : lengthBeforeQuote};
}

/**
Returns the names in a list, from the service that a command with these options would use, with ids instead of ambiguous names; empty if
they are not known.

@param isListed - true if several may be given, separated by commas.
*/
async function recordNames(resource: Resource, options: NamesOptions, isListed = false): Promise<readonly Candidate[]> {
	const {namesSeen} = await import('./quick-look.ts');
	const seen = await namesSeen(targetOf(options), resource);
	const records = decodeList(resource, seen?.records)?.records ?? [];
	return toCandidates(records, record => ('category' in record ? categoryLabel(record.category) : ''), isListed);
}

/** Returns each record by its name, or by its id if several share the spelling or the name cannot be in a list with commas. */
function toCandidates<Record_ extends Named>(
	records: readonly Record_[],
	meaningOf: (record: Record_) => string,
	isListed = false,
): readonly Candidate[] {
	const ids = new Set(records.map(({id}) => String(id)));
	const names = indexNames(records);
	const variants = findCaseVariants(records.map(({name}) => name));
	return records.map(record => {
		const {id, name} = record;
		// An id takes precedence over a name.
		const isClear = names.find(name).length === 1 && !ids.has(name) && !(isListed && name.includes(','));
		return isClear ? {word: name, meaning: meaningOf(record), isAnyCase: !variants.has(name)} : {word: String(id), meaning: name};
	});
}

/** Returns the keys of the bundled service; none if there is no database, which is not created. */
async function keyNames({env, data, databaseUrl}: NamesOptions): Promise<readonly Candidate[]> {
	const [{chooseLocation}, {hasStore}] = await Promise.all([import('../database-option.ts'), import('../../service/store/open-store.ts')]);
	const location = await chooseLocation({data, databaseUrl}, env);
	if (!(await hasStore(location))) {
		return [];
	}

	const {openApiKeys} = await import('../../service/accounts.ts');
	await using keys = await openApiKeys(location);
	return toCandidates(await keys.list(), ({account}) => `account ${account}`);
}

/** Returns the presets for the service that a command with these options would use. */
function presetNames(options: NamesOptions): readonly Candidate[] {
	const presets = openPresets(presetAccountOf(targetOf(options)), {
		note() {
			/* Completion prints no notices. */
		},
	}).peek();
	return presets.map(({name, on, off}) => ({word: name, meaning: `${on.length} on, ${off.length} off`, isAnyCase: true}));
}

/** For a list with commas: the text before the last comma stays. */
function inList(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
	const before = typed.slice(0, typed.lastIndexOf(',') + 1);
	return candidates.map(candidate => ({...candidate, word: before + candidate.word}));
}

/** For the last term of a filter line: the terms of lists in the shell. */
async function filterTermsFor(options: NamesOptions, typed: string): Promise<readonly Candidate[]> {
	// Without a service, the other terms are completed all the same.
	const names = (await recordNames('agents', options).catch(() => [])).map(({word}) => word);
	const terms = [
		'is:on',
		'is:off',
		'is:timed',
		...categories().map(({word}) => `category:${word}`),
		...names.map(name => agentFilter([name], names)),
	];
	const before = /^(?:.*\s)?!?/su.exec(typed)![0];
	return terms.map(term => ({word: before + term}));
}

/**
Returns the possible words at the cursor.

@param words - the words after the program's name up to the cursor, unquoted; the last one as far as it is typed.
*/
async function completeWords(program: Command, words: readonly string[], env: NamesOptions['env']): Promise<readonly Candidate[]> {
	const typed = words.at(-1) ?? '';
	const parsed = parseWords(program, words.slice(0, -1));
	const {profile, baseUrl, data, databaseUrl} = parsed.values;
	const names: NamesOptions = {env, profile, baseUrl, data, databaseUrl};
	return chooseCandidates(await candidatesFor(typed, parsed, names), typed);
}

/**
Returns the candidates that start with the typed text, in any case. Shells replace the typed text with the common start of all candidates.
So if there are several, each begins exactly with the typed text, and no typed text is lost.
*/
function chooseCandidates(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
	const wanted = typed.normalize('NFC');
	const fitting = candidates
		.map(candidate => ({...candidate, word: candidate.word.normalize('NFC')}))
		.filter(({word}) => word.slice(0, wanted.length).toLowerCase() === wanted.toLowerCase());
	return fitting.length < 2
		? fitting
		: fitting
				.filter(({word, isAnyCase}) => isAnyCase === true || word.startsWith(wanted))
				.map(candidate => ({...candidate, word: wanted + candidate.word.slice(wanted.length)}));
}

async function candidatesFor(typed: string, parsed: ParsedWords, names: NamesOptions): Promise<readonly Candidate[]> {
	if (parsed.awaiting !== undefined) {
		return valuesOf(parsed.awaiting, typed, names);
	}

	if (/^--[\w-]+=/.test(typed) && !parsed.isAfterOptions) {
		return joinedValueCandidates(typed, parsed, names);
	}

	const isOption = typed.startsWith('-') && !parsed.isAfterOptions;
	return [
		...(isOption ? optionCandidates(parsed) : [...subcommandCandidates(parsed, typed), ...helpCandidates(parsed)]),
		...(await argumentCandidates(parsed, names)),
	];
}

async function valuesOf(option: Option, typed: string, names: NamesOptions): Promise<readonly Candidate[]> {
	const choices = choicesOf(option);
	const find = namesByOption[option.flags] ?? namesByOption[option.long!];
	return (await find?.(names, typed)) ?? (option.long === '--columns' ? inList(typed, choices) : choices);
}

/** For a value typed in one word with its option: `--profile=wo`. */
async function joinedValueCandidates(typed: string, {command}: ParsedWords, names: NamesOptions): Promise<readonly Candidate[]> {
	const [flag] = typed.split('=', 1);
	const option = optionsOf(command).find(({long, required}) => required && long === flag);
	const values = option === undefined ? [] : await valuesOf(option, typed.slice(flag!.length + 1), names);
	return values.map(candidate => ({...candidate, word: `${flag}=${candidate.word}`}));
}

/** An alias is offered only once it is begun. */
function subcommandCandidates({command, operands}: ParsedWords, typed = ''): readonly Candidate[] {
	const candidates = (subcommand: Command): readonly Candidate[] => [
		{word: subcommand.name(), meaning: subcommand.description()},
		...(typed === '' ? [] : subcommand.aliases().map(word => ({word, meaning: `the same as ${subcommand.name()}`}))),
	];
	return operands.length > 0 ? [] : subcommandsOf(command).flatMap(subcommand => candidates(subcommand));
}

/** For `help`: the subcommands of the command so far, and for the first word the topics. */
function helpCandidates({command, operands}: ParsedWords): readonly Candidate[] {
	if (command.name() !== 'help' || command.parent === null) {
		return [];
	}

	const commands = subcommandCandidates(parseWords(command.parent, operands));
	if (operands.length > 0) {
		return commands;
	}

	// A topic takes precedence over a command of that name.
	const names = new Set<string>(topics.map(({name}) => name));
	return [...topics.map(({name, description}) => ({word: name, meaning: description})), ...commands.filter(({word}) => !names.has(word))];
}

/** The words that end the arguments of a command. */
const lastWords: Readonly<Record<string, readonly Candidate[]>> = {'timers set': [{word: 'on'}, {word: 'off'}]};

async function argumentCandidates({command, operands, isAfterOptions}: ParsedWords, names: NamesOptions): Promise<readonly Candidate[]> {
	const all = argumentsOf(command);
	const last = all.at(-1);
	const argument = all[operands.length] ?? (last?.variadic ? last : undefined);
	if (argument === undefined) {
		return [];
	}

	const found = argument.argChoices === undefined ? ((await namesByPlaceholder[argument.name()]?.(names)) ?? []) : choicesOf(argument);
	const candidates = [...found, ...(operands.length > 0 ? (lastWords[commandPath(command).join(' ')] ?? []) : [])];
	return candidates
		.filter(({word}) => !operands.includes(word))
		.map(candidate => ({...candidate, isAfterDashes: !isAfterOptions && candidate.word.startsWith('-')}));
}

/**
Quotes a text for an interactive bash, including `!`, which recalls an earlier line within double quotes and can only be escaped outside of
them.

@param openQuote - the open quote before the text; bash closes it itself.
*/
function quoteForBash(text: string, openQuote: OpenQuote): string {
	switch (openQuote) {
		case '"': {
			const quoted = text.replaceAll(/["$\\`]/g, String.raw`\$&`).replaceAll('!', String.raw`"\!"`);
			// Bash takes a quote at the end for the closing one.
			return withOpenQuote(text.endsWith('!') ? `${quoted}"` : quoted, openQuote);
		}

		case "'": {
			return withOpenQuote(text.replaceAll("'", String.raw`'\''`), openQuote);
		}

		default: {
			return [...text].map(character => (isSpecial(character) ? `\\${character}` : character)).join('');
		}
	}
}
