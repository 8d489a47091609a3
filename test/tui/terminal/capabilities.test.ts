import {assert, describe, test} from '../../helpers/node.ts';
import {detectCapabilities, type Capabilities, type Environment} from '../../../source/tui/terminal/capabilities.ts';

const detect = <Name extends keyof Capabilities>(name: Name, ...environments: readonly Environment[]): ReadonlyArray<Capabilities[Name]> =>
	environments.map(env => detectCapabilities(env)[name]);

describe('the detected capabilities', () => {
	test('exclude colours if NO_COLOR is not empty or the terminal has none', () => {
		assert.deepEqual(detect('isColorless', {NO_COLOR: '1'}, {NO_COLOR: '0'}, {TERM: 'dumb'}, {TERM: 'vt100'}, {TERM: 'xterm-mono'}), [
			true,
			true,
			true,
			true,
			true,
		]);
		assert.deepEqual(detect('isColorless', {}, {NO_COLOR: ''}, {TERM: 'xterm', CI: '1'}, {TERM: 'linux'}), [false, false, false, false]);
	});

	test('are plain text on a dumb terminal', () => {
		assert.deepEqual(detect('isDumb', {TERM: 'dumb'}, {TERM: 'xterm'}, {}), [true, false, false]);
	});

	test('include the colour depth that the terminal announces', () => {
		assert.deepEqual(
			detect('colorBits', {}, {TERM: 'linux'}, {TERM: 'xterm-256color'}, {TERM: 'xterm', COLORTERM: 'truecolor'}, {TERM: 'xterm-kitty'}),
			[4, 4, 8, 24, 24],
		);
	});

	test('are ASCII only if the locale is not UTF-8, by the precedence of its variables', () => {
		const withoutUtf8 = [
			{LANG: 'C'},
			{LANG: 'POSIX'},
			{LANG: 'de_DE'},
			{LANG: 'en_US.ISO-8859-1'},
			{LC_ALL: 'C', LANG: 'de_DE.UTF-8'},
			{LC_CTYPE: 'C', LANG: 'de_DE.UTF-8'},
		];
		assert.deepEqual(
			detect('isAscii', ...withoutUtf8),
			withoutUtf8.map(() => true),
		);
		assert.deepEqual(
			detect('isAscii', {LANG: 'C.UTF-8'}, {LANG: 'de_DE.utf8'}, {LC_ALL: 'en_US.UTF-8', LANG: 'C'}, {LC_ALL: '', LC_CTYPE: 'C.UTF-8'}),
			[false, false, false, false],
		);
	});

	test('are more than ASCII without a locale, except on a console', () => {
		assert.deepEqual(detect('isAscii', {}, {TERM: 'xterm-256color'}, {TERM: 'linux'}, {TERM: 'vt220'}, {TERM: 'linux', LANG: 'C.UTF-8'}), [
			false,
			false,
			true,
			true,
			false,
		]);
	});

	test('include scrolling a range of rows, except on terminals that are known to lack it', () => {
		assert.deepEqual(
			detect('hasScrollRegions', {TERM: 'xterm-256color'}, {TERM: 'linux'}, {TERM: 'tmux-256color'}, {TERM: 'screen'}, {TERM: 'vt100'}, {}),
			[true, true, true, true, true, true],
		);
		assert.deepEqual(detect('hasScrollRegions', {TERM: 'ansi'}, {TERM: 'cons25'}, {TERM: 'cygwin'}, {TERM: 'sun-color'}, {TERM: 'dumb'}), [
			false,
			false,
			false,
			false,
			false,
		]);
	});

	test('include drawing whole frames only if SWITCHBOARD_WRITER is “plain”', () => {
		assert.deepEqual(detect('isPlain', {SWITCHBOARD_WRITER: 'plain'}, {SWITCHBOARD_WRITER: 'fast'}, {SWITCHBOARD_WRITER: ''}, {}), [
			true,
			false,
			false,
			false,
		]);
	});

	test('include whether a screen reader is in use', () => {
		assert.deepEqual(detect('isScreenReader', {ACCESSIBLE: '1'}, {ACCESSIBLE: '0'}, {ACCESSIBLE: ''}, {}), [true, false, false, false]);
		assert.deepEqual(detect('isScreenReader', {INK_SCREEN_READER: 'true'}, {INK_SCREEN_READER: 'false'}), [true, false]);
	});
});
