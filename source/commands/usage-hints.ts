import {shellWord} from '../settings/sign-in-hint.ts';

/** What an argument is, by the name that the help gives it, and where to find one. */
const argumentHints: Readonly<Record<string, readonly [what: string, nextStep: string]>> = {
	ability: ['an ability: its id, or its name', 'See them with: switchboard abilities'],
	agent: ['an agent: its id, or its name', 'See them with: switchboard agents'],
	'folder|zip': ['the folder of an ability, or a zip of it', 'As in: switchboard abilities upload ./pantry'],
	key: ['a key: its id, or its name', 'See them with: switchboard keys list'],
	profile: ['the name of a profile', 'See them with: switchboard profiles'],
	shell: ['the name of a shell: bash, zsh or fish', 'As in: switchboard completion bash'],
};

/** What is missing where an argument is, and what to type. */
export const missingArgumentHint = (name: string): readonly [what: string, nextStep: string | undefined] => argumentHints[name] ?? [`<${name}>`, undefined];

/** What was probably meant by a word that a command does not take, by the command's path: what to type instead. */
const strayWordHints: Readonly<Record<string, (word: string) => string | undefined>> = {
	'switchboard agents': word => `To change that agent: switchboard agents edit ${word} --name NAME`,
	'switchboard abilities': word => `To see that ability: switchboard abilities get ${word}`,
	'switchboard installed': word => `To see that ability: switchboard abilities get ${word}\nTo switch it on: switchboard enable ${word}`,
	'switchboard profiles': word => `To make that profile the current one: switchboard profiles use ${word}`,
	'switchboard login': word => `Type: switchboard login ${word.includes('/') ? '--base-url' : '--profile'} ${word}`,
	'switchboard logout': word => `Type: switchboard logout --profile ${word}`,
	'switchboard keys create': word => `Type: switchboard keys create --name ${word}`,
	'switchboard serve': word => /^\d+$/.test(word) ? `Type: switchboard serve --port ${word}` : undefined,
};

/** What to type in place of a word that the command of this path does not take; `undefined` where nothing is likely. */
export const strayWordHint = (path: string, word: string): string | undefined => strayWordHints[path]?.(shellWord(word));
