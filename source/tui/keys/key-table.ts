/**
Where an action acts: on every screen, in each of the three lists, where there is a switch, or on one screen alone.
*/
export type KeyScope = 'everywhere' | 'list' | 'switches' | 'agents' | 'abilities' | 'installed';

export type Action = {
	/** Names of keys as the keyboard reader gives them. */
	readonly keys: readonly string[];
	readonly scope: KeyScope;
	/** One or two words for the hint line. */
	readonly hint: string;
	/** A clause for the help and the README. */
	readonly description: string;
	/** Its rank in the hint line, the lowest first; without one it stands in the help alone. */
	readonly hintRank?: number;
	/** The same while rows are marked, with its words then where they are others. */
	readonly marked?: {readonly rank: number; readonly hint?: string};
};

/**
Every action of the screens, with its keys: what the dispatcher, the hint line, the help, the command palette and the
README's table of keys are made from.
*/
export const keyTable = {
	toggle: {keys: ['space'], scope: 'switches', hint: 'switch', description: 'switch the ability under the cursor on or off', hintRank: 1},
	open: {keys: ['enter'], scope: 'list', hint: 'open', description: 'open what is under the cursor', hintRank: 9},
	filter: {keys: ['/'], scope: 'list', hint: 'filter', description: 'filter the list, or search a text, as you type; Enter keeps the filter, Escape clears it', hintRank: 7},
	mark: {keys: ['x'], scope: 'list', hint: 'mark', description: 'mark the row under the cursor, or take its mark away, and go one down', hintRank: 8},
	'mark-range': {keys: ['v'], scope: 'list', hint: 'mark range', description: 'mark from here to where the cursor goes; once more ends it'},
	'mark-all': {keys: ['a'], scope: 'list', hint: 'mark all', description: 'mark all rows shown, or take all marks away'},
	'enable-marked': {keys: ['E'], scope: 'switches', hint: 'all on', description: 'switch on the ability under the cursor, or all marked ones', marked: {rank: 1, hint: 'on'}},
	'disable-marked': {keys: ['D'], scope: 'switches', hint: 'all off', description: 'switch off the ability under the cursor, or all marked ones', marked: {rank: 2, hint: 'off'}},
	undo: {keys: ['u'], scope: 'list', hint: 'undo', description: 'undo the last thing done, or say why it cannot be undone', marked: {rank: 6}},
	redo: {keys: ['ctrl+r'], scope: 'list', hint: 'redo', description: 'redo the switching that was undone last'},
	retry: {keys: ['R'], scope: 'switches', hint: 'retry', description: 'try again what failed last'},
	help: {keys: ['?', 'f1'], scope: 'everywhere', hint: 'keys', description: 'show all keys', hintRank: 10, marked: {rank: 11}},
	quit: {keys: ['q', 'ctrl+c'], scope: 'everywhere', hint: 'quit', description: 'leave; a change under way is waited for: a second press leaves at once, Escape stays', hintRank: 11},
	palette: {keys: [':'], scope: 'everywhere', hint: 'commands', description: 'find any action by its name', hintRank: 12},
	profiles: {keys: ['P'], scope: 'everywhere', hint: 'profiles', description: 'choose a profile, connect to a service, or sign out', hintRank: 13},
	connect: {keys: ['C'], scope: 'everywhere', hint: 'connect', description: 'sign in again where the key was refused, else to another service'},
	refresh: {keys: ['r'], scope: 'list', hint: 'refresh', description: 'read the list again', hintRank: 14},
	sort: {keys: ['s'], scope: 'list', hint: 'sort', description: 'sort by the next column'},
	'reverse-sort': {keys: ['S'], scope: 'list', hint: 'reverse', description: 'reverse the order'},
	'sort-by': {keys: ['o'], scope: 'list', hint: 'sort by', description: 'sort by a column, whose number follows; the number of the present one reverses the order'},
	'edit-phrases': {keys: ['t'], scope: 'installed', hint: 'phrases', description: 'edit the trigger phrases'},
	uninstall: {keys: ['d'], scope: 'installed', hint: 'remove', description: 'remove the installed ability, or all marked ones, after a question', marked: {rank: 9}},
	install: {keys: ['i'], scope: 'abilities', hint: 'install', description: 'install the ability under the cursor, or all marked ones', hintRank: 2, marked: {rank: 8}},
	upload: {keys: ['U'], scope: 'abilities', hint: 'upload', description: 'upload an ability', hintRank: 3},
	delete: {keys: ['d'], scope: 'abilities', hint: 'delete', description: 'delete the ability under the cursor, or all marked ones, after a question', marked: {rank: 10}},
	'edit-name': {keys: ['n'], scope: 'agents', hint: 'name', description: 'edit the agent\'s name', hintRank: 4, marked: {rank: 3}},
	'edit-prompt': {keys: ['e'], scope: 'agents', hint: 'prompt', description: 'edit the agent\'s prompt in $VISUAL or $EDITOR', hintRank: 5, marked: {rank: 4}},
	'edit-ties': {keys: ['t'], scope: 'agents', hint: 'abilities', description: 'choose the abilities tied to the agent', hintRank: 6, marked: {rank: 5}},
	'show-installed': {keys: ['f'], scope: 'agents', hint: 'installed', description: 'show the agent\'s abilities on the Installed screen'},
	'copy-id': {keys: ['y'], scope: 'list', hint: 'copy id', description: 'copy the id of the record under the cursor'},
	pane: {keys: ['p'], scope: 'list', hint: 'pane', description: 'show or hide the details beside the list, where there is room'},
	'pane-down': {keys: ['J'], scope: 'list', hint: 'details down', description: 'scroll the details down: beside the list, or the prompt of an opened agent'},
	'pane-up': {keys: ['K'], scope: 'list', hint: 'details up', description: 'scroll the details up'},
	'next-record': {keys: ['>'], scope: 'list', hint: 'next', description: 'to the next record, also from an opened one'},
	'previous-record': {keys: ['<'], scope: 'list', hint: 'previous', description: 'to the previous record, also from an opened one'},
	'next-match': {keys: ['ctrl+n'], scope: 'list', hint: 'next match', description: 'to the next match, in a filtered list or in a text such as this'},
	'previous-match': {keys: ['ctrl+p'], scope: 'list', hint: 'previous match', description: 'to the previous match'},
	messages: {keys: ['M'], scope: 'everywhere', hint: 'messages', description: 'show the messages so far'},
	requests: {keys: ['!'], scope: 'everywhere', hint: 'requests', description: 'show the last requests'},
	clear: {keys: ['escape'], scope: 'list', hint: 'clear', description: 'dismiss the message, then the marks, then the filter', marked: {rank: 7, hint: 'unmark'}},
	down: {keys: ['j', 'down'], scope: 'list', hint: 'down', description: 'one row down'},
	up: {keys: ['k', 'up'], scope: 'list', hint: 'up', description: 'one row up'},
	'half-page-down': {keys: ['ctrl+d'], scope: 'list', hint: 'half page down', description: 'half a page down'},
	'half-page-up': {keys: ['ctrl+u'], scope: 'list', hint: 'half page up', description: 'half a page up'},
	'page-down': {keys: ['pagedown', 'ctrl+f'], scope: 'list', hint: 'page down', description: 'a page down'},
	'page-up': {keys: ['pageup', 'ctrl+b'], scope: 'list', hint: 'page up', description: 'a page up'},
	first: {keys: ['g', 'home'], scope: 'list', hint: 'first', description: 'to the first row'},
	last: {keys: ['G', 'end'], scope: 'list', hint: 'last', description: 'to the last row'},
	agents: {keys: ['1'], scope: 'everywhere', hint: 'agents', description: 'the Agents screen'},
	abilities: {keys: ['2'], scope: 'everywhere', hint: 'abilities', description: 'the Abilities screen'},
	installed: {keys: ['3'], scope: 'everywhere', hint: 'installed', description: 'the Installed screen'},
	'next-screen': {keys: ['tab', ']'], scope: 'everywhere', hint: 'next screen', description: 'the next screen'},
	'previous-screen': {keys: ['shift+tab', '['], scope: 'everywhere', hint: 'previous screen', description: 'the screen before'},
	repaint: {keys: ['ctrl+l'], scope: 'everywhere', hint: 'repaint', description: 'draw the whole screen again'},
	suspend: {keys: ['ctrl+z'], scope: 'everywhere', hint: 'suspend', description: 'suspend the program; fg brings it back'},
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof keyTable;

export const actionNames = Object.keys(keyTable) as readonly ActionName[];

export const isActionName = (name: string): name is ActionName => Object.hasOwn(keyTable, name);

/** What acts on a list or on many of its rows, and not on one record that was opened from it. */
export const listActions: ReadonlySet<ActionName> = new Set([
	'mark',
	'mark-range',
	'mark-all',
	'sort',
	'reverse-sort',
	'sort-by',
	'pane',
	'clear',
]);

/** What changes something on the service: a read-only run refuses it. */
export const writeActions: ReadonlySet<ActionName> = new Set([
	'toggle',
	'enable-marked',
	'disable-marked',
	'undo',
	'redo',
	'retry',
	'edit-phrases',
	'uninstall',
	'install',
	'upload',
	'delete',
	'edit-name',
	'edit-prompt',
	'edit-ties',
]);

/** The scopes of each screen, the nearest first. */
export const scopesOf = {
	agents: ['agents', 'list', 'everywhere'],
	abilities: ['abilities', 'switches', 'list', 'everywhere'],
	installed: ['installed', 'switches', 'list', 'everywhere'],
} as const satisfies Record<string, readonly KeyScope[]>;

/** The scopes of a record that was opened from each screen: an opened agent has switches, those of its abilities. */
export const openedScopesOf = {
	...scopesOf,
	agents: ['agents', 'switches', 'list', 'everywhere'],
} as const satisfies Record<string, readonly KeyScope[]>;

/** The screens on which a scope is active, by their titles. */
export const screensOf = (scope: KeyScope): readonly string[] =>
	Object.entries(scopesOf)
		.filter(([, scopes]: readonly [string, readonly KeyScope[]]) => scopes.includes(scope))
		.map(([name]) => name[0]!.toUpperCase() + name.slice(1));
