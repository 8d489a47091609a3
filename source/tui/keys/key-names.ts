/** Keys other than characters that terminals also send with Shift, Control and Alt. */
const functionKeys: ReadonlySet<string> = new Set([
	'up',
	'down',
	'left',
	'right',
	'home',
	'end',
	'pageup',
	'pagedown',
	'insert',
	'delete',
	...Array.from({length: 20}, (_, index) => `f${index + 1}`),
]);

const plainKeys: ReadonlySet<string> = new Set(['space', 'enter', 'escape', 'tab', 'backspace']);

/** Other names for some of them, such as the labels in the help. */
const aliases: Readonly<Record<string, string>> = {
	esc: 'escape',
	return: 'enter',
	pgup: 'pageup',
	pgdn: 'pagedown',
	pgdown: 'pagedown',
	ins: 'insert',
	del: 'delete',
	control: 'ctrl',
};

/**
Characters that a terminal sends with Control. For `h`, `i`, `j`, `m` and `[` it sends the same as for Backspace, Tab,
Enter and Escape, and for any other character the character alone, or nothing.
*/
const controlCharacters = /^[\\\]^_a-gkln-z]$/;

const modifierOrder = ['ctrl', 'alt', 'shift'];

/**
The keyboard reader's name for a key as a person writes it, in any case and order: `Ctrl+D`, `PgDn`, `shift+ctrl+up`,
`space`, `G`. A single character is that character: `G` is not `g`.

@param isInEditor - true for a key of the editor, which takes Alt and a letter; on a slow line that is the same as Escape and the
letter, and means those elsewhere.
@returns `undefined` if there is no such key, or terminals send the same for another key.
*/
export const parseKeyName = (text: string, isInEditor = false): string | undefined => {
	if (text === ' ') {
		return 'space';
	}

	if ([...text].length === 1) {
		return /^[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol}]$/u.test(text) ? text : undefined;
	}

	const words = text.toLowerCase().split('+').map(word => aliases[word.trim()] ?? word.trim());
	const key = words.at(-1)!;
	const modifiers = words.slice(0, -1);
	if (new Set(modifiers).size < modifiers.length || modifiers.some(word => !modifierOrder.includes(word))) {
		return undefined;
	}

	const name = [...modifierOrder.filter(word => modifiers.includes(word)), key].join('+');
	const isKnown = functionKeys.has(key)
		|| (modifiers.length === 0 && plainKeys.has(key))
		|| name === 'shift+tab'
		|| name === 'ctrl+space'
		|| (isInEditor && /^alt\+[a-z]$/.test(name))
		|| (name === `ctrl+${key}` && controlCharacters.test(key));
	return isKnown ? name : undefined;
};
