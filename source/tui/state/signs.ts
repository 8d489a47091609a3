import {stateWord} from '../../interface/state-word.ts';
import {profileSigns} from '../widgets/profile-mark.ts';
import {problemMark} from './severity.ts';

/** The signs of the rows and of the lines above them. Each has one meaning, in ASCII too. */
export const signs = {
	cursor: '>',
	marked: '*',
	pending: '~',
	problem: problemMark,
	changed: '^',
	none: '–',
	hidden: stateWord(undefined),
	chosen: '[x]',
	notChosen: '[ ]',
	id: '#',
	cut: '…',
	rising: '↑',
	falling: '↓',
	screen: '[1 Agents]',
	filter: '/',
	typing: '_',
	readOnly: '[read-only]',
	insecure: '[insecure http]',
} as const satisfies Readonly<Record<string, string>>;

/** Every sign with its meaning, for the help. */
export const signRows: ReadonlyArray<{readonly sign: string; readonly description: string}> = [
	{sign: signs.cursor, description: 'the cursor is on this row'},
	{sign: signs.marked, description: 'the row is marked; after a number, so many are'},
	{sign: signs.pending, description: 'the service has not confirmed the change yet'},
	{sign: signs.problem, description: 'the last change failed; before words, a problem'},
	{sign: signs.changed, description: 'it was changed elsewhere'},
	{sign: signs.none, description: 'the ability is not installed; in other columns, none'},
	{sign: signs.hidden, description: 'the service does not show it'},
	{sign: `${signs.chosen} ${signs.notChosen}`, description: 'the ability is chosen for the agent, or is not'},
	{sign: signs.id, description: 'the id of an agent follows'},
	{sign: signs.cut, description: 'there is no room for the rest'},
	{sign: `${signs.rising} ${signs.falling}`, description: 'the list is sorted by this column, rising or falling'},
	{sign: signs.screen, description: 'the screen that is shown'},
	{sign: `${signs.filter} ${signs.typing}`, description: 'the filter follows; the end of a line that is being typed'},
	{sign: signs.readOnly, description: 'keys that change something are refused'},
	{sign: signs.insecure, description: 'the connection is not encrypted'},
	{sign: profileSigns.join(' '), description: 'a profile\'s own mark, before its name'},
];
