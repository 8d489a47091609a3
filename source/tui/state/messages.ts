import type {SwitchboardError} from '../../interface/errors.ts';
import type {Resource} from '../../interface/records.ts';
import type {Severity} from '../../words/signs.ts';

/**
The events that make a message outdated: the service answers, a list is read, the failed switches are retried or done, the cursor moves, or
an overlay opens.
*/
export type MessageEnd = 'answer' | 'failures' | 'move' | 'overlay' | Resource;

/**
Shows a message on the screen.

@param ends - the events that make it outdated, and the failure that it reports: a message that a service is unreachable is outdated once it
answers.
*/
export type Say = (level: Severity, text: string, ...ends: ReadonlyArray<MessageEnd | Pick<SwitchboardError, 'kind'> | undefined>) => void;

/** A message: `info` disappears after a while and with the next action, `error` stays until it is dismissed or replaced. */
export type Message = {
	readonly id: number;
	readonly level: Severity;
	/** One line, without line breaks. */
	readonly text: string;
	readonly at: number;
	/** Any of these ends it; an `info` that an overlay ends stays until one opens. */
	readonly until: readonly MessageEnd[];
	/** True if it quotes long texts: it is shown on one line, and its quotes are cut. */
	readonly isQuoting?: boolean | undefined;
};

export type Messages = {
	readonly shown: Message | undefined;
	readonly elsewhere: Readonly<Record<string, Message>>;
	readonly history: readonly Message[];
	/** The number of the newest message, shown or noted. */
	readonly lastId: number;
};

export const noMessages: Messages = {shown: undefined, elsewhere: {}, history: [], lastId: 0};

const historyLength = 100;

export const infoMilliseconds = 5000;

type NewMessage = Omit<Message, 'id' | 'until'> & Partial<Pick<Message, 'until'>>;

/** Replaces the current message, and adds a problem to the history. Changes are noted there as they are made (`withNote`). */
export function withMessage(messages: Messages, said: NewMessage): Messages {
	const shown = toMessage(messages, said);
	return {...messages, shown, lastId: shown.id, history: said.level === 'info' ? messages.history : withNewest(messages.history, shown)};
}

const toMessage = ({lastId}: Messages, {level, text, at, until = [], isQuoting}: NewMessage): Message => ({
	id: lastId + 1,
	level,
	text: text.replaceAll(/\s*\n\s*/g, ' '),
	at,
	until,
	isQuoting,
});

const withNewest = (history: Messages['history'], message: Message): Messages['history'] => [...history, message].slice(-historyLength);

export function withNote(messages: Messages, note: Omit<NewMessage, 'level'>): Messages {
	const noted = toMessage(messages, {...note, level: 'info'});
	return {...messages, lastId: noted.id, history: withNewest(messages.history, noted)};
}

/** Switches to the message of another screen. */
export function withScreen({shown, elsewhere, ...rest}: Messages, before: string, now: string): Messages {
	const {[now]: shownThere, ...others} = elsewhere;
	return {...rest, shown: shownThere, elsewhere: shown === undefined ? others : {...others, [before]: shown}};
}

/** Tells whether this is an `info` that stays until an overlay opens. */
export function isLasting({until}: Pick<Message, 'until'>): boolean {
	return until.includes('overlay');
}

/** Dismisses each `info` on any screen, because of a new action. A lasting `info` stays unless an overlay opens. */
export function withoutInfo(messages: Messages, isOverlayOpened: boolean): Messages {
	return without(messages, message => message.level === 'info' && (isOverlayOpened || !isLasting(message)));
}

function without(messages: Messages, isOver: (message: Message) => boolean): Messages {
	const {shown, elsewhere} = messages;
	const entries = Object.entries(elsewhere);
	const left = entries.filter(([, message]) => !isOver(message));
	const isShownOver = shown !== undefined && isOver(shown);
	return left.length === entries.length && !isShownOver
		? messages
		: {...messages, shown: isShownOver ? undefined : shown, elsewhere: Object.fromEntries(left)};
}

/** Dismisses a message on any screen. */
export function withoutMessage(messages: Messages, id: number | undefined): Messages {
	return without(messages, message => message.id === id);
}

/** Dismisses the messages on any screen that this event makes outdated. */
export function withoutEnded(messages: Messages, end: MessageEnd): Messages {
	return without(messages, ({until}) => until.includes(end));
}
