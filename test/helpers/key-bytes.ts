const escape = '\u{1B}';

const namedKeys: Readonly<Record<string, string>> = {
	space: ' ',
	enter: '\r',
	escape,
	tab: '\t',
	'shift+tab': `${escape}[Z`,
	backspace: '\u{7F}',
	delete: `${escape}[3~`,
	insert: `${escape}[2~`,
	up: `${escape}[A`,
	down: `${escape}[B`,
	right: `${escape}[C`,
	left: `${escape}[D`,
	home: `${escape}[H`,
	end: `${escape}[F`,
	pageup: `${escape}[5~`,
	pagedown: `${escape}[6~`,
	'alt+right': `${escape}[1;3C`,
	'alt+left': `${escape}[1;3D`,
	'ctrl+left': `${escape}[1;5D`,
	'ctrl+right': `${escape}[1;5C`,
	'ctrl+home': `${escape}[1;5H`,
	'ctrl+end': `${escape}[1;5F`,
	'ctrl+space': '\0',
	f1: `${escape}OP`,
	f2: `${escape}OQ`,
	f3: `${escape}OR`,
	f4: `${escape}OS`,
	...Object.fromEntries([15, 17, 18, 19, 20, 21, 23, 24].map((number, index) => [`f${index + 5}`, `${escape}[${number}~`])),
};

/**
What a terminal sends for these keys, by their names in the key table, such as `enter`, `ctrl+c` or `alt+b`; a character is
its own name.

@throws Error for a name that no key has.
*/
export function keyBytes(...names: readonly string[]): string {
	return names.map(name => bytesOf(name)).join('');
}

function bytesOf(name: string): string {
	const bytes = namedKeys[name];
	if (bytes !== undefined) {
		return bytes;
	}

	if (/^ctrl\+[@-_a-z]$/.test(name)) {
		return String.fromCodePoint(name.codePointAt(5)! % 32);
	}

	if (name.startsWith('alt+')) {
		return escape + bytesOf(name.slice(4));
	}

	if ([...name].length !== 1) {
		throw new Error(`No key is called “${name}”.`);
	}

	return name;
}

/** What a terminal with bracketed paste sends for a pasted text. */
export function pasteBytes(text: string): string {
	return `${escape}[200~${text}${escape}[201~`;
}
