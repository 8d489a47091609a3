import {spawn} from 'node:child_process';
import {cleanText} from '../../interface/clean-text.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {type Environment} from './capabilities.ts';
import {splitShellWords} from './split-shell-words.ts';

export type Editor = {
	readonly program: string;
	readonly args: readonly string[];
	/** The variable that names it; `undefined` where none does and it is the editor that every Unix has. */
	readonly variable: 'VISUAL' | 'EDITOR' | undefined;
};

const howToSet = 'Set VISUAL or EDITOR to the editor that you want, with its arguments.';

/**
The person's editor: what `VISUAL` names, else `EDITOR`, else `vi`. Arguments may stand behind it, quoted as in a shell.

@throws SwitchboardError `usage` where the variable cannot be read as a command.
*/
export const findEditor = (env: Environment, platform: NodeJS.Platform): Editor => {
	const variable = (['VISUAL', 'EDITOR'] as const).find(name => (env[name] ?? '').trim() !== '');
	if (variable === undefined) {
		return {program: 'vi', args: [], variable};
	}

	// There a backslash parts the folders of a path.
	const line = platform === 'win32' ? env[variable]!.replaceAll('\\', String.raw`\\`) : env[variable]!;
	const [program, ...args] = splitShellWords(line) ?? [];
	if (program === undefined || program === '') {
		throw new SwitchboardError('usage', `${variable} is no command: “${cleanText(env[variable]!, 80)}”.`, {nextStep: howToSet});
	}

	return {program, args, variable};
};

const startError = ({program, variable}: Editor, error: unknown): SwitchboardError => {
	const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
	const name = cleanText(program, 80);
	const origin = variable === undefined ? '' : `, which ${variable} names`;
	const messages: Readonly<Record<string, string>> = {
		ENOENT: variable === undefined ? 'Neither VISUAL nor EDITOR is set, and there is no vi here.' : `There is no program ${name}${origin}.`,
		EACCES: `${name}${origin}, may not be run.`,
	};
	return new SwitchboardError('usage', messages[code] ?? `${name}${origin}, could not be started (${code}).`, {nextStep: howToSet, cause: error});
};

/**
Opens a file in an editor that has the terminal for itself, and resolves when the person has left it. No shell is run.

@param ending - once it is aborted, the editor is told to end by the signal that is the reason.
@throws SwitchboardError `usage` where it cannot be started, `unexpected` where it says that it failed, `interrupted` where
it was told to end, however it ended then.
*/
export const runEditor = async (editor: Editor, file: string, ending?: AbortSignal): Promise<void> => {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const name = cleanText(editor.program, 80);
	const child = spawn(editor.program, [...editor.args, file], {stdio: 'inherit'});
	const tellToEnd = (): void => {
		child.kill(ending?.reason as NodeJS.Signals);
	};

	ending?.addEventListener('abort', tellToEnd, {once: true});
	child.on('error', error => {
		ending?.removeEventListener('abort', tellToEnd);
		reject(startError(editor, error));
	});
	child.on('exit', (code, signal) => {
		ending?.removeEventListener('abort', tellToEnd);
		if (ending?.aborted) {
			reject(new SwitchboardError('interrupted', 'Switchboard was ended meanwhile.'));
		} else if (code === 0) {
			resolve();
		} else {
			reject(new SwitchboardError('unexpected', `${name} ended with ${signal ?? `exit code ${code}`}.`));
		}
	});
	return promise;
};
