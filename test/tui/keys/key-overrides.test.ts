import {assert, test} from '../../helpers/node.ts';
import type {KeyBinding} from '../../../source/settings/key-bindings.ts';
import {keyLabel, createKeymap} from '../../../source/words/keymap.ts';
import {parseKeyName, checkKeyOverrides} from '../../../source/tui/keys/key-overrides.ts';
import {keyTable, scopesOf, type KeyAction} from '../../../source/words/key-table.ts';

/** What comes of entries that stand on lines of their own, from 2 on, as in a file. */
const checked = (entries: Readonly<Record<string, KeyBinding['keys']>>) =>
	checkKeyOverrides({
		bindings: Object.entries(entries).map(([action, keys], index) => ({action, keys, line: index + 2})),
		wrongLine: undefined,
	});

test('an action can have other keys, several keys, or none', () => {
	const {overrides, problems} = checked({toggle: ['ctrl+t'], refresh: ['r', 'F5'], delete: []});
	assert.deepEqual(problems, []);
	assert.deepEqual(overrides, {toggle: ['ctrl+t'], refresh: ['r', 'f5'], delete: []});
	const keymap = createKeymap(overrides);
	assert.deepEqual(
		['ctrl+t', 'space', 'f5', 'd'].map(key => keymap.actionOf(key, scopesOf.abilities)),
		['toggle', undefined, 'refresh', undefined],
	);
});

test('a default key given to another action is taken from its own action, which keeps its other keys', () => {
	const {overrides, problems} = checked({toggle: ['t'], refresh: ['x', 'q'], help: ['h']});
	assert.deepEqual(problems, []);
	assert.deepEqual(overrides, {
		toggle: ['t'],
		refresh: ['x', 'q'],
		help: ['h'],
		'edit-installed': [],
		mark: [],
		quit: ['ctrl+c', 'f10'],
		'previous-screen': ['shift+tab', '[', 'left'],
	});
	const keymap = createKeymap(overrides);
	assert.deepEqual(
		['t', 'x', 'q', 'ctrl+c'].map(key => keymap.actionOf(key, scopesOf.installed)),
		['toggle', 'refresh', 'refresh', 'quit'],
	);
	// There is no switch where the abilities of an agent are tied.
	assert.equal(keymap.actionOf('t', scopesOf.agents), 'edit-ties');
});

test('an action keeps its keys under its former name', () =>
	assert.deepEqual(checked({'edit-phrases': ['m'], mark: []}), {overrides: {'edit-installed': ['m'], mark: []}, problems: []}));

test('a file that binds n to renaming an agent keeps it; the next match keeps its other key', () => {
	const {overrides, problems} = checked({'edit-name': ['n']});
	assert.deepEqual(problems, []);
	const keymap = createKeymap(overrides);
	assert.deepEqual(
		['n', 'c', 'ctrl+n'].map(key => keymap.actionOf(key, scopesOf.agents)),
		['edit-name', undefined, 'next-match'],
	);
});

test('a key that two entries claim is refused with the line of the second, whose action keeps its default keys', () => {
	const {overrides, problems} = checked({toggle: ['t'], refresh: ['f5', 't'], help: ['h']});
	assert.deepEqual(problems, ['line 3: “refresh” cannot use t, the key of “toggle”']);
	assert.deepEqual(overrides, {toggle: ['t'], help: ['h'], 'edit-installed': [], 'previous-screen': ['shift+tab', '[', 'left']});
});

test('two actions can share a key if they are never active together', () => {
	assert.deepEqual(checked({install: ['b'], uninstall: ['b'], 'edit-name': ['b']}).problems, []);
	assert.deepEqual(checked({install: ['b'], upload: ['b']}).problems, ['line 3: “upload” cannot use b, the key of “install”']);
});

test('a line of the palette or a filter can have keys; they are taken from actions on every screen, but not from the editor', () => {
	const {overrides, problems} = checked({
		':preset night': ['F6'],
		'/is:off agent:Hearth': ['f5', 'ctrl+u'],
		':quiet': [],
		'/is:on': ['f6'],
	});
	assert.deepEqual(problems, ['line 5: “/is:on” cannot use F6, the key of “:preset night”']);
	assert.deepEqual(overrides, {
		':preset night': ['f6'],
		'/is:off agent:Hearth': ['f5', 'ctrl+u'],
		':quiet': [],
		refresh: ['r'],
		'half-page-up': [],
	});
	const keymap = createKeymap(overrides);
	assert.deepEqual(
		['f6', 'f5', 'r'].map(key => keymap.lineOf(key)),
		[':preset night', '/is:off agent:Hearth', undefined],
	);
	assert.equal(keymap.actionOf('ctrl+u', ['text']), 'text-cut-start');
});

test('mistakes about lines are reported as those about actions', () => {
	const {problems} = checked({
		':': ['f6'],
		'/ ': ['f6'],
		':refresh': ['alt+x'],
		'/is:off\u{1B}[31m': undefined,
		':b': ['ctrl+c'],
		':c': ['f7'],
		refresh: ['f7'],
	});
	assert.deepEqual(problems, [
		'line 2: unknown action “:”',
		'line 3: unknown action “/”',
		'line 4: “:refresh” cannot use “alt+x”, which terminals do not send as a separate key',
		'line 5: “/is:off” needs a key, a list of keys, or null',
		'line 6: “:b” cannot use Ctrl+C, the key of “quit”',
		'line 8: “refresh” cannot use F7, the key of “:c”',
	]);
});

