import {type ActionName} from '../../keys/key-table.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {type Key} from '../../terminal/key.ts';
import {type TextVerb} from './text-editor-state.ts';

const verbs: Readonly<Partial<Record<ActionName, TextVerb>>> = {
	'text-left': {type: 'move', move: 'previous-character'},
	'text-right': {type: 'move', move: 'next-character'},
	'text-word-left': {type: 'move', move: 'previous-word'},
	'text-word-right': {type: 'move', move: 'next-word'},
	'text-up': {type: 'move', move: 'row-up'},
	'text-down': {type: 'move', move: 'row-down'},
	'text-line-start': {type: 'move', move: 'line-start'},
	'text-line-end': {type: 'move', move: 'line-end'},
	'text-page-up': {type: 'move', move: 'page-up'},
	'text-page-down': {type: 'move', move: 'page-down'},
	'text-start': {type: 'move', move: 'text-start'},
	'text-end': {type: 'move', move: 'text-end'},
	'text-erase': {type: 'erase', reach: 'previous-character'},
	'text-erase-next': {type: 'erase', reach: 'next-character'},
	'text-cut-word': {type: 'cut', reach: 'previous-word'},
	'text-cut-next': {type: 'cut', reach: 'next-word'},
	'text-cut-start': {type: 'cut', reach: 'line-start'},
	'text-cut-end': {type: 'cut', reach: 'line-end'},
	'text-put-back': {type: 'put-back'},
	'text-undo': {type: 'undo'},
	'text-redo': {type: 'redo'},
};

/** The keys that type what has no character of its own. */
const typedByKeys: Readonly<Record<string, string>> = {enter: '\n', tab: '\t'};

/** What some terminals send in place of a key of the table. */
const alternatives: Readonly<Record<string, string>> = {'alt+left': 'ctrl+left', 'alt+right': 'ctrl+right', 'alt+backspace': 'ctrl+w'};

/** What a key of the editor does; `undefined` for any other key. */
export const textVerbOf = ({name, text}: Key, keymap: Keymap): TextVerb | undefined => {
	const typed = text === '' ? typedByKeys[name] : text;
	const action = keymap.actionOf(alternatives[name] ?? name, ['text']);
	return typed === undefined ? (action && verbs[action]) : {type: 'type', text: typed};
};
