import {cleanText} from '../../interface/clean-text.ts';
import type {UiServices} from '../app-context.ts';
import {type ActionName, type KeyScope, keyTable, scopesOf, screensOf} from '../../words/key-table.ts';
import {dailyText, keyLabel, keyName} from '../../words/keymap.ts';
import {screenNames} from '../state/view.ts';

/** Keys for an action in other programs, such as lazygit, tig, k9s, htop, Midnight Commander and vim. */
const foreignKeys: Readonly<Partial<Record<ActionName, string>>> = {
	undo: 'z',
	redo: 'Z ctrl+y',
	mark: 'm insert',
	'mark-range': 'ctrl+space ctrl+v',
	'mark-all': '* ctrl+a',
	'enable-marked': '+',
	'disable-marked': '-',
	uninstall: 'delete ctrl+k f8 f9',
	delete: 'delete ctrl+k f8 f9',
	filter: 'f3 f4 & \\',
	open: 'ctrl+o',
	'sort-by': 'f6',
	'page-down': '.',
	'page-up': ',',
	first: '0 ^ ctrl+home',
	last: '$ ctrl+end',
	'next-record': '}',
	'previous-record': '{',
	pane: 'w ctrl+w',
	requests: '@',
	clear: 'backspace ctrl+g',
	quit: 'ctrl+q',
};

/** A letter of another script than Latin, or a wide Latin letter from an input method. */
const otherScript = /^(?=[\p{Letter}\p{Mark}])(?![\p{Script=Inherited}\p{Script=Latin}])|^[\u{FF01}-\u{FF5E}]/u;

/** The keys that were explained already, per run of the screens. */
const explained = new WeakMap<UiServices['store'], Set<string>>();

/** Nobody needs more explanations, and a flood of characters must not fill the memory. */
const mostExplained = 50;

/**
Says why a key does nothing in these scopes: it names the screens where it works, an action that is not available, or a near key. Returns
false for a key that works here or nowhere.
*/
export function explainKey(pressed: string, scopesHere: readonly KeyScope[], ui: UiServices): boolean {
	const {keymap, say} = ui;
	const unavailable = keymap.unavailableActionOf(pressed);
	if (unavailable !== undefined) {
		say(
			'info',
			unavailable === 'profiles' || unavailable === 'connect'
				? `Over SSH you have one profile: ${cleanText(ui.profiles.currentName(), 60)}.`
				: `${keyLabel(pressed)} (${keyTable[unavailable].hint}) is not available over SSH.`,
		);
		return true;
	}

	if (keymap.actionOf(pressed, scopesHere) !== undefined) {
		return false;
	}

	const actions = new Set(screenNames.map(name => keymap.actionOf(pressed, scopesOf[name])).filter(action => action !== undefined));
	if (actions.size === 0 && otherScript.test(pressed)) {
		say('info', `${cleanText(pressed, 30)} does nothing here: the keyboard layout is the reason. Switch it to Latin letters.`);
		return true;
	}

	if (actions.size === 0) {
		sayNear(pressed, scopesHere, ui);
		return false;
	}

	// If it has a different effect on each of them, the message names the effects.
	const elsewhere = [...actions].map(
		action => screensOf(keyTable[action].scope).join(' and ') + (actions.size > 1 ? ` (${keyTable[action].hint})` : ''),
	);
	say('info', `${keyLabel(pressed)} works on ${elsewhere.join(' and ')}, not here.`);
	return true;
}

/** Names once a near key for a key that does nothing on any screen; never in place of another message. */
function sayNear(pressed: string, scopes: readonly KeyScope[], ui: UiServices): void {
	const {keymap, store, say} = ui;
	const known = explained.get(store) ?? new Set();
	explained.set(store, known);
	const {
		messages: {shown},
		progress,
	} = store.getState();
	if (known.has(pressed) || known.size >= mostExplained || shown !== undefined || progress !== undefined) {
		return;
	}

	known.add(pressed);
	const near = nearOf(pressed, scopes, ui);
	const nothing = `${cleanText(keyLabel(pressed), 30)} does nothing here`;
	const help = `${keyName(keymap, 'help')} shows the keys.`;
	say('info', near === undefined ? `${nothing}; ${help}` : `${nothing}. ${near}; ${help}`);
}

/**
Returns a near key: the key with the effect that this one has in other programs, or the letter in the other case; as a clause such as “u
undoes the last change”.
*/
function nearOf(pressed: string, scopes: readonly KeyScope[], {keymap, isReadOnly, store}: UiServices): string | undefined {
	const isOpened = store.getState().overlays.length > 0;
	const otherCase = pressed === pressed.toLowerCase() ? pressed.toUpperCase() : pressed.toLowerCase();
	const foreign = (Object.keys(foreignKeys) as ActionName[]).filter(name => foreignKeys[name]!.split(' ').includes(pressed));
	const near = [...foreign, keymap.actionOf(otherCase, scopes)].find(
		name =>
			name !== undefined &&
			scopes.includes(keyTable[name].scope) &&
			keymap.keysOf(name).length > 0 &&
			!(isOpened && keyTable[name].worksOnRecord === false) &&
			!(isReadOnly && keyTable[name].writes),
	);
	const [clause] = near === undefined ? [] : (dailyText(near) ?? keyTable[near].description).split(/[,:;]/, 1);
	const key = near !== undefined && keymap.keysOf(near).includes(otherCase) ? otherCase : near && keymap.keysOf(near)[0];
	return (
		key &&
		`${keyLabel(key)} ${clause!.replace(/^[a-z]+/, verb => verb.replace(/(?<=[^aeiou])y$/, 'ie') + (/(?:[osx]|ch|sh)$/.test(verb) ? 'es' : 's'))}`
	);
}
