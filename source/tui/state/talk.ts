import {Buffer} from 'node:buffer';
import type {ConversationEvent} from '../../client/conversation.ts';
import {cleanText} from '../../interface/clean-text.ts';
import type {SwitchboardError} from '../../interface/errors.ts';
import {spokenForm} from '../../interface/trigger-phrases.ts';
import {withChanges} from '../observable.ts';

/** A part of a conversation, with its text as it arrived: it is cleaned where it is drawn. */
export type TalkEntry = {
	/**
	`other` is another person who talks to the agent, `activity` a log line or any other action or question of an ability, and `note` comes
	from the program itself.
	*/
	readonly kind: 'agent' | 'you' | 'other' | 'activity' | 'fault' | 'note';
	readonly text: string;
	/** False while the next part of this turn replaces the text. */
	readonly isFinal: boolean;
	/** True for words said here until the service repeats them. */
	readonly isUnconfirmed?: boolean;
};

/** The connection: a `lost` one is opened again automatically, an `ended` one is not. */
export type Link =
	| {readonly kind: 'connecting' | 'open'}
	| {readonly kind: 'lost'; readonly error: SwitchboardError; readonly pauseMilliseconds: number}
	| {readonly kind: 'ended'; readonly error: SwitchboardError};

export type TalkState = {
	readonly link: Link;
	/** The oldest first; for a long conversation only the newest entries. */
	readonly entries: readonly TalkEntry[];
	readonly length: number;
	/** True from a phrase to the end of its answer: the agent can be interrupted. */
	readonly isAnswering: boolean;
	/** True from an interruption to the end of that answer: parts of it may still arrive. */
	readonly isInterrupted: boolean;
	/** True if the activity of abilities is shown between the turns. */
	readonly areLogsShown: boolean;
};

export const initialTalk: TalkState = {
	link: {kind: 'connecting'},
	entries: [],
	length: 0,
	isAnswering: false,
	isInterrupted: false,
	areLogsShown: false,
};

const maximumEntries = 500;

const maximumLength = 200_000;

/** The rest of a longer turn is not shown. */
const maximumTurn = 20_000;

/** Copies the start of a long text: a slice would keep all of it in memory. */
const startOf = (text: string): string => (text.length <= maximumTurn ? text : `${Buffer.from(text.slice(0, maximumTurn)).toString()}…`);

const added = (state: TalkState, kind: TalkEntry['kind'], text: string): TalkState =>
	withEntry(state, {kind, text: startOf(text), isFinal: true});

const reducers = {
	connecting: state => ({...state, link: {kind: 'connecting'}}),
	open: state => ({...state, link: {kind: 'open'}}),
	lost: (state, {error, pauseMilliseconds}: Pick<Extract<Link, {readonly kind: 'lost'}>, 'error' | 'pauseMilliseconds'>) =>
		withoutLink(state, {kind: 'lost', error, pauseMilliseconds}),
	ended: (state, {error}: {readonly error: SwitchboardError}) => withoutLink(state, {kind: 'ended', error}),
	event: (state, {event}: {readonly event: ConversationEvent}) => withEvent(state, event),
	say: (state, {phrase}: {readonly phrase: string}) => ({
		...withEntry(state, {kind: 'you', text: phrase, isFinal: true, isUnconfirmed: true}),
		isAnswering: true,
		isInterrupted: false,
	}),
	note: (state, {text}: {readonly text: string}) => added(state, 'note', text),
	'toggle-logs': state => ({...state, areLogsShown: !state.areLogsShown}),
	interrupt: state => withChanges(state, {isAnswering: false, isInterrupted: true}),
} as const satisfies Readonly<Record<string, (state: TalkState, action: never) => TalkState>>;

type Reducers = typeof reducers;

type Payload<Reducer> = Reducer extends (state: TalkState, payload: infer Given) => TalkState ? Given : never;

export type TalkAction = {[Type in keyof Reducers]: {readonly type: Type} & Payload<Reducers[Type]>}[keyof Reducers];

