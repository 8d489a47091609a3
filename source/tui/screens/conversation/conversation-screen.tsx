import {Box, Text, useIsScreenReaderEnabled} from 'ink';
import {useEffect, useMemo, useState, useSyncExternalStore, type ReactElement} from 'react';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {cleanLines, cleanText} from '../../../interface/clean-text.ts';
import {maximumPhraseLength} from '../../../interface/conversation.ts';
import {formatCount} from '../../../interface/format-count.ts';
import type {Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {endTalk, talkWith} from '../../hooks/conversations.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {isBackKey, type Hint} from '../../../words/keymap.ts';
import {withMark, type Severity} from '../../../words/signs.ts';
import type {Link, TalkEntry, TalkState} from '../../state/talk.ts';
import {wheelRows} from '../../../terminal/mouse.ts';
import {theme, type Tone} from '../../theme.ts';
import {lineMoveOf, moveOf, targetRow, type Move} from '../../state/list-state.ts';
import {MessageLine} from '../../widgets/notice.tsx';
import {ScrollText, textLines, type ScrollLine} from '../../widgets/scroll-text.tsx';
import {TextField} from '../../widgets/text-field.tsx';
import {useRememberedState} from '../../widgets/text-scroll.ts';
import {wrapText} from '../../../terminal/wrap.ts';
import {DetailFrame, detailLayoutOf, useProfileNote} from '../detail-frame.tsx';
import {dismissError, refusalOf} from '../refuse-change.ts';

export type Offer = {
	/** The trigger phrases of an ability: each has a key that says it. */
	readonly phrases: readonly string[];
	/** Shown instead of phrases: the reason why there are none. */
	readonly remark: string;
	/** A sentence about the ability that may be switched on for this conversation only. */
	readonly tryText?: string;
	/** Called by the key in that sentence. */
	readonly onTry?: (() => void) | undefined;
	/** Called when the conversation has ended. */
	readonly onEnded?: () => void;
};

const noOffer: Offer = {phrases: [], remark: ''};

const looks: Readonly<Record<TalkEntry['kind'], {readonly tone: Tone; readonly sign: string}>> = {
	agent: {tone: 'plain', sign: ''},
	you: {tone: 'accent', sign: ''},
	other: {tone: 'accent', sign: ''},
	activity: {tone: 'secondary', sign: '· '},
	fault: {tone: 'error', sign: withMark('error', '')},
	note: {tone: 'warning', sign: withMark('warning', '')},
};

/** The lines of each entry, as they were last drawn: few change between frames. */
const drawnEntries = new WeakMap<TalkEntry, {readonly look: string; readonly lines: readonly ScrollLine[]}>();

const pageMoves: Readonly<Record<string, Move>> = {pageup: 'page-up', pagedown: 'page-down'};

/** The text typed before the conversation was shown, and whether to say it. */
export type EarlyLine = {text: string; isDue: boolean};

type ConversationProps = {readonly agent: Pick<Agent, 'id' | 'name'>; readonly offer?: Offer; readonly early?: EarlyLine};

/** Draws a conversation with an agent, with an input line. */
export function ConversationScreen({agent, offer = noOffer, early}: ConversationProps): ReactElement {
	const ui = useUiServices();
	const {store, keymap} = ui;
	const session = useServiceSession();
	const state = useAppState();
	const {columns} = state.size;
	const profileNote = useProfileNote();
	const isScreenReader = useIsScreenReaderEnabled();
	const [talk] = useState(() => talkWith(session, agent));
	const shown = useSyncExternalStore(talk.subscribe, talk.get);
	const line = useSyncExternalStore(talk.line.subscribe, talk.line.get);
	const [wantedTop, setTop] = useRememberedState<number | undefined>('top', undefined);
	useEffect(() => talk.watch(), [talk]);
	const isEnded = shown.link.kind === 'ended';
	useEffect(() => {
		if (isEnded) {
			offer.onEnded?.();
		}
	}, [isEnded]);
	useEffect(() => {
		if (early === undefined || early.text === '') {
			return;
		}

		talk.type(talk.line.get().value + early.text);
		early.text = '';
		if (early.isDue) {
			talk.enter();
		}
	}, [talk, early]);

	const refusal = refusalOf(ui, 'talk');
	const offered = refusal === undefined ? fitOffer(offer, columns - 2) : [];
	const isTooLong = line.value.length > maximumPhraseLength;
	const link = linkText(shown.link, line.isDue);
	const status =
		link.text === '' && isTooLong
			? {
					text: `A phrase has ${formatCount(maximumPhraseLength)} characters at most: this one has ${formatCount(line.value.length)}.`,
					level: 'error' as const,
				}
			: link.text === '' && refusal === undefined
				? {text: offer.tryText ?? '', level: 'info' as const}
				: link;
	const {bodyRows} = detailLayoutOf(state);
	const rowsOf = (text: string): number => Math.min(bodyRows < 8 ? 2 : 3, wrapText(text, columns - 1).length);
	const statusRows = rowsOf(withMark(status.level, status.text));
	const refusalText =
		refusal === undefined
			? ''
			: ui.keyLimits === undefined || ui.isReadOnly
				? 'Read-only: you cannot talk.'
				: `You cannot talk: ${refusal}`;
	const lineRows = refusal === undefined ? 1 : rowsOf(refusalText);
	const height = Math.max(1, bodyRows - statusRows - lineRows - (offered.length === 0 ? 0 : 1));

	const labelColumns = Math.max(7, Math.min(stringWidth(agent.name), Math.floor(columns / 4)) + 2);
	const lines = useTalkText(shown, agent.name, labelColumns);
	const last = Math.max(0, lines.length - height);
	const top = Math.min(wantedTop ?? last, last);
	const scrollTo = (row: number): void => setTop(() => (row >= last ? undefined : Math.max(0, row)));

	const move = (step: Move): void => scrollTo(targetRow(step, top, last + 1, height));

	const say = (): void => {
		talk.enter();
		setTop(() => undefined);
	};

	/** Ends the conversation and goes back. Returns false if it is over. */
	const end = (): boolean => {
		if (talk.isOver) {
			return false;
		}

		offer.onEnded?.();
		store.dispatch({type: 'close'});
		endTalk(session, talk);
		ui.say('info', `The conversation with ${agent.name} has ended.`);
		return true;
	};

	const actOnLine: Readonly<Record<string, () => void>> = {
		enter() {
			if (!isTooLong) {
				say();
			}
		},
		up() {
			talk.recall(-1);
		},
		down() {
			talk.recall(1);
		},
	};

	const handleLineKey = (name: string): boolean => {
		const isPhraseKey = /^[1-9]$/.test(name) && Number(name) <= offered.length && offer.phrases.length > 0 && talk.line.get().value === '';
		const act = isPhraseKey
			? () => {
					talk.type(offer.phrases[Number(name) - 1]!);
					say();
				}
			: actOnLine[lineMoveOf(name) ?? name];
		act?.();
		return act !== undefined;
	};

	useKeys(layers.program, {
		onKey: ({name}) => name === 'ctrl+c' && store.getState().leaving === undefined && refusal === undefined && (talk.interrupt() || end()),
	});
	useKeys(refusal === undefined ? layers.field : layers.overlay, {
		onKey({name}) {
			const step = refusal === undefined ? pageMoves[name] : keymap.actionOf(name, ['list']);
			if (refusal === undefined ? name === 'escape' : isBackKey(keymap, name)) {
				if (!dismissError(store)) {
					store.dispatch({type: 'close'});
				}
			} else if (name === 'ctrl+t' && refusal === undefined && offer.onTry !== undefined) {
				offer.onTry();
			} else if (name === 'ctrl+d' && refusal === undefined && talk.line.get().value === '') {
				end();
			} else if (name === 'ctrl+o') {
				talk.toggleLogs();
			} else if (moveOf(step) !== undefined) {
				move(moveOf(step)!);
			} else if (refusal !== undefined && name === 'enter' && talk.isOver) {
				talk.enter();
			} else if (refusal !== undefined || !handleLineKey(name)) {
				return false;
			}

			return 'settle';
		},
		onMouse({kind}) {
			if (kind !== 'press') {
				scrollTo(top + (kind === 'wheel-down' ? wheelRows : -wheelRows));
			}

			return true;
		},
	});

	const logCount = shown.entries.filter(({kind}) => kind === 'activity').length;
	const hints: ReadonlyArray<Hint | undefined> = [
		refusal === undefined ? {key: 'enter', label: shown.link.kind === 'ended' ? 'connect' : 'say'} : undefined,
		refusal === undefined && line.value === '' && offer.phrases.length > 0
			? {key: offered.length === 1 ? '1' : `1-${offered.length}`, label: 'say a phrase'}
			: undefined,
		{key: 'esc', label: 'back', isKept: true},
		refusal === undefined
			? {key: 'ctrl+c', label: shown.isAnswering ? 'interrupt' : isEnded ? 'quit' : 'end', isKept: shown.isAnswering}
			: undefined,
		{key: 'ctrl+o', label: shown.areLogsShown ? 'hide logs' : logCount === 0 ? 'logs' : `logs (${formatCount(logCount)})`},
		line.past.length > 0 ? {key: 'up', label: 'earlier'} : undefined,
		last > 0 ? {key: 'pgup/pgdn', label: 'scroll'} : undefined,
	];
	const position = wantedTop === undefined || last === 0 ? '' : `${top + 1}–${top + height} of ${lines.length}`;
	return (
		<DetailFrame title={columns < 60 ? agent.name : `Talking to ${agent.name}`} notes={[position, profileNote]} hints={hints}>
			<ScrollText
				lines={lines}
				labelColumns={labelColumns}
				top={isScreenReader ? 0 : top}
				height={isScreenReader ? lines.length : height}
			/>
			{statusRows === 0 ? null : <MessageLine width={columns} height={statusRows} {...status} />}
			{offered.length === 0 ? null : (
				<Box flexShrink={0} paddingLeft={1}>
					<Text {...(line.value === '' ? theme.plain : theme.faint)} wrap="truncate-end">
						{offered.join('  ')}
					</Text>
				</Box>
			)}
			{refusal === undefined ? (
				<TextField isFocused label="Say" labelWidth={6} width={columns - 1} value={line.value} onChange={value => talk.type(value)} />
			) : (
				<MessageLine width={columns} height={lineRows} level="info" text={refusalText} />
			)}
		</DetailFrame>
	);
}

/** Returns the texts of an offer for a line of this width. A phrase without room has no key either. */
function fitOffer({phrases, remark}: Offer, width: number): readonly string[] {
	if (phrases.length === 0) {
		return remark === '' ? [] : [cliTruncate(remark, width)];
	}

	const shown: string[] = [];
	let room = width;
	for (const [index, phrase] of phrases.slice(0, 9).entries()) {
		const text = `${index + 1} ${phrase}`;
		// The start of a phrase identifies it.
		if (room < Math.min(12, stringWidth(text))) {
			break;
		}

		shown.push(cliTruncate(text, room));
		room -= stringWidth(text) + 2;
	}

	return shown;
}

/** Returns the state of the connection in a sentence, with the key to press; empty while all is well. */
function linkText(link: Link, isDue: boolean): {readonly text: string; readonly level: Severity} {
	const due = isDue ? ' Your line is said then.' : '';
	switch (link.kind) {
		case 'open': {
			return {text: '', level: 'info'};
		}

		case 'connecting': {
			return {text: `Connecting…${due}`, level: 'info'};
		}

		case 'lost': {
			return {
				text: `${link.error.message} Connecting again in ${formatCount(Math.ceil(link.pauseMilliseconds / 1000))} s.${due}`,
				level: 'warning',
			};
		}

		case 'ended': {
			const {message, nextStep = '', kind} = link.error;
			// The keys in this next step belong to the line here.
			return {text: `${message} Enter connects again. ${kind === 'key-refused' ? 'After Esc: ' : ''}${nextStep}`.trim(), level: 'error'};
		}
	}
}

/** Returns the text of a conversation with its scroll position: at its end unless the person has gone back. */
function useTalkText({entries, isAnswering, areLogsShown}: TalkState, name: string, labelColumns: number) {
	const {columns} = useAppState(({size}) => size);
	const isScreenReader = useIsScreenReaderEnabled();
	return useMemo(() => {
		const shown = entries.filter(({kind}) => areLogsShown || kind !== 'activity');
		if (isScreenReader) {
			return spokenLines(shown, name);
		}

		const isSilent = isAnswering && entries.every(({isFinal}) => isFinal);
		return [
			...shown.flatMap(entry => linesOf(entry, name, Math.max(1, columns - labelColumns - 2))),
			...(isSilent ? [{label: name, text: '…', tone: 'secondary' as const}] : []),
		];
	}, [entries, isAnswering, name, areLogsShown, labelColumns, columns, isScreenReader]);
}

/**
Returns the whole turns since the last phrase, each in one line; a screen reader has already read the others. A screen reader does not
repeat an equal line, so an answer that equals an earlier one gets its number.
*/
function spokenLines(entries: readonly TalkEntry[], name: string): readonly ScrollLine[] {
	const start = Math.max(
		0,
		entries.findLastIndex(({kind}) => kind === 'you' || kind === 'other'),
	);
	return entries
		.slice(start)
		.filter(({isFinal}) => isFinal)
		.map(entry => {
			const speaker = speakerOf(entry, name);
			const before =
				entry.kind === 'agent' ? entries.slice(0, start).filter(({kind, text}) => kind === 'agent' && text === entry.text).length : 0;
			return {
				text: `${speaker}${speaker === '' ? '' : ': '}${looks[entry.kind].sign}${cleanText(entry.text, 2000)}${before === 0 ? '' : ` (${before + 1})`}`,
			};
		});
}

const speakerOf = ({kind}: TalkEntry, name: string): string => (kind === 'agent' ? name : kind === 'you' || kind === 'other' ? kind : '');

function linesOf(entry: TalkEntry, name: string, width: number): readonly ScrollLine[] {
	const look = `${width} ${name}`;
	const drawn = drawnEntries.get(entry);
	if (drawn?.look === look) {
		return drawn.lines;
	}

	const {tone, sign} = looks[entry.kind];
	const text = sign + cleanLines(entry.text).trim();
	const lines = textLines(text, width).map((line, index) => ({text: line, tone, label: index === 0 ? speakerOf(entry, name) : ''}));
	drawnEntries.set(entry, {look, lines});
	return lines;
}
