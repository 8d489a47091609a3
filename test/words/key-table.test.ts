import {assert, assertNone, test} from '../helpers/node.ts';
import {createKeymap, dailyText, doScopesOverlap, hintsFor, keyLabel, keyRows} from '../../source/words/keymap.ts';
import {type KeyAction, type ActionName, actionNames, type KeyScope, keyTable, scopesOf} from '../../source/words/key-table.ts';
import {screenNames} from '../../source/tui/state/view.ts';
import {createKeyReader} from '../../source/terminal/keyboard-input.ts';
import {fieldsOf} from '../helpers/fields-of.ts';
import {keyBytes} from '../helpers/key-bytes.ts';

const actions: ReadonlyArray<KeyAction & {readonly name: string}> = actionNames.map(name => ({...keyTable[name], name}));

const keymap = createKeymap();

test('a key stands for one action on each screen, and for one in the editor', () => {
	const together: ReadonlyArray<readonly KeyScope[]> = [...screenNames.map(screen => scopesOf[screen]), ['text']];
	const doubles = together.flatMap(scopes => {
		const keys = actions.filter(({scope}) => scopes.includes(scope)).flatMap(action => action.keys);
		return keys.filter((key, index) => keys.indexOf(key) !== index).map(key => `${key} among ${scopes.join(', ')}`);
	});
	assert.deepEqual(doubles, []);
});

test('every action can be carried out on some screen or in the editor', () => {
	const reachable: ReadonlySet<KeyScope> = new Set([...screenNames.flatMap(screen => scopesOf[screen]), 'text']);
	assertNone(actions, ({scope}) => !reachable.has(scope));
});

test('every action has a key, a hint of up to three words and a description', () => {
	const lacking = actions.filter(
		({keys, hint, description}) =>
			keys.length === 0 || hint === '' || hint.split(' ').length > 3 || description === '' || description.endsWith('.'),
	);
	assert.deepEqual(lacking, []);
});

test('what a daily key does is said in at most 26 columns', () => {
	const daily = actionNames.map(name => dailyText(name)).filter(text => text !== undefined);
	assert.ok(daily.length > 20);
	assertNone(daily, text => text.length > 26);
});

test('no two actions have the same description', () =>
	assert.equal(new Set(actions.map(({description}) => description)).size, actions.length));

test('the keys that people and scripts rely on keep their actions', () => {
	const promised: Readonly<Record<string, ActionName>> = {
		1: 'agents',
		2: 'abilities',
		3: 'installed',
		tab: 'next-screen',
		down: 'down',
		j: 'down',
		up: 'up',
		k: 'up',
		space: 'toggle',
		'/': 'filter',
		'?': 'help',
		r: 'refresh',
		q: 'quit',
		'ctrl+c': 'quit',
	};
	const actual = Object.fromEntries(Object.keys(promised).map(key => [key, keymap.actionOf(key, scopesOf.installed)]));
	assert.deepEqual(actual, promised);
	assert.equal(keymap.actionOf('no such key', scopesOf.installed), undefined);
});

test('a key works where its action does, and nowhere else', () => {
	assert.equal(keymap.actionOf('space', scopesOf.abilities), 'toggle');
	assert.equal(keymap.actionOf('space', scopesOf.agents), undefined, 'agents have no switch');
	assert.equal(keymap.actionOf('q', ['everywhere']), 'quit');
	assert.equal(keymap.actionOf('j', ['everywhere']), undefined);
});

test("the person's own keys replace those of the table", () => {
	const own = createKeymap({toggle: ['ctrl+t', 'space'], refresh: []});
	assert.deepEqual(own.keysOf('toggle'), ['ctrl+t', 'space']);
	assert.equal(own.actionOf('ctrl+t', scopesOf.installed), 'toggle');
	assert.equal(own.actionOf('r', scopesOf.installed), undefined, 'unbound');
	assert.equal(own.actionOf('j', scopesOf.installed), 'down', 'the others stay');
	assert.deepEqual(hintsFor(own, scopesOf.installed)[0], {key: 'ctrl+t', label: 'switch'});
	assert.ok(
		hintsFor(own, scopesOf.installed).every(({label}) => label !== 'refresh'),
		'what is unbound is not offered',
	);
});

test('scopes of different screens are never active together', () => {
	assert.ok(doScopesOverlap('everywhere', 'agents'));
	assert.ok(doScopesOverlap('switches', 'installed'));
	assert.ok(!doScopesOverlap('agents', 'installed'));
	assert.ok(!doScopesOverlap('agents', 'switches'));
	assert.ok(doScopesOverlap('text', 'text'));
	assert.ok(!doScopesOverlap('text', 'everywhere'));
});

test('the keyboard can send every key of the table', () => {
	const pressed: string[] = [];
	const reader = createKeyReader({
		key({name}) {
			pressed.push(name);
		},
		paste(text) {
			assert.fail(`“${text}” was no paste`);
		},
	});
	// Escape alone is another test's: here it would join the key after it.
	const keys = actions.flatMap(action => action.keys).filter(key => key !== 'escape');
	reader.write(keys.map(key => keyBytes(key)).join(''));
	reader.close();
	assert.deepEqual(pressed, keys);
});

test('the hints are those of the screen, the most useful first', () => {
	const hints = hintsFor(keymap, scopesOf.installed);
	assert.deepEqual(hints[0], {key: 'space', label: 'switch'});
	const ranks = actions.map(({hintRank}) => hintRank).filter(rank => rank !== undefined);
	assert.equal(new Set(ranks).size, ranks.length, 'no two compete for one place');
	assert.ok(
		hintsFor(keymap, scopesOf.agents).every(({key}) => key !== 'space'),
		'agents have no switch',
	);
});

test('the help lists every key of every action', () => {
	const rows = keyRows(keymap);
	assert.deepEqual(
		fieldsOf(rows, 'description'),
		actions.map(({description}) => description),
	);
	assert.ok(rows.some(({keys}) => keys === 'j, Down'));
	assert.ok(rows.some(({keys}) => keys === 'q, Ctrl+C, F10'));
});

test('a key is written as people write it', () => {
	const labels = {
		j: 'j',
		G: 'G',
		'?': '?',
		'+': '+',
		space: 'Space',
		escape: 'Esc',
		pagedown: 'PgDn',
		'ctrl+d': 'Ctrl+D',
		'shift+tab': 'Shift+Tab',
		'ctrl+up': 'Ctrl+Up',
		'ctrl+shift+up': 'Ctrl+Shift+Up',
		insert: 'Insert',
		f1: 'F1',
		f12: 'F12',
	};
	assert.deepEqual(Object.fromEntries(Object.keys(labels).map(key => [key, keyLabel(key)])), labels);
});
