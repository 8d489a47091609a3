export type Capabilities = {
	/** No colours; bold, dim, underline and inverse stay. */
	readonly isColorless: boolean;
	/** No attributes at all, and no way to address the cursor: a printer, a log, an editor's shell window. */
	readonly isDumb: boolean;
	/** How many colours there are: 16, 256 or all. A colour that the terminal does not have is left out. */
	readonly colorBits: 4 | 8 | 24;
	/** Only printable ASCII is shown right. */
	readonly isAscii: boolean;
	/** Somebody listens to the screen rather than looks at it. */
	readonly isScreenReader: boolean;
};

export type Environment = Readonly<Record<string, string | undefined>>;

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/**
A locale without a charset, `C` and `POSIX` above all, has no more than ASCII for sure. Where no locale is set at all,
as over many SSH connections, every terminal of today has UTF-8, except the consoles that must be told.
*/
const hasAsciiOnly = ({LC_ALL: all, LC_CTYPE: characters, LANG: language, TERM: terminal}: Environment): boolean => {
	const locale = [all, characters, language].find(value => isSet(value));
	return locale === undefined ? /^(?:linux|vt\d+|ansi|cons25)/.test(terminal ?? '') : !/utf-?8/i.test(locale);
};

const countColorBits = ({COLORTERM: colors, TERM: terminal = ''}: Environment): 4 | 8 | 24 => {
	if (/truecolor|24bit/i.test(colors ?? '') || /-direct|kitty|ghostty|alacritty/.test(terminal)) {
		return 24;
	}

	return terminal.includes('256') ? 8 : 4;
};

/** What the terminal can show, as far as the environment tells. `NO_COLOR` counts when it is not empty (no-color.org). */
export const detectCapabilities = (env: Environment): Capabilities => {
	const isDumb = env['TERM'] === 'dumb';
	return {
		isColorless: isDumb || isSet(env['NO_COLOR']) || /-m(?:ono)?$|^vt[12]\d\d/.test(env['TERM'] ?? ''),
		isDumb,
		colorBits: countColorBits(env),
		isAscii: hasAsciiOnly(env),
		// The second is what programs made with Ink listen to.
		isScreenReader: (isSet(env['ACCESSIBLE']) && env['ACCESSIBLE'] !== '0') || env['INK_SCREEN_READER'] === 'true',
	};
};
