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
	'switchboard keys create': word => `Use: switchboard keys create --name ${word}`,
	'switchboard serve': word => /^\d+$/.test(word) ? `Use: switchboard serve --port ${word}` : undefined,
};

/** What to type instead of a word that the command of this path does not take; `undefined` if nothing is likely. */
export const strayWordHint = (path: string, word: string): string | undefined => strayWordHints[path]?.(shellWord(word));
