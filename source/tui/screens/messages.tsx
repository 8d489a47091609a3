import {useMemo, type ReactElement} from 'react';
import {useAppState} from '../app-context.ts';
import {type Message} from '../state/messages.ts';
import {problemMark, severityTone} from '../state/severity.ts';
import {exactClock} from '../widgets/age.ts';
import {type ScrollLine} from '../widgets/scroll-text.tsx';
import {wrapText} from '../widgets/wrap.ts';
import {LogScreen} from './log-screen.tsx';

/** One message: its time, “!” for an error, and the whole text, indented if it wraps. */
const messageLines = ({at, level, text}: Message, now: number, width: number): readonly ScrollLine[] => {
	const start = `${exactClock(at, now)} ${level === 'info' ? ' ' : problemMark} `;
	const tone = level === 'info' ? 'plain' : severityTone[level];
	return wrapText(text, Math.max(10, width - start.length)).map((line, index) => ({
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