test('two actions can swap keys, or one can take a key that another gives up', () => {
	assert.deepEqual(checked({toggle: ['x'], mark: ['space']}).problems, []);
	assert.deepEqual(checked({toggle: ['x'], mark: []}).problems, []);
});

test('an action whose entry is ignored keeps the default keys that no other entry takes', () => {
	const {overrides, problems} = checked({toggle: ['x'], down: ['space', 'n'], mark: ['x', 'm']});
	assert.deepEqual(problems, ['line 4: “mark” cannot use x, the key of “toggle”']);
	assert.deepEqual(overrides, {toggle: ['x'], down: ['space', 'n'], mark: [], 'next-match': ['ctrl+n']});
});

test('Ctrl+C always quits and cannot be given to another action', () => {
	assert.deepEqual(checked({quit: []}), {overrides: {quit: ['ctrl+c']}, problems: []});
	assert.deepEqual(checked({quit: ['Q', 'ctrl+c']}).overrides, {quit: ['Q', 'ctrl+c']});
	assert.deepEqual(checked({quit: ['Q'], refresh: ['ctrl+c']}), {
		overrides: {quit: ['Q', 'ctrl+c']},
		problems: ['line 3: “refresh” cannot use Ctrl+C, the key of “quit”'],
	});
	assert.deepEqual(checked({refresh: ['ctrl+c'], quit: ['Q']}), {
		overrides: {quit: ['Q', 'ctrl+c']},
		problems: ['line 2: “refresh” cannot use Ctrl+C, the key of “quit”'],
	});
});

test('unknown actions and unknown keys are reported with their lines', () => {
	const {overrides, problems} = checked({
		toglle: ['t'],
		toggle: ['spcae'],
		open: undefined,
		__proto__x: [],
		'mark\u{1B}[31m\u{202E}': ['m'],
		mark: ['m', 'ctrl+m'],
	});
	assert.deepEqual(problems, [
		'line 2: unknown action “toglle”',
		'line 3: “toggle” cannot use “spcae”, which terminals do not send as a separate key',
		'line 4: “open” needs a key, a list of keys, or null',
		'line 5: unknown action “__proto__x”',
		'line 6: unknown action “mark”',
		'line 7: “mark” cannot use “ctrl+m”, which terminals do not send as a separate key',
	]);
	assert.deepEqual(overrides, {});
	assert.deepEqual(checkKeyOverrides({bindings: [], wrongLine: 4}).problems, ['line 4: “keys” is not an object']);
});

test('all problems of one line are reported', () => {
	const {problems} = checkKeyOverrides({
		bindings: [
			{action: 'one', keys: ['b'], line: 1},
			{action: 'two', keys: ['b'], line: 1},
		],
		wrongLine: undefined,
	});
	assert.deepEqual(problems, ['line 1: unknown action “one”', 'line 1: unknown action “two”']);
});

test('every key of the table can be written by its name and by its label', () => {
	for (const {keys, scope} of Object.values<KeyAction>(keyTable)) {
		assert.deepEqual(
			keys.map(key => parseKeyName(key, scope === 'text')),
			keys,
		);
		assert.deepEqual(
			keys.map(key => parseKeyName(keyLabel(key), scope === 'text')),
			keys,
		);
	}
});

test('a key can be written in any case and order; a character stands for itself', () => {
	const names = {
		' ': 'space',
		G: 'G',
		g: 'g',
		'+': '+',
		é: 'é',
		Escape: 'escape',
		Return: 'enter',
		'Control + D': 'ctrl+d',
		'shift+ctrl+up': 'ctrl+shift+up',
		'Alt+PgDn': 'alt+pagedown',
		'ctrl+]': 'ctrl+]',
		F12: 'f12',
	};
	assert.deepEqual(Object.fromEntries(Object.keys(names).map(text => [text, parseKeyName(text)])), names);
});

test('only the editor takes Alt and a letter', () => {
	assert.equal(parseKeyName('Alt+X', true), 'alt+x');
	assert.equal(parseKeyName('Alt+X'), undefined);
	assert.equal(parseKeyName('alt+1', true), undefined);
	const bindings = [
		{action: 'text-undo', keys: ['Alt+X'], line: 1},
		{action: 'undo', keys: ['Alt+Y'], line: 2},
	];
	const {overrides, problems} = checkKeyOverrides({bindings, wrongLine: undefined});
	assert.deepEqual(overrides, {'text-undo': ['alt+x']});
	assert.equal(problems.length, 1);
	assert.match(problems[0]!, /^line 2: “undo” cannot use “Alt\+Y”/);
});

test('keys that a terminal cannot send, or that look like another key to it, are rejected', () => {
	const names = 'ctrl+i ctrl+m ctrl+j ctrl+h ctrl+[ ctrl+1 ctrl+ +x alt+x shift+x shift+space ctrl+enter ctrl+ctrl+d hyper+d f21 xy ctrl++';
	for (const text of ['', '\t', '\u{7}', ...names.split(' ')]) {
		assert.equal(parseKeyName(text), undefined, text);
	}
});
