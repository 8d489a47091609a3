import {assert, test} from '../helpers/node.ts';
import {detectCapabilities, type Capabilities, type TerminalEnvironment} from '../../source/terminal/capabilities.ts';

/** What is detected in each environment. */
type Case<Name extends keyof Capabilities = keyof Capabilities> = readonly [
	title: string,
	name: Name,
	...expected: ReadonlyArray<readonly [Capabilities[Name], ...environments: readonly TerminalEnvironment[]]>,
];

const cases: readonly Case[] = [
	[
		'there are no colours if NO_COLOR is not empty or the terminal has none',
		'isColorless',
		[true, {NO_COLOR: '1'}, {NO_COLOR: '0'}, {TERM: 'dumb'}, {TERM: 'vt100'}, {TERM: 'xterm-mono'}],
		[false, {}, {NO_COLOR: ''}, {TERM: 'xterm', CI: '1'}, {TERM: 'linux'}],
	],
	['a dumb terminal gets plain text', 'isDumb', [true, {TERM: 'dumb'}], [false, {TERM: 'xterm'}, {}]],
	[
		'the colour depth is the one that the terminal announces',
		'colorBits',
		[4, {}, {TERM: 'linux'}],
		[8, {TERM: 'xterm-256color'}],
		[24, {TERM: 'xterm', COLORTERM: 'truecolor'}, {TERM: 'xterm-kitty'}],
	],
	[
		'only ASCII is shown if the locale is not UTF-8, by the precedence of its variables',
		'isAscii',
		[true, {LANG: 'C'}, {LANG: 'POSIX'}, {LANG: 'de_DE'}, {LANG: 'en_US.ISO-8859-1'}],
		[true, {LC_ALL: 'C', LANG: 'de_DE.UTF-8'}, {LC_CTYPE: 'C', LANG: 'de_DE.UTF-8'}],
		[false, {LANG: 'C.UTF-8'}, {LANG: 'de_DE.utf8'}, {LC_ALL: 'en_US.UTF-8', LANG: 'C'}, {LC_ALL: '', LC_CTYPE: 'C.UTF-8'}],
	],
	[
		'more than ASCII is shown without a locale, except on a console',
		'isAscii',
		[false, {}, {TERM: 'xterm-256color'}, {TERM: 'linux', LANG: 'C.UTF-8'}],
		[true, {TERM: 'linux'}, {TERM: 'vt220'}],
	],
	[
		'whole frames are drawn only if SWITCHBOARD_WRITER is “plain”',
		'isPlain',
		[true, {SWITCHBOARD_WRITER: 'plain'}],
		[false, {SWITCHBOARD_WRITER: 'fast'}, {SWITCHBOARD_WRITER: ''}, {}],
	],
	[
		'a screen reader is known by either variable',
		'isScreenReader',
		[true, {ACCESSIBLE: '1'}, {INK_SCREEN_READER: 'true'}],
		[false, {ACCESSIBLE: '0'}, {ACCESSIBLE: ''}, {INK_SCREEN_READER: 'false'}, {}],
	],
];

for (const [title, name, ...expected] of cases) {
	test(title, () => {
		for (const [value, ...environments] of expected) {
			for (const env of environments) {
				assert.equal(detectCapabilities(env)[name], value, JSON.stringify(env));
			}
		}
	});
}
