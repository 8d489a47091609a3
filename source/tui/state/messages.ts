import {type Severity} from './severity.ts';

/** A message: `info` disappears after a while, `error` stays until it is dismissed or replaced. */
export type Message = {
	readonly id: number;
	readonly level: Severity;
	readonly text: string;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** True if it says that the service is unreachable: it goes when the service answers. */
	readonly isOutage?: boolean | undefined;
};

export type Messages = {
	/** The message on the current screen. */
	readonly shown: Message | undefined;
	/** The messages on the other screens, by screen. */
	readonly elsewhere: Readonly<Record<string, Message>>;
	/** The newest last. */
	readonly history: readonly Message[];
};

export const noMessages: Messages = {shown: undefined, elsewhere: {}, history: []};

/** How many messages are kept. */
const historyLength = 100;

/** How long an `info` is shown. */
export const infoMilliseconds = 4000;

type NewMessage = Omit<Message, 'id'>;

const added = ({history}: Messages, {level, text, at, isOutage}: NewMessage): readonly [Message, Messages['history']] => {
	const message = {
		id: (history.at(-1)?.id ?? 0) + 1, level, text, at, isOutage,
	};
	return [message, [...history, message].slice(-historyLength)];
};

/** Replaces the message shown, and adds it to the history. */
export const withMessage = (messages: Messages, said: NewMessage): Messages => {
	const [shown, history] = added(messages, said);
	return {...messages, shown, history};
};

/** Adds a message to the history without showing it. */
export const withNote = (messages: Messages, {text, at}: Pick<NewMessage, 'text' | 'at'>): Messages =>
	({...messages, history: added(messages, {level: 'info', text, at})[1]});

/** Switches to the message of another screen. */
export const withScreen = ({shown, elsewhere, history}: Messages, before: string, now: string): Messages => {
	const {[now]: shownThere, ...others} = elsewhere;
	return {shown: shownThere, elsewhere: shown === undefined ? others : {...others, [before]: shown}, history};
};

const without = (messages: Messages, isOver: (message: Message) => boolean): Messages => {
	const {shown, elsewhere, history} = messages;
	const entries = Object.entries(elsewhere);
	const left = entries.filter(([, message]) => !isOver(message));
	const isShownOver = shown !== undefined && isOver(shown);
	return left.length === entries.length && !isShownOver
		? messages
		: {shown: isShownOver ? undefined : shown, elsewhere: Object.fromEntries(left), history};
};

/** Dismisses an `info` that is older than a new overlay; an error still needs attention. */
export const withoutInfo = (messages: Messages): Messages => messages.shown?.level === 'info' ? {...messages, shown: undefined} : messages;

/** Dismisses a message on any screen. */
export const withoutMessage = (messages: Messages, id: number | undefined): Messages => without(messages, message => message.id === id);

/** Dismisses messages that the service is unreachable. */
export const withoutOutage = (messages: Messages): Messages => without(messages, ({isOutage}) => isOutage === true);
