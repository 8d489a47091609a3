import {once} from 'node:events';
import process from 'node:process';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {environmentWithoutKeys} from '../platform/secret-variables.ts';
import {splitCommand} from '../platform/shell-word.ts';
import type {TerminalEnvironment} from './capabilities.ts';

export type Editor = {
	readonly program: string;
	readonly args: readonly string[];
	/** The variable that names it. */
	readonly variable: 'VISUAL' | 'EDITOR';
};

const howToSet = 'Set VISUAL or EDITOR to your editor, with its arguments.';

/**
Returns the editor in `VISUAL`, else in `EDITOR`; `undefined` if neither is set. Arguments may follow it, quoted as in a shell. npm sets a
default for `EDITOR`, which does not count: there only `VISUAL` shows the person's wish.

@throws SwitchboardError `usage` if the variable cannot be parsed as a command.
*/
export function findEditor(env: TerminalEnvironment, platform: NodeJS.Platform): Editor | undefined {
	const variable = (['VISUAL', 'EDITOR'] as const).find(name => isNamed(env, name, platform));
	if (variable === undefined) {
		return undefined;
	}

	const command = splitCommand(env[variable]!, platform);
	if (command === undefined) {
		throw new SwitchboardError('usage', `${variable} is not a valid command: “${cleanText(env[variable]!, 80)}”.`, {nextStep: howToSet});
	}

	return {...command, variable};
}

function isNamed(env: TerminalEnvironment, name: 'VISUAL' | 'EDITOR', platform: NodeJS.Platform): boolean {
	const value = (env[name] ?? '').trim();
	return value !== '' && !(name === 'EDITOR' && env['npm_lifecycle_event'] !== undefined && value === defaultOfNpm(platform));
}

/** The value of `EDITOR` that npm sets for its child processes if the person named no editor (its setting `editor`). */
const defaultOfNpm = (platform: NodeJS.Platform): string => (platform === 'win32' ? 'notepad.exe' : 'vi');

/**
Opens a file in an editor that gets the whole terminal, and resolves when it exits. No shell is run, and no API key is in its environment.

@param ending - once aborted, the editor gets the signal that is the reason.
@throws SwitchboardError `usage` if it cannot be started, `unexpected` if it exits with an error, `interrupted` if `ending` was aborted,
however it exited.
*/
export async function runEditor(editor: Editor, file: string, ending?: AbortSignal): Promise<void> {
	// Most commands and sessions open no editor.
	const {spawn} = process.getBuiltinModule('node:child_process');
	const child = spawn(editor.program, [...editor.args, file], {stdio: 'inherit', env: environmentWithoutKeys()});
	const endEditor = (): void => {
		child.kill(ending?.reason as NodeJS.Signals);
	};

	ending?.addEventListener('abort', endEditor, {once: true});
	try {
		const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
		if (ending?.aborted) {
			throw new SwitchboardError('interrupted', 'Switchboard was terminated while the editor was open.');
		}

		if (code !== 0) {
			throw new SwitchboardError('unexpected', `${cleanText(editor.program, 80)} ended with ${signal ?? `exit code ${code}`}.`);
		}
	} catch (error) {
		throw error instanceof SwitchboardError ? error : startError(editor, error);
	} finally {
		ending?.removeEventListener('abort', endEditor);
	}
}

function startError({program, variable}: Editor, error: unknown): SwitchboardError {
	const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
	const name = cleanText(program, 80);
	const origin = ` (set in ${variable})`;
	const messages: Readonly<Record<string, string>> = {
		ENOENT: `Editor not found: ${name}${origin}.`,
		EACCES: `Permission denied to run ${name}${origin}.`,
	};
	return new SwitchboardError('usage', messages[code] ?? `Could not start ${name}${origin}: ${code}.`, {nextStep: howToSet, cause: error});
}
