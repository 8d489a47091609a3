import {useMemo, type ReactElement} from 'react';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {useAppState} from '../app-context.ts';
import {type Message} from '../state/messages.ts';
import {problemMark, severityTone} from '../state/severity.ts';
import {exactClock} from '../widgets/age.ts';
import {type ScrollLine} from '../widgets/scroll-text.tsx';
import {wrapText} from '../widgets/wrap.ts';
import {LogScreen} from './log-screen.tsx';

/** Fewer columns of a quote would say nothing. */
const shortestQuote = 4;

/** A text on one line: its quotes are cut, all to the same length, and then its end. */
const fitQuotes = (text: string, width: number): string => {
	const quotes = text.match(/(?<=“)[^”]*(?=”)/g) ?? [];
	const room = (width - stringWidth(text.replaceAll(/“[^”]*”/g, '“”'))) / Math.max(1, quotes.length);
	return cliTruncate(text.replaceAll(/(?<=“)[^”]*(?=”)/g, quote => cliTruncate(quote, Math.max(shortestQuote, Math.floor(room)))), width);
};

/** One message: its time, “!” for an error, and the whole text, indented if it wraps. */
const messageLines = ({at, level, text, isQuoting = false}: Message, now: number, width: number): readonly ScrollLine[] => {
	const start = `${exactClock(at, now)} ${level === 'info' ? ' ' : problemMark} `;
	const tone = level === 'info' ? 'plain' : severityTone[level];
	const room = Math.max(10, width - start.length);
	return (isQuoting ? [fitQuotes(text, room)] : wrapText(text, room)).map((line, index) => ({
		text: (index === 0 ? start : ' '.repeat(start.length)) + line,
		tone,
	}));
};

/** The messages of this run, the newest first. */
export const MessagesScreen = (): ReactElement => {
	const {messages: {history}, size} = useAppState();
	const lines = useMemo(() => {
		const now = history.at(-1)?.at ?? 0;
		return history.toReversed().flatMap(message => messageLines(message, now, size.columns - 2));
	}, [history, size.columns]);
	return <LogScreen title='Messages' empty='No messages yet.' lines={lines} action='messages'/>;
};
