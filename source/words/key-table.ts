import type {Resource} from '../interface/records.ts';

/**
Where an action works: on every screen, in each of the three lists, wherever one ability can be switched, wherever some can (`states`), on
one screen only, or in the editor of a long text, where no other action works.
*/
export type KeyScope = 'everywhere' | 'list' | 'switches' | 'states' | 'agents' | 'abilities' | 'installed' | 'text';

/** The purposes of keys, in the order of the help. */
export const tasks = ['Switch', 'Mark', 'Find and sort', 'Change', 'Look closer', 'Move', 'Program'] as const;

export type KeyAction = {
	readonly keys: readonly string[];
	readonly scope: KeyScope;
	/** The heading in the help. */
	readonly task: (typeof tasks)[number];
	/** One or two words for the hint line. */
	readonly hint: string;
	/** A clause for the help and the README. */
	readonly description: string;
	/**
	The description in at most 26 columns, for the page of daily keys; true if the description is that short. Other keys are not on that
	page.
	*/
	readonly daily?: string | true;
	/** Its rank in the hint line, the lowest first; without one it is in the help only. */
	readonly hintRank?: number;
	/** The rank while rows are marked, with another hint if it differs. */
	readonly marked?: {readonly rank: number; readonly hint?: string};
	/**
	False for actions that work without a row. All other actions outside `everywhere`, pressed while the list loads, wait for its rows.
	*/
	readonly needsRow?: false;
	/** False for actions that work only on the list, not on a record opened from it. */
	readonly worksOnRecord?: false;
	/** True for actions on one row, which marks of others do not mean. */
	readonly takesOne?: true;
	/** True for actions that work on all marked rows, and so end a range. */
	readonly endsRange?: true;
	/** True for actions that change something on the service: a read-only run refuses them. */
	readonly writes?: true;
};

