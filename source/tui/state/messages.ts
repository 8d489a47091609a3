/** A sentence for the person: `info` goes by itself after a while, `error` stays until it is dismissed or replaced. */
export type Message = {
	readonly id: number;
	readonly level: 'info' | 'error';
	readonly text: string;
	/** Milliseconds since the epoch. */
	readonly at: number;
};

export type Messages = {
	readonly shown: Message | undefined;
	/** The newest last. */
	readonly history: readonly Message[];
};

export const noMessages: Messages = {shown: undefined, history: []};

/** A message as it is drawn: an error begins with “!” so that it is known without colour. */
export const messageText = (text: string | undefined, level: Message['level'] | undefined): string =>
	text === undefined ? '' : (level === 'error' ? `! ${text}` : text);

/** How many messages are kept. */
const historyLength = 100;

/** How long an `info` is shown. */
export const infoMilliseconds = 4000;

/** Shows a message in place of the one before, and keeps it in the history. `at` in milliseconds since the epoch. */
export const withMessage = (messages: Messages, level: Message['level'], text: string, at: number): Messages => {
	const message = {
		id: (messages.history.at(-1)?.id ?? 0) + 1, level, text, at,
	};
	return {shown: message, history: [...messages.history, message].slice(-historyLength)};
};
