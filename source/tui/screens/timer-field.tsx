import cliTruncate from 'cli-truncate';
import {Box, Text, useIsScreenReaderEnabled} from 'ink';
import {useContext, useState, type ReactElement, type ReactNode} from 'react';
import stringWidth from 'string-width';
import {SwitchboardError, toSwitchboardError, withoutFailing} from '../../interface/errors.ts';
import {isNoteTooLong, maximumNoteCharacters, type TimerTime} from '../../interface/timers.ts';
import {withCursor} from '../../terminal/cursor-mark.ts';
import {spokenRow} from '../../terminal/spoken-text.ts';
import {fit} from '../../terminal/wrap.ts';
import {typingEnd, withMark} from '../../words/signs.ts';
import {parseTimerTime, timerClock, type Moment} from '../../words/timer-times.ts';
import {toWallClock} from '../../words/time-zone.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {useServiceSession, type MemoryKey} from '../hooks/service-session.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import type {Overlay} from '../state/app-state.ts';
import {layoutOf} from '../state/layout.ts';
import {editedLine, withPasted} from '../state/text-editing.ts';
import {theme} from '../theme.ts';
import {AreHintsHiddenContext} from '../widgets/notice.tsx';
import {EndBox, endBoxTop} from '../widgets/question.tsx';

type Asking = Extract<Overlay, {readonly kind: 'timer'}>;

/** The times that Tab goes through. */
const choices = ['30m', '1h', '2h', '8h', '07:00'];

const lastUsed: MemoryKey<{text: string}> = {create: () => ({text: '1h'})};

/** The title, the field, and the help or the error. */
const lineCount = 3;

/** The field has room for a usual time and a short note. */
const fieldColumns = 24;

/** On a lower screen the field replaces the screen. */
const boxRows = 10;

/** Returns the line of the screen, from 0, on which the box of the field begins; `undefined` if it has none. */
export function timerBoxTop(size: {readonly columns: number; readonly rows: number}): number | undefined {
	return size.rows < boxRows ? undefined : endBoxTop(size, lineCount);
}

type TimerFieldProps = {
	readonly asked: Asking | undefined;
	/** The screen below. It stays unchanged and gets no keys. */
	readonly children: ReactNode;
};

/** `text` is as it was given until the first key. */
type Typed = {readonly text: string; readonly isGiven: boolean; readonly problem: string};

/**
Draws a screen with a field above it for the time of a timer, and a note after it. Enter takes the time, or the last one used if nothing is
typed; Tab goes through usual ones. The first key replaces a time that was given; if that is Backspace, Enter then cancels the timer.
*/
export function TimerField({asked, children}: TimerFieldProps): ReactElement {
	const {store, timeZone} = useUiServices();
	const size = useAppState(state => state.size);
	const columns = useAppState(state => layoutOf(state).columns);
	const isScreenReader = useIsScreenReaderEnabled();
	const areHidden = useContext(AreHintsHiddenContext);
	const {memory, changes} = useServiceSession();
	const {timers} = changes;
	const last = memory.get(lastUsed);
	const [state, setState] = useState<Typed & {readonly of: Asking | undefined}>();
	const {text, isGiven, problem}: Typed =
		state !== undefined && state.of === asked ? state : {text: asked?.initial ?? '', isGiven: asked?.initial !== '', problem: ''};
	const change = (next: Partial<Typed>): void => setState({text, isGiven: false, problem: '', ...next, of: asked});
	const canCancel = asked?.onCancel !== undefined;

	const finish = (): void => {
		if (text.trim() === '' && asked?.onCancel !== undefined) {
			store.dispatch({type: 'close'});
			asked.onCancel();
			return;
		}

		const used = text.trim() === '' ? last.text : text.trim().replaceAll(/\s+/g, ' ');
		let wish: TimerTime & {readonly note: string};
		try {
			wish = parseNoted(used, {now: Date.now(), ...timeZone});
		} catch (error) {
			const {message} = toSwitchboardError(error);
			change({problem: message});
			return;
		}

		// The note belongs to the ability that it was given for.
		last.text = used.slice(0, used.length - wish.note.length).trim();
		store.dispatch({type: 'close'});
		void (async () => {
			if (await timers.agree()) {
				asked!.onTime(wish);
			}
		})();
	};

	useKeys(
		layers.line,
		{
			onKey(key) {
				if (key.name === 'escape') {
					store.dispatch({type: 'close'});
				} else if (key.name === 'enter') {
					finish();
				} else if (key.name === 'tab' || key.name === 'shift+tab') {
					const at = choices.indexOf(text);
					change({text: choices.at((key.name === 'tab' ? at + 1 : at <= 0 ? -1 : at - 1) % choices.length)!});
				} else {
					// A time that was given is replaced by the first key, like a marked text.
					change({text: isGiven && key.name === 'backspace' ? '' : (editedLine(isGiven && key.text !== '' ? '' : text, key) ?? text)});
				}

				return true;
			},
			onPaste(pasted) {
				change({text: withPasted(isGiven ? '' : text, pasted)});
				return true;
			},
		},
		asked !== undefined,
	);

	const isInBox = asked !== undefined && !isScreenReader && timerBoxTop(size) !== undefined;
	return (
		<>
			<AreHintsHiddenContext value={areHidden || asked !== undefined}>
				<Box flexDirection="column" display={asked === undefined || isInBox ? 'flex' : 'none'}>
					{children}
				</Box>
			</AreHintsHiddenContext>
			{asked && (
				<TimerLines
					asked={asked}
					text={text}
					problem={problem}
					placeholder={canCancel ? '' : last.text}
					columns={columns}
					rows={isInBox ? size.rows : undefined}
				/>
			)}
		</>
	);
}