const actions = {
	toggle: {
		keys: ['space'],
		scope: 'switches',
		task: 'Switch',
		hint: 'switch',
		daily: 'switch on or off',
		description: 'switch the ability under the cursor, or all marked ones',
		hintRank: 1,
		marked: {rank: 0},
		endsRange: true,
		writes: true,
	},
	open: {
		keys: ['enter'],
		scope: 'list',
		task: 'Look closer',
		hint: 'open',
		daily: 'open the row',
		description: 'open the record under the cursor',
		hintRank: 5,
	},
	filter: {
		keys: ['/'],
		scope: 'list',
		task: 'Find and sort',
		hint: 'filter',
		daily: 'filter, or search a text',
		description: 'filter the list, or search a text, as you type; Enter keeps the filter, Escape clears it',
		hintRank: 2,
		needsRow: false,
	},
	sentence: {
		keys: ['"'],
		scope: 'list',
		task: 'Find and sort',
		hint: 'sentence',
		description: 'show the abilities that a sentence would start, as you type; Enter keeps the sentence, Escape clears it',
		needsRow: false,
		worksOnRecord: false,
	},
	mark: {
		keys: ['x'],
		scope: 'list',
		task: 'Mark',
		hint: 'mark',
		daily: 'mark the row',
		description: 'mark or unmark the row under the cursor and move down',
		hintRank: 6,
		worksOnRecord: false,
	},
	'mark-range': {
		keys: ['v'],
		scope: 'list',
		task: 'Mark',
		hint: 'mark range',
		daily: 'mark a range of rows',
		description: 'start a range; press again to end it',
		worksOnRecord: false,
	},
	'mark-all': {
		keys: ['a'],
		scope: 'list',
		task: 'Mark',
		hint: 'mark all',
		daily: 'mark all rows',
		description: 'mark all rows shown, or unmark them',
		worksOnRecord: false,
	},
	'enable-marked': {
		keys: ['E'],
		scope: 'states',
		task: 'Switch',
		hint: 'all on',
		daily: 'switch on',
		description: 'switch on the ability under the cursor or all marked ones; on Agents, the abilities of the agent',
		marked: {rank: 1, hint: 'on'},
		endsRange: true,
		writes: true,
	},
	'disable-marked': {
		keys: ['D'],
		scope: 'states',
		task: 'Switch',
		hint: 'all off',
		daily: 'switch off',
		description: 'switch off the ability under the cursor or all marked ones; on Agents, the abilities of the agent',
		marked: {rank: 2, hint: 'off'},
		endsRange: true,
		writes: true,
	},
	timer: {
		keys: ['+'],
		scope: 'switches',
		task: 'Switch',
		hint: 'until',
		daily: 'set when that state ends',
		description: 'set when the present state of the ability ends, or of all marked ones; a note may follow the time',
		endsRange: true,
		writes: true,
	},
	undo: {
		keys: ['u'],
		scope: 'list',
		task: 'Switch',
		hint: 'undo',
		daily: 'undo the last change',
		description: 'undo the last change that can be undone',
		marked: {rank: 6},
		writes: true,
		hintRank: 4,
	},
	redo: {
		keys: ['ctrl+r'],
		scope: 'list',
		task: 'Switch',
		hint: 'redo',
		daily: 'redo what was undone',
		description: 'redo the last change that was undone',
		writes: true,
	},
	retry: {
		keys: ['R'],
		scope: 'states',
		task: 'Switch',
		hint: 'retry',
		description: 'retry what failed last; in a history, revert the change',
		writes: true,
	},
	presets: {
		keys: ['b'],
		scope: 'everywhere',
		task: 'Switch',
		hint: 'presets',
		hintRank: 11.4,
		daily: 'show the presets',
		description: 'list the presets: sets of states, to save and to apply; a digit opens its row',
	},
	help: {
		keys: ['?', 'f1'],
		scope: 'everywhere',
		task: 'Program',
		hint: 'keys',
		description: 'show the daily keys; press again for all keys',
		hintRank: 7,
		marked: {rank: 11},
	},
	quit: {
		keys: ['q', 'ctrl+c', 'f10'],
		scope: 'everywhere',
		task: 'Program',
		hint: 'quit',
		daily: 'quit',
		description: 'quit once pending changes finish; press again to quit at once, Escape to stay; where something is open, q goes back',
		hintRank: 11,
	},
	palette: {
		keys: [':'],
		scope: 'everywhere',
		task: 'Find and sort',
		hint: 'find',
		daily: 'find any action or record',
		description: 'find any action or record by name',
		hintRank: 6.5,
	},
	profiles: {
		keys: ['P'],
		scope: 'everywhere',
		task: 'Program',
		hint: 'profiles',
		daily: 'switch profiles',
		description: 'switch profiles, connect to a service, or sign out; a digit switches to its row',
		hintRank: 13,
	},
	connect: {
		keys: ['C'],
		scope: 'everywhere',
		task: 'Program',
		hint: 'connect',
		description: 'sign in again if the key was refused, or connect to another service',
	},
	refresh: {
		keys: ['r', 'f5'],
		scope: 'list',
		task: 'Find and sort',
		hint: 'refresh',
		daily: true,
		description: 'refresh the list',
		hintRank: 14,
		needsRow: false,
	},
	sort: {
		keys: ['s'],
		scope: 'list',
		task: 'Find and sort',
		hint: 'sort',
		daily: true,
		description: 'sort by the next column',
		needsRow: false,
		worksOnRecord: false,
	},
	'reverse-sort': {
		keys: ['S'],
		scope: 'list',
		task: 'Find and sort',
		hint: 'reverse',
		description: 'reverse the sort order',
		needsRow: false,
		worksOnRecord: false,
	},
	'sort-by': {
		keys: ['o'],
		scope: 'list',
		task: 'Find and sort',
		hint: 'sort by',
		daily: 'sort by a column',
		description: 'sort by the column whose number you press next; press the current one to reverse',
		needsRow: false,
		worksOnRecord: false,
	},
	'edit-installed': {
		keys: ['t'],
		scope: 'installed',
		task: 'Change',
		hint: 'phrases',
		daily: true,
		description: 'edit the trigger phrases',
		writes: true,
		takesOne: true,
	},
	uninstall: {
		keys: ['d'],
		scope: 'installed',
		task: 'Change',
		hint: 'uninstall',
		daily: 'uninstall',
		description: 'uninstall the ability, or all marked ones, after confirmation',
		endsRange: true,
		writes: true,
	},
	install: {
		keys: ['i'],
		scope: 'abilities',
		task: 'Change',
		hint: 'install',
		daily: 'install',
		description: 'install the ability under the cursor, or all marked ones',
		hintRank: 3,
		marked: {rank: 8},
		endsRange: true,
		writes: true,
	},
	'edit-ability': {
		keys: ['e'],
		scope: 'abilities',
		task: 'Change',
		hint: 'edit',
		description: 'edit the name, the category, the phrases and the description',
		writes: true,
		takesOne: true,
	},
	upload: {
		keys: ['U'],
		scope: 'abilities',
		task: 'Change',
		hint: 'upload',
		daily: true,
		description: 'upload an ability',
		hintRank: 5.5,
		needsRow: false,
		writes: true,
	},
	delete: {
		keys: ['d'],
		scope: 'abilities',
		task: 'Change',
		hint: 'delete',
		daily: 'delete',
		description: 'delete the ability under the cursor, or all marked ones, after confirmation',
		endsRange: true,
		writes: true,
	},
	'edit-name': {
		keys: ['c', 'f2'],
		scope: 'agents',
		task: 'Change',
		hint: 'rename',
		daily: true,
		description: 'rename the agent',
		hintRank: 9,
		writes: true,
		takesOne: true,
	},
	'edit-prompt': {
		keys: ['e'],
		scope: 'agents',
		task: 'Change',
		hint: 'prompt',
		daily: true,
		description: "edit the agent's prompt",
		hintRank: 3.2,
		writes: true,
		takesOne: true,
	},
	'edit-ties': {
		keys: ['t'],
		scope: 'agents',
		task: 'Change',
		hint: 'abilities',
		daily: 'choose the abilities',
		description: "choose the agent's abilities",
		hintRank: 3.3,
		writes: true,
		takesOne: true,
	},
	'show-installed': {
		keys: ['f'],
		scope: 'agents',
		task: 'Look closer',
		hint: 'installed',
		description: "show the agent's abilities on the Installed screen",
		marked: {rank: 3},
	},
	'copy-id': {
		keys: ['y'],
		scope: 'list',
		task: 'Look closer',
		hint: 'copy id',
		daily: 'copy the id',
		description: 'copy the id of the record under the cursor',
	},
	pane: {
		keys: ['p'],
		scope: 'list',
		task: 'Look closer',
		hint: 'details',
		daily: 'details, changes, or none',
		description: 'below or beside the list, show the details of the row and the latest changes, only these, or nothing',
		needsRow: false,
		worksOnRecord: false,
	},
	'pane-down': {
		keys: ['J'],
		scope: 'list',
		task: 'Look closer',
		hint: 'details down',
		description: "scroll the details, or an opened agent's prompt, down",
	},
	'pane-up': {
		keys: ['K'],
		scope: 'list',
		task: 'Look closer',
		hint: 'details up',
		description: "scroll the details, or an opened agent's prompt, up",
	},
	'next-record': {
		keys: ['>'],
		scope: 'list',
		task: 'Look closer',
		hint: 'next',
		daily: 'go to the next record',
		description: 'go to the next record, also from an opened one',
	},
	'previous-record': {
		keys: ['<'],
		scope: 'list',
		task: 'Look closer',
		hint: 'previous',
		description: 'go to the previous record, also from an opened one',
	},
	'next-match': {
		keys: ['n', 'ctrl+n'],
		scope: 'list',
		task: 'Find and sort',
		hint: 'next match',
		description: 'go to the next match, in a filtered list or in a text such as this',
	},
	'previous-match': {
		keys: ['N', 'ctrl+p'],
		scope: 'list',
		task: 'Find and sort',
		hint: 'previous match',
		description: 'go to the previous match',
	},
	history: {
		keys: ['H'],
		scope: 'list',
		task: 'Look closer',
		hint: 'history',
		daily: 'show the history',
		description: 'show the history of the list, or of an opened record',
		needsRow: false,
	},
	board: {
		keys: ['='],
		scope: 'list',
		task: 'Look closer',
		hint: 'board',
		description: 'in a history, show what differs from all as the change under the cursor left it, and ask whether to bring that back',
		needsRow: false,
		worksOnRecord: false,
	},
	talk: {
		keys: ['T'],
		scope: 'list',
		task: 'Look closer',
		hint: 'talk',
		daily: 'talk to the agent',
		hintRank: 11.3,
		description: 'talk to the agent, or say the trigger phrases of the ability to an agent that has it',
		takesOne: true,
	},
	messages: {keys: ['M'], scope: 'everywhere', task: 'Look closer', hint: 'messages', daily: true, description: 'show past messages'},
	requests: {keys: ['!'], scope: 'everywhere', task: 'Look closer', hint: 'requests', description: 'show recent requests'},
	clear: {
		keys: ['escape'],
		scope: 'list',
		task: 'Mark',
		hint: 'clear',
		daily: 'clear marks, then filter',
		description: 'dismiss an error, then clear the marks, then the filter, then the sentence',
		marked: {rank: 7, hint: 'unmark'},
		needsRow: false,
		worksOnRecord: false,
	},
	down: {keys: ['j', 'down'], scope: 'list', task: 'Move', hint: 'down', daily: true, description: 'move down one row'},
	up: {keys: ['k', 'up'], scope: 'list', task: 'Move', hint: 'up', daily: true, description: 'move up one row'},
	'half-page-down': {
		keys: ['ctrl+d'],
		scope: 'list',
		task: 'Move',
		hint: 'half page down',
		daily: true,
		description: 'move down half a page',
	},
	'half-page-up': {keys: ['ctrl+u'], scope: 'list', task: 'Move', hint: 'half page up', daily: true, description: 'move up half a page'},
	'page-down': {keys: ['pagedown', 'ctrl+f'], scope: 'list', task: 'Move', hint: 'page down', description: 'move down a page'},
	'page-up': {keys: ['pageup', 'ctrl+b'], scope: 'list', task: 'Move', hint: 'page up', description: 'move up a page'},
	first: {keys: ['g', 'home'], scope: 'list', task: 'Move', hint: 'first', daily: true, description: 'go to the first row'},
	last: {keys: ['G', 'end'], scope: 'list', task: 'Move', hint: 'last', daily: true, description: 'go to the last row'},
	agents: {keys: ['1'], scope: 'everywhere', task: 'Move', hint: 'agents', daily: true, description: 'go to the Agents screen'},
	abilities: {keys: ['2'], scope: 'everywhere', task: 'Move', hint: 'abilities', daily: true, description: 'go to the Abilities screen'},
	installed: {keys: ['3'], scope: 'everywhere', task: 'Move', hint: 'installed', daily: true, description: 'go to the Installed screen'},
	'next-screen': {
		keys: ['tab', ']', 'l', 'right'],
		scope: 'everywhere',
		task: 'Move',
		hint: 'next screen',
		description: 'go to the next screen; where something is open, l and Right open what Enter opens',
	},
	'previous-screen': {
		keys: ['shift+tab', '[', 'h', 'left'],
		scope: 'everywhere',
		task: 'Move',
		hint: 'previous screen',
		description: 'go to the previous screen; where something is open, h and Left go back',
	},
	repaint: {keys: ['ctrl+l'], scope: 'everywhere', task: 'Program', hint: 'repaint', description: 'redraw the screen'},
	suspend: {keys: ['ctrl+z'], scope: 'everywhere', task: 'Program', hint: 'suspend', description: 'suspend the program; fg resumes it'},
	'text-save': {
		keys: ['ctrl+s', 'ctrl+x'],
		scope: 'text',
		task: 'Change',
		hint: 'save',
		description: 'save the text and close the editor',
		hintRank: 15,
	},
	'text-leave': {
		keys: ['escape'],
		scope: 'text',
		task: 'Program',
		hint: 'back',
		description: 'dismiss an error, then close the editor; asks before it discards a change',
		hintRank: 16,
	},
	'text-undo': {keys: ['ctrl+_', 'alt+u'], scope: 'text', task: 'Change', hint: 'undo', description: 'undo the last edit', hintRank: 17},
	'text-redo': {
		keys: ['ctrl+r', 'alt+e'],
		scope: 'text',
		task: 'Change',
		hint: 'redo',
		description: 'redo the edit that was undone',
		hintRank: 18,
	},
	'text-cut-end': {
		keys: ['ctrl+k'],
		scope: 'text',
		task: 'Change',
		hint: 'cut',
		description: 'cut to the end of the line; at the end, join it with the next line',
		hintRank: 19,
	},
	'text-cut-start': {
		keys: ['ctrl+u'],
		scope: 'text',
		task: 'Change',
		hint: 'cut to start',
		description: 'cut to the start of the line; at the start, join it with the line before',
	},
	'text-cut-word': {
		keys: ['ctrl+w'],
		scope: 'text',
		task: 'Change',
		hint: 'cut previous word',
		description: 'cut the word before the cursor',
	},
	'text-cut-next': {keys: ['alt+d'], scope: 'text', task: 'Change', hint: 'cut next word', description: 'cut the word after the cursor'},
	'text-put-back': {
		keys: ['ctrl+y'],
		scope: 'text',
		task: 'Change',
		hint: 'put back',
		description: 'insert the last cut text',
		hintRank: 20,
	},
	'text-erase': {
		keys: ['backspace'],
		scope: 'text',
		task: 'Change',
		hint: 'erase previous',
		description: 'delete the character before the cursor',
	},
	'text-erase-next': {
		keys: ['delete', 'ctrl+d'],
		scope: 'text',
		task: 'Change',
		hint: 'erase next',
		description: 'delete the character after the cursor',
	},
	'text-left': {keys: ['left', 'ctrl+b'], scope: 'text', task: 'Move', hint: 'left', description: 'move to the previous character'},
	'text-right': {keys: ['right', 'ctrl+f'], scope: 'text', task: 'Move', hint: 'right', description: 'move to the next character'},
	'text-word-left': {
		keys: ['ctrl+left', 'alt+b'],
		scope: 'text',
		task: 'Move',
		hint: 'word left',
		description: 'move to the previous word',
	},
	'text-word-right': {
		keys: ['ctrl+right', 'alt+f'],
		scope: 'text',
		task: 'Move',
		hint: 'word right',
		description: 'move to the end of the next word',
	},
	'text-up': {keys: ['up', 'ctrl+p'], scope: 'text', task: 'Move', hint: 'up', description: 'move up one row of the text'},
	'text-down': {keys: ['down', 'ctrl+n'], scope: 'text', task: 'Move', hint: 'down', description: 'move down one row of the text'},
	'text-line-start': {
		keys: ['home', 'ctrl+a'],
		scope: 'text',
		task: 'Move',
		hint: 'line start',
		description: 'move to the start of the line',
	},
	'text-line-end': {keys: ['end', 'ctrl+e'], scope: 'text', task: 'Move', hint: 'line end', description: 'move to the end of the line'},
	'text-page-up': {keys: ['pageup'], scope: 'text', task: 'Move', hint: 'page up', description: 'move up a page of the text'},
	'text-page-down': {keys: ['pagedown'], scope: 'text', task: 'Move', hint: 'page down', description: 'move down a page of the text'},
	'text-start': {keys: ['ctrl+home'], scope: 'text', task: 'Move', hint: 'start', description: 'move to the start of the text'},
	'text-end': {keys: ['ctrl+end'], scope: 'text', task: 'Move', hint: 'end', description: 'move to the end of the text'},
} as const satisfies Record<string, KeyAction>;