/** Returns a conversation for the screen, without its connection. An answer that arrives in thousands of parts is one entry. */
export function reduceTalk(state: TalkState, action: TalkAction): TalkState {
	return (reducers[action.type] as (state: TalkState, action: TalkAction) => TalkState)(state, action);
}

export type TalkLine = {
	readonly value: string;
	readonly past: readonly string[];
	/** The row of `past` that is in the line; its length for new text. */
	readonly row: number;
	/** The new text, while an earlier phrase is in the line. */
	readonly typed: string;
	/** True if it is to be said as soon as the conversation is open. */
	readonly isDue: boolean;
};

export const emptyLine: TalkLine = {value: '', past: [], row: 0, typed: '', isDue: false};

const maximumPast = 100;

/** Goes to an earlier or a later phrase, as in a shell. */
export function recalled(line: TalkLine, by: 1 | -1): TalkLine {
	const row = Math.min(Math.max(0, line.row + by), line.past.length);
	const typed = line.row === line.past.length ? line.value : line.typed;
	return row === line.row ? line : {...line, row, typed, value: line.past[row] ?? typed, isDue: false};
}

/** Returns the empty line after a phrase was said. */
export function saidLine({past}: TalkLine, phrase: string): TalkLine {
	const all = [...past.filter(other => other !== phrase), phrase].slice(-maximumPast);
	return {...emptyLine, past: all, row: all.length};
}

/** Replaces an entry, or adds one at the end, and drops the oldest ones above the limit. */
function withEntry(state: TalkState, entry: TalkEntry, row = state.entries.length): TalkState {
	const entries = [...state.entries];
	let length = state.length + entry.text.length - (entries[row]?.text.length ?? 0);
	entries[row] = entry;
	let dropped = 0;
	while (entries.length - dropped > maximumEntries || (length > maximumLength && dropped < entries.length - 1)) {
		length -= entries[dropped]!.text.length;
		dropped++;
	}

	return {...state, entries: dropped === 0 ? entries : entries.slice(dropped), length};
}

/** Returns the state without anything under way: a turn stays as far as it arrived, and whether a phrase was heard may be unknown. */
function withoutLink(state: TalkState, link: Link): TalkState {
	const said = state.entries.findLast(({isUnconfirmed}) => isUnconfirmed);
	const settled = {
		...state,
		link,
		entries: state.entries.map(entry => (entry.isFinal && !entry.isUnconfirmed ? entry : {...entry, isFinal: true, isUnconfirmed: false})),
		isAnswering: false,
		isInterrupted: false,
	};
	const text =
		said === undefined
			? 'The connection was lost before the whole answer came.'
			: `It is not known whether “${cleanText(said.text, 60)}” was heard.`;
	return state.isAnswering ? added(settled, 'note', text) : settled;
}

function withEvent(state: TalkState, event: ConversationEvent): TalkState {
	switch (event.kind) {
		case 'turn': {
			return withTurn(state, event);
		}

		case 'fault': {
			return {...added(state, 'fault', event.text), isAnswering: false};
		}

		case 'log': {
			return added(state, 'activity', `${event.level}: ${event.text}`);
		}

		default: {
			return added(state, 'activity', `${event.kind}: ${event.text}`);
		}
	}
}

function withTurn(state: TalkState, {role, text, isFinal}: Extract<ConversationEvent, {readonly kind: 'turn'}>): TalkState {
	const {entries, isInterrupted} = state;
	// A service may repeat a person's words with changes.
	const person = entries.some(({isUnconfirmed}) => isUnconfirmed) ? 'you' : 'other';
	const kind = role === 'user' ? person : 'agent';
	const live = entries.findLastIndex(entry => entry.kind === kind && !entry.isFinal);
	const isRepeated = (entry: TalkEntry): boolean => entry.isUnconfirmed === true && spokenForm(entry.text) === spokenForm(text);
	const repeated = kind === 'you' ? entries.findIndex(entry => isRepeated(entry)) : -1;
	const row = [live, repeated, entries.length].find(each => each !== -1)!;
	const next = withEntry(state, {kind, text: startOf(text), isFinal}, row);
	return kind === 'agent' ? {...next, isAnswering: !isFinal && !isInterrupted, isInterrupted: isInterrupted && !isFinal} : next;
}
