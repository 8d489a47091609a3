import {Buffer} from 'node:buffer';
import {spawn} from 'node:child_process';
import {type Environment} from './capabilities.ts';

export type ClipboardOptions = {
	readonly env: Environment;
	readonly platform: NodeJS.Platform;
	/** Writes a sequence to the terminal. */
	write(sequence: string): void;
	/** How long a tool may take; two seconds unless given. One whose desktop has gone away would wait for ever. */
	readonly toolMilliseconds?: number | undefined;
};

/** Puts a text on the clipboard and tells by what means, in words for the person. */
export type Clipboard = (text: string) => Promise<string>;

type Tool = readonly [command: string, ...arguments_: string[]];

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** The desktop's own tools, where there is a desktop. */
const nativeTools = ({env, platform}: ClipboardOptions): readonly Tool[] => {
	if (platform === 'darwin') {
		return [['pbcopy']];
	}

	if (platform === 'win32' || isSet(env['WSL_DISTRO_NAME'])) {
		return [['clip.exe']];
	}

	return [
		...(isSet(env['WAYLAND_DISPLAY']) ? [['wl-copy'] as const] : []),
		...(isSet(env['DISPLAY']) ? [['xclip', '-selection', 'clipboard'] as const, ['xsel', '--clipboard', '--input'] as const] : []),
	];
};

/** @returns false where the tool is not there, says no or takes too long. */
const runTool = async ([command, ...arguments_]: Tool, text: string, timeout: number): Promise<boolean> => new Promise(resolve => {
	const tool = spawn(command, arguments_, {stdio: ['pipe', 'ignore', 'ignore'], detached: true, timeout});
	tool.on('error', () => {
		resolve(false);
	});
	tool.on('close', code => {
		resolve(code === 0);
	});
	tool.stdin.on('error', () => {
		resolve(false);
	});
	tool.stdin.end(text);
});

/**
OSC 52, which a terminal carries to the clipboard of the machine it runs on, also over SSH. tmux and screen hand on what
is wrapped for them (tmux: `allow-passthrough`, or `set-clipboard on`, which takes the plain form).
*/
const osc52 = (text: string, {TMUX: tmux, STY: screen}: Environment): string => {
	const plain = `\u{1B}]52;c;${Buffer.from(text).toString('base64')}\u{7}`;
	if (isSet(tmux)) {
		return `${plain}\u{1B}Ptmux;\u{1B}${plain}\u{1B}\\`;
	}

	return isSet(screen) ? `\u{1B}P${plain}\u{1B}\\` : plain;
};

/**
The way to the clipboard: the desktop's own tool on this machine, the terminal's OSC 52 over SSH or where there is no
tool. `SWITCHBOARD_CLIPBOARD` (`auto`, `native`, `osc52`) chooses. No missing tool is an error.
*/
export const createClipboard = (options: ClipboardOptions): Clipboard => {
	const {env, write, toolMilliseconds = 2000} = options;
	const wish = env['SWITCHBOARD_CLIPBOARD'];
	const isRemote = isSet(env['SSH_CONNECTION']) || isSet(env['SSH_TTY']);
	const tools = wish === 'osc52' || (isRemote && wish !== 'native') ? [] : nativeTools(options);
	return async text => {
		for (const tool of tools) {
			if (await runTool(tool, text, toolMilliseconds)) {
				return `by ${tool[0]}`;
			}
		}

		write(osc52(text, env));
		return isSet(env['TMUX']) ? 'through tmux and the terminal (OSC 52)' : 'through the terminal (OSC 52)';
	};
};
