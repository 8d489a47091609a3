import {isDatabaseUrl} from '../platform/database-url.ts';
import {shellWord} from '../settings/sign-in-hint.ts';

/** What a missing argument is and how to find one, by its name in the help. */
const argumentHints: Readonly<Record<string, readonly [what: string, nextStep: string | undefined]>> = {
	ability: ['an ability: its id or its name', 'List them with: switchboard abilities'],
	agent: ['an agent: its id or its name', 'List them with: switchboard agents'],
	file: ['the file to write', 'Example: switchboard backup home.db'],
	folder: ['the folder of an ability', undefined],
	'folder|zip': ['the folder of an ability, or a zip file of it', 'Example: switchboard abilities upload ./pantry'],
	installed: ['an installed ability: its id or its name', 'List them with: switchboard installed'],
	key: ['a key: its id or its name', 'List them with: switchboard keys list'],
	preset: ['the name of a preset', 'List them with: switchboard presets'],
	profile: ['the name of a profile', 'List them with: switchboard profiles'],
	'state-file': ['a state file, or “-” for standard input', 'Write one with: switchboard export home.yaml'],
	shell: ['the name of a shell: bash, zsh or fish', 'Example: switchboard completion bash'],
};

/** What a missing argument is, and the next step. */
export const missingArgumentHint = (name: string): readonly [what: string, nextStep: string | undefined] => argumentHints[name] ?? [`<${name}>`, undefined];

/** How to give a command the options that it needs, by its path. */
const requiredOptionHints: Readonly<Record<string, string>> = {
	'switchboard copy': 'Example: switchboard copy --from ./data --to postgres://home@db/home',
	'switchboard wait': 'Example: switchboard wait pantry --for on',
};

/** The next step where an option is missing without which the command of this path cannot run. */
export const requiredOptionHint = (path: string): string | undefined => requiredOptionHints[path];

/** What to type instead of a word that a command does not take, by the path of the command. */
const strayWordHints: Readonly<Record<string, (word: string) => string | undefined>> = {
	'switchboard agents': word => `To edit that agent: switchboard agents edit ${word} --name NAME`,
	'switchboard abilities': word => `To see that ability: switchboard abilities get ${word}`,
	'switchboard installed': word => `To see that ability: switchboard abilities get ${word}\nTo switch it on: switchboard enable ${word}`,
	'switchboard profiles': word => `To switch to that profile: switchboard profiles use ${word}`,
	'switchboard presets': word => `To apply that preset: switchboard presets apply ${word}`,
	'switchboard login': word => `Use: switchboard login ${word.includes('/') ? '--base-url' : '--profile'} ${word}`,
	'switchboard logout': word => `Use: switchboard logout --profile ${word}`,
	'switchboard check': word => `Use: switchboard check ${isDatabaseUrl(word) ? '--database-url' : '--data'} ${word}`,
	'switchboard migrate': word => `Use: switchboard migrate ${isDatabaseUrl(word) ? '--database-url' : '--data'} ${word}`,
	'switchboard keys create': word => `Use: switchboard keys create --name ${word}`,
	'switchboard serve': word => /^\d+$/.test(word) ? `Use: switchboard serve --port ${word}` : undefined,
};

/** What to type instead of a word that the command of this path does not take; `undefined` if nothing is likely. */
export const strayWordHint = (path: string, word: string): string | undefined => strayWordHints[path]?.(shellWord(word));

/** Verbs of other programs for what ours call otherwise. */
const otherVerbs: Readonly<Record<string, string>> = {info: 'get', ls: 'list', show: 'get'};

const commonVerbs: ReadonlySet<string> = new Set([
	...Object.entries(otherVerbs).flat(),
	'add',
	'create',
	'delete',
	'edit',
	'remove',
	'rm',
	'set',
]);

/** Our verb for this one, if it stands for another. */
export const verbOf = (word: string): string => Object.hasOwn(otherVerbs, word) ? otherVerbs[word]! : word;

/** True for a verb that programs have: it names no record, and is not misspelled. */
export const isCommonVerb = (word: string): boolean => commonVerbs.has(word);

const seeAbility = (name: string | undefined): string => name === undefined ? 'To see an ability: switchboard abilities get ABILITY' : `To see that ability: switchboard abilities get ${name}`;

/** How to see a record, by the path of a command without a subcommand for that. */
const seeingHints: Readonly<Record<string, (name: string | undefined) => string>> = {
	'switchboard agents': () => 'See the agent with: switchboard agents --json',
	'switchboard installed': seeAbility,
	'switchboard profiles': () => 'See the profiles with: switchboard profiles',
	'switchboard presets': () => 'See the presets with: switchboard presets --json',
	'switchboard keys': () => 'See the keys with: switchboard keys list',
};

/** What to type instead of a verb that the command of this path does not have, and the name after it; `undefined` if nothing is likely. */
export const verbHint = (path: string, verb: string, name: string | undefined): string | undefined =>
	verbOf(verb) === 'get' ? seeingHints[path]?.(name === undefined ? undefined : shellWord(name)) : undefined;
