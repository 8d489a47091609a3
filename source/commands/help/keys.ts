import {keyRows} from '../../tui/keys/hints.ts';
import {createKeymap} from '../../tui/keys/keymap.ts';
import type {KeyScope} from '../../tui/keys/key-table.ts';
import {signRows} from '../../tui/state/signs.ts';
import type {HelpItem, HelpTopic} from './topic.ts';

const headings: Readonly<Record<KeyScope, string>> = {
	everywhere: 'Everywhere:',
	list: 'On every screen:',
	switches: 'On Abilities and Installed:',
	agents: 'On Agents:',
	abilities: 'On Abilities:',
	installed: 'On Installed:',
	text: 'In the editor of a prompt, if no other editor is set:',
};

const rows = keyRows(createKeymap());

const widest = (texts: readonly string[]): number => Math.max(...texts.map(({length}) => length));

const keysWidth = widest(rows.map(row => row.keys));
const nameWidth = widest(rows.map(row => row.name));
const signWidth = widest(signRows.map(({sign}) => sign));

const itemsOf = (scope: string): readonly HelpItem[] => rows
	.filter(row => row.scope === scope)
	.map(({keys: ownKeys, name, description}) => [`${ownKeys.padEnd(keysWidth)}  ${name.padEnd(nameWidth)}`, description]);

export const keys: HelpTopic = [
	'The keys of the terminal UI, with the names of their actions. In the UI, ? shows the keys of the current screen.',
	...Object.entries(headings).map(([scope, heading]) => ({heading, items: itemsOf(scope)})),
	'A row starts with its state, on or off. The signs of the rows and of the lines above them:',
	{lines: signRows.map(({sign, description}) => `${sign.padEnd(signWidth)}  ${description}`)},
	'To bind your own keys, add them to config.json in the settings folder, by the names of the actions: a key, a list of keys, or null for none.',
	{lines: ['{"keys": {"toggle": ["space", "ctrl+t"], "refresh": "f5", "delete": null}}']},
	'Binding a key takes it from the action that has it by default. Conflicting or unknown bindings are ignored and reported at start-up, with their line. Ctrl+C always quits.',
	'API keys of the bundled service: switchboard keys --help',
];
