import {type Severity} from './severity.ts';
/** A sentence for the person: `info` goes by itself after a while, `error` stays until it is dismissed or replaced. */
export type Message = {
	readonly id: number;
	readonly level: Severity;
	readonly text: string;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** True where it says that the service could not be reached, which holds until the service answers. */
	readonly isOutage?: boolean | undefined;
};

export type Messages = {
	/** What the screen of now shows. */
	readonly shown: Message | undefined;
	/** What other screens show once they are back, by their names. */
	readonly elsewhere: Readonly<Record<string, Message>>;
	/** The newest last. */
	readonly history: readonly Message[];
};

export const noMessages: Messages = {shown: undefined, elsewhere: {}, history: []};

/** How many messages are kept. */
const historyLength = 100;

/** How long an `info` is shown. */
export const infoMilliseconds = 4000;

type Said = Omit<Message, 'id'>;

const added = ({history}: Messages, {level, text, at, isOutage}: Said): readonly [Message, Messages['history']] => {
	const message = {
		id: (history.at(-1)?.id ?? 0) + 1, level, text, at, isOutage,
	};
	return [message, [...history, message].slice(-historyLength)];
};

/** Shows a message in place of the one before, and keeps it in the history. */
export const withMessage = (messages: Messages, said: Said): Messages => {
	const [shown, history] = added(messages, said);
	return {...messages, shown, history};
};

/** Keeps a message in the history alone. */
export const withNote = (messages: Messages, {text, at}: Pick<Said, 'text' | 'at'>): Messages =>
	({...messages, history: added(messages, {level: 'info', text, at})[1]});

/** A message belongs to the screen that it was said on: another one has its own. */
export const withPlace = ({shown, elsewhere, history}: Messages, before: string, now: string): Messages => {
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

/** What was said before something opens is not about it; an error still needs attention there. */
export const withoutInfo = (messages: Messages): Messages => messages.shown?.level === 'info' ? {...messages, shown: undefined} : messages;

/** Shows a message no longer, on whichever screen it stands. */
export const withoutMessage = (messages: Messages, id: number | undefined): Messages => without(messages, message => message.id === id);

/** Shows no longer that the service could not be reached. */
export const withoutOutage = (messages: Messages): Messages => without(messages, ({isOutage}) => isOutage === true);
