import {path, process, writeFile} from '../helpers/node.ts';
import {build} from 'esbuild';
import {leaveOutUnused} from '../../source/build/patches.ts';
import type {ScreenCondition} from '../helpers/emulated-screen.ts';
import type {PseudoTerminalOptions} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';

/** A program whose screen is measured. */
export type Subject = Pick<PseudoTerminalOptions, 'command' | 'args' | 'env'> & {
	readonly ready: ScreenCondition;
	/** The key that moves the cursor by a row, away from where it starts. */
	readonly moveKey: string;
};

export type Environment = Readonly<Record<string, string>>;

/** The program as it was built. */
export function switchboard(env: Environment, ready: ScreenCondition): Subject {
	return {command: process.execPath, args: [programFile], env, ready, moveKey: 'j'};
}

/** The names that a list of peers shows, as long as ours. */
const peerRows = (count: number): string =>
	Array.from({length: count}, (_, index) => `off  row ${index + 1}`.padEnd(30) + 'skill      a phrase, another phrase       2 days\n').join(
		'',
	);

/** Fzf, which draws what it is given on standard input. */
export async function fzf(folder: string, env: Environment, count: number): Promise<Subject> {
	const file = path.join(folder, `rows-${count}`);
	await writeFile(file, peerRows(count));
	return {command: '/bin/sh', args: ['-c', `exec fzf <"${file}"`], env, ready: `${count}/${count}`, moveKey: 'up'};
}

/** Whiptail, the dialogs of Debian's installer. */
export function whiptail(env: Environment, count: number): Subject {
	return {
		command: 'whiptail',
		args: [
			'--menu',
			'rows',
			'24',
			'78',
			'16',
			...Array.from({length: count}, (_, index) => [`row ${index + 1}`, 'skill   a phrase, another phrase']).flat(),
		],
		env,
		ready: 'row 16',
		moveKey: 'down',
	};
}

/** A plain list drawn by Ink alone, bundled as the program is: what is measured is how it draws, not how it is loaded. */
export async function buildInkList(folder: string): Promise<(env: Environment, count: number) => Subject> {
	const file = path.join(folder, 'ink-list.mjs');
	await build({
		entryPoints: [path.join(import.meta.dirname, 'ink-list.tsx')],
		outfile: file,
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		jsx: 'automatic',
		minify: true,
		define: {'process.env.NODE_ENV': '"production"'},
		plugins: [...leaveOutUnused],
		banner: {js: "import {createRequire} from 'node:module'; const require = createRequire(import.meta.url);"},
		logLevel: 'warning',
	});
	return (env, count) => ({command: process.execPath, args: [file, String(count)], env, ready: 'row 12', moveKey: 'j'});
}