/** Returns the time of a timer as it may be typed. */
export function typedTime(at: string, {now, zone}: Moment): string {
	const text = timerClock(at, {now, zone});
	// The names of days are not times.
	return /^(?:tomorrow )?\d\d:|^\d{4}/.test(text) ? text : toWallClock(Date.parse(at), zone).toISOString().slice(0, 16);
}

/** Parses a time with a note after it: “tomorrow 18:00 printer repaired”. The longest start that is a time is the time. */
export function parseNoted(text: string, moment: Moment): TimerTime & {readonly note: string} {
	const words = text.trim().split(/\s+/);
	for (const count of [3, 2]) {
		const time = withoutFailing(() => parseTimerTime(words.slice(0, count).join(' '), moment));
		if (time !== undefined && words.length >= count) {
			return {...time, note: checkNote(words.slice(count))};
		}
	}

	return {...parseTimerTime(words[0]!, moment), note: checkNote(words.slice(1))};
}

function checkNote(words: readonly string[]): string {
	const note = words.join(' ');
	if (isNoteTooLong(note)) {
		throw new SwitchboardError('usage', `A note has at most ${maximumNoteCharacters} characters; this one has ${[...note].length}.`);
	}

	return note;
}

type TimerLinesProps = Pick<Typed, 'text' | 'problem'> & {
	readonly asked: Asking;
	/** Taken if nothing is typed. */
	readonly placeholder: string;
	readonly columns: number;
	/** The height of the screen; `undefined` without a box. */
	readonly rows: number | undefined;
};

function TimerLines({asked, text, problem, placeholder, columns, rows}: TimerLinesProps): ReactElement {
	// The end of a long note stays in view.
	const field = `until: ${cliTruncate(text, Math.max(1, Math.min(72, columns - 6) - 9), {position: 'start'})}`;
	const offered = choices.map(choice => (choice === text ? `[${choice}]` : choice)).join('  ');
	const enter = text.trim() === '' ? (asked.onCancel === undefined ? `enter ${placeholder}` : 'enter removes it') : 'enter set';
	const help = problem === '' ? `${enter}  tab next  esc cancel` : withMark('error', problem);
	const wanted = Math.max(stringWidth(asked.title), stringWidth(help), Math.max(fieldColumns, stringWidth(field) + 1) + offered.length + 3);
	const width = Math.min(72, columns - 6, wanted);
	const isRoom = stringWidth(field) + offered.length + 4 <= width;
	const lines = (
		<>
			<Text {...theme.warning} bold wrap="truncate-end">
				{fitted(asked.title, width)}
			</Text>
			<Text wrap="truncate-end" aria-label={spokenRow(true, field)}>
				{` ${withCursor('question', field)}${typingEnd}`}
				<Text {...theme.secondary}>{fit(isRoom ? `   ${offered}` : '', Math.max(0, width - stringWidth(field) - 1))}</Text>{' '}
			</Text>
			<Text {...(problem === '' ? theme.accent : theme.error)} wrap="truncate-end">
				{fitted(help, width)}
			</Text>
		</>
	);
	return rows === undefined ? (
		<Box flexDirection="column">{lines}</Box>
	) : (
		<EndBox size={{columns, rows}} width={width} lineCount={lineCount} color={theme.warning.color}>
			{lines}
		</EndBox>
	);
}

/** As wide as the box, so that nothing below shows through. */
const fitted = (line: string, width: number): string => ` ${fit(line, width)} `;
