import {Buffer} from 'node:buffer';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {pipeline} from 'node:stream/promises';
import {environmentWithoutKeys} from '../platform/secret-variables.ts';
import {isOverSsh, isSet, type TerminalEnvironment} from './capabilities.ts';

export type ClipboardOptions = {
	readonly env: TerminalEnvironment;
	readonly platform: NodeJS.Platform;
	write(sequence: string): void;
	/** How long a tool may take; two seconds by default. A tool whose desktop session has ended would wait for ever. */
	readonly toolMilliseconds?: number | undefined;
};

/** Copies a text to the clipboard. Resolves with false if there is none. */
export type Clipboard = (text: string) => Promise<boolean>;

type Tool = readonly [command: string, ...arguments_: string[]];

/** Sets tmux's buffer, and with OSC 52 the clipboard of the terminal outside, whatever its options say; `-w` since tmux 3.2. */
const tmuxTool: Tool = ['tmux', 'load-buffer', '-w', '-'];

/** Returns the clipboard of the terminal only. A dumb terminal would print the sequence. */
export function createTerminalClipboard(write: ClipboardOptions['write'], env: TerminalEnvironment = {}): Clipboard {
	return async text => {
		if (env['TERM'] === 'dumb') {
			return false;
		}

		write(osc52(text, env));
		return true;
	};
}

/**
OSC 52, with which a terminal sets the clipboard of the machine it runs on, also over SSH. tmux and screen pass on a
wrapped sequence (tmux: with `allow-passthrough`; with `set-clipboard on` it takes the plain form).
*/
function osc52(text: string, {TMUX: tmux, STY: screen}: TerminalEnvironment): string {
	const plain = `\u{1B}]52;c;${Buffer.from(text).toString('base64')}\u{7}`;
	if (isSet(tmux)) {
		return `${plain}\u{1B}Ptmux;\u{1B}${plain}\u{1B}\\`;
	}

	return isSet(screen) ? `\u{1B}P${plain}\u{1B}\\` : plain;
}

/**
Access to the clipboard: with the desktop's tool on this machine; over SSH or without such a tool with OSC 52, sent by tmux if it runs.
`SWITCHBOARD_CLIPBOARD` (`auto`, `native`, `osc52`) overrides this. A missing tool is not an error.
*/
export function createClipboard(options: ClipboardOptions): Clipboard {
	const {env, write, toolMilliseconds = 2000} = options;
	const method = env['SWITCHBOARD_CLIPBOARD'];
	const tools = method === 'osc52' || (isOverSsh(env) && method !== 'native') ? [] : nativeTools(options);
	const copyThroughTerminal = createTerminalClipboard(write, env);
	return async text => {
		for (const tool of tools) {
			if (await runTool(tool, text, toolMilliseconds)) {
				return true;
			}
		}

		return (isSet(env['TMUX']) && (await runTool(tmuxTool, text, toolMilliseconds))) || copyThroughTerminal(text);
	};
}

/** Returns the clipboard tools of the desktop, if there is one. */
function nativeTools({env, platform}: ClipboardOptions): readonly Tool[] {
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
}

/** @returns false if the tool is missing, fails or takes too long. */
async function runTool([command, ...arguments_]: Tool, text: string, timeout: number): Promise<boolean> {
	const tool = spawn(command, arguments_, {stdio: ['pipe', 'ignore', 'ignore'], detached: true, timeout, env: environmentWithoutKeys()});
	try {
		await Promise.all([once(tool, 'close'), pipeline([text], tool.stdin)]);
		return tool.exitCode === 0;
	} catch {
		return false;
	}
}
