import process from 'node:process';

export type Capabilities = {
	/** No colours; bold, dim, underline and inverse are kept. */
	readonly isColorless: boolean;
	/** No attributes and no cursor addressing: a printer, a log, an editor's shell window. */
	readonly isDumb: boolean;
	/** The colour depth: 16, 256 or all colours. Colours that the terminal lacks are dropped. */
	readonly colorBits: 4 | 8 | 24;
	/** Only printable ASCII is displayed correctly. */
	readonly isAscii: boolean;
	/** Erased cells get the background colour that was set last (`bce` of terminfo). */
	readonly erasesInColor: boolean;
	/** Frames are to be drawn whole, for a terminal that shows changes wrong (`SWITCHBOARD_WRITER=plain`). */
	readonly isPlain: boolean;
	readonly isScreenReader: boolean;
};

export type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

export function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== '';
}

/** Tells whether this is a session over SSH, also where tmux or mosh runs in it. */
export function isOverSsh({SSH_CONNECTION: connection, SSH_TTY: terminal}: TerminalEnvironment): boolean {
	return isSet(connection) || isSet(terminal);
}

/** Returns the abilities of the terminal, and the wishes of its user: no colours, or only ASCII. */
export function chooseCapabilities(
	{isColorWanted, isAscii}: {readonly isColorWanted: boolean; readonly isAscii: boolean},
	env: TerminalEnvironment,
): Capabilities {
	return {...detectCapabilities(env), ...(!isColorWanted && {isColorless: true}), ...(isAscii && {isAscii: true})};
}

/** Tells whether a terminal has no cursor addressing: it gets lines one after another, as a screen reader does. */
export function isLinear({isScreenReader, isDumb}: Pick<Capabilities, 'isScreenReader' | 'isDumb'>): boolean {
	return isScreenReader || isDumb;
}

/**
Current terminals that erase in the colour of the background, according to terminfo. GNU screen does not by default; tmux, which may
call itself screen, does.
*/
const withColoredErasure =
	/^(?:alacritty|foot|ghostty|gnome|iterm|kitty|konsole|linux|mintty|mlterm|nsterm|putty|rxvt|st-|tmux|vte|wezterm|xterm)/;

/** Detects from the environment what the terminal can display. `NO_COLOR` is ignored if empty (no-color.org). */
export function detectCapabilities(env: TerminalEnvironment): Capabilities {
	const isDumb = env['TERM'] === 'dumb';
	return {
		isColorless: isDumb || isSet(env['NO_COLOR']) || /-m(?:ono)?$|^vt[12]\d\d/.test(env['TERM'] ?? ''),
		isDumb,
		colorBits: countColorBits(env),
		isAscii: hasAsciiOnly(env),
		erasesInColor: !isDumb && (isSet(env['TMUX']) || withColoredErasure.test(env['TERM'] ?? '')),
		isPlain: env['SWITCHBOARD_WRITER'] === 'plain',
		// The second is Ink's own variable.
		isScreenReader: (isSet(env['ACCESSIBLE']) && env['ACCESSIBLE'] !== '0') || env['INK_SCREEN_READER'] === 'true',
	};
}

function countColorBits({COLORTERM: colors, TERM: terminal = ''}: TerminalEnvironment): 4 | 8 | 24 {
	if (/truecolor|24bit/i.test(colors ?? '') || /-direct|kitty|ghostty|alacritty/.test(terminal)) {
		return 24;
	}

	return terminal.includes('256') ? 8 : 4;
}

/**
Tells whether the locale guarantees only ASCII: a locale without a charset, such as `C` and `POSIX`, does. Without any locale, as over many
SSH connections, today's terminals support UTF-8, except for consoles.
*/
function hasAsciiOnly({LC_ALL: all, LC_CTYPE: characters, LANG: language, TERM: terminal}: TerminalEnvironment): boolean {
	const locale = [all, characters, language].find(value => isSet(value));
	return locale === undefined ? /^(?:linux|vt\d+|ansi|cons25)/.test(terminal ?? '') : !/utf-?8/i.test(locale);
}

/** With `FORCE_COLOR` beside one of these, Node.js writes a warning, which would appear on the screen. */
const opposites = ['NO_COLOR', 'NODE_DISABLE_COLORS'] as const;

/**
Loads a module that draws with Ink so that it outputs all styles, whatever `CI`, `NO_COLOR`, `TERM` or an option say: only the frame writer
decides what the terminal can display. Chalk reads the environment once, while it loads, and would drop bold and inverse together with the
colours. The environment is restored afterwards.
*/
export async function loadWithForcedColor<Module>(load: () => Promise<Module>): Promise<Module> {
	const before = ['FORCE_COLOR', ...opposites].map(name => [name, process.env[name]] as const);
	process.env['FORCE_COLOR'] = '3';
	for (const name of opposites) {
		Reflect.deleteProperty(process.env, name);
	}

	try {
		return await load();
	} finally {
		for (const [name, value] of before) {
			if (value === undefined) {
				Reflect.deleteProperty(process.env, name);
			} else {
				process.env[name] = value;
			}
		}
	}
}