export type ActionName = keyof typeof actions;

/**
Every action with its keys: the source of the dispatcher, the hint line, the help, the command palette and the README's table of keys.
*/
export const keyTable: Readonly<Record<ActionName, KeyAction>> = actions;

export const actionNames = Object.keys(keyTable) as readonly ActionName[];

export function isActionName(name: string): name is ActionName {
	return Object.hasOwn(keyTable, name);
}

/** The scopes of each screen, the nearest first. */
export const scopesOf: Readonly<Record<Resource, readonly KeyScope[]>> = {
	agents: ['agents', 'states', 'list', 'everywhere'],
	abilities: ['abilities', 'switches', 'states', 'list', 'everywhere'],
	installed: ['installed', 'switches', 'states', 'list', 'everywhere'],
};

/** The scopes of a record opened from each screen: the abilities of an opened agent can be switched. */
export const openedScopesOf: typeof scopesOf = {...scopesOf, agents: ['agents', 'switches', 'states', 'list', 'everywhere']};

/** Returns the screens on which a scope is active, by their titles. */
export function screensOf(scope: KeyScope): readonly string[] {
	return Object.entries(scopesOf)
		.filter(([, scopes]) => scopes.includes(scope))
		.map(([name]) => name[0]!.toUpperCase() + name.slice(1));
}
