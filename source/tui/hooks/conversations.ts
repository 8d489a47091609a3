import {keepConversation, type Conversation, type ConversationEvent} from '../../client/conversation.ts';
import {errorText, toSwitchboardError} from '../../interface/errors.ts';
import type {Agent} from '../../interface/records.ts';
import {createObservable, withChanges} from '../observable.ts';
import {emptyLine, initialTalk, recalled, reduceTalk, saidLine, type TalkAction, type TalkLine, type TalkState} from '../state/talk.ts';
import {createThrottle} from '../../platform/timers.ts';
import type {MemoryKey, ServiceSession} from './service-session.ts';

/** Up to 20 times a second: an answer may arrive in thousands of parts. */
const drawMilliseconds = 50;

/** A further conversation ends the one that was off the screen the longest. */
const maximumTalks = 5;

type Talk = ReturnType<typeof createTalk>;

const allTalks: MemoryKey<Map<number, Talk>> = {create: () => new Map()};

/** Returns the conversation of the session with an agent; it is opened if there is none. All end with the session. */
export function talkWith(session: ServiceSession, agent: Pick<Agent, 'id' | 'name'>): Talk {
	const talks = session.memory.get(allTalks);
	const talk = talks.get(agent.id) ?? createTalk(session, agent, () => session.talking.set(markOf([...talks.values()])));
	// The conversation that was on the screen last comes last.
	talks.delete(agent.id);
	talks.set(agent.id, talk);
	talk.rename(agent.name);
	for (const [id, oldest] of [...talks].slice(0, -maximumTalks)) {
		oldest.close();
		talks.delete(id);
	}

	return talk;
}

/** Ends a conversation with an agent. */
export function endTalk(session: ServiceSession, {agentId}: Pick<Talk, 'agentId'>): void {
	const talks = session.memory.get(allTalks);
	talks.get(agentId)?.close();
	talks.delete(agentId);
	session.talking.set(markOf([...talks.values()]));
}

/** Returns a conversation with an agent that continues behind other screens, with its input line. */
function createTalk(session: ServiceSession, {id: agentId, name}: Pick<Agent, 'id' | 'name'>, onChange: () => void) {
	const ending = new AbortController();
	const signal = AbortSignal.any([ending.signal, session.closing]);
	let agentName = name;
	let state = initialTalk;
	let conversation: Conversation | undefined;
	let watchers = 0;
	let hasNews = false;
	const shown = createObservable<TalkState>(state);
	const line = createObservable<TalkLine>(emptyLine);
	const draw = createThrottle(() => {
		shown.set(state);
		onChange();
	}, drawMilliseconds);

	const dispatch = (action: TalkAction): void => {
		state = reduceTalk(state, action);
		hasNews ||= watchers === 0 && (action.type === 'ended' || (action.type === 'event' && action.event.kind !== 'log'));
		draw.run();
	};

	/** Says the phrase in the line, or leaves it there if it cannot be said. */
	const sayLine = (): void => {
		const phrase = line.get().value.trim();
		line.set(withChanges(line.get(), {isDue: false}));
		if (phrase === '') {
			return;
		}

		try {
			conversation!.say(phrase);
			line.set(saidLine(line.get(), phrase));
			dispatch({type: 'say', phrase});
		} catch (error) {
			dispatch({type: 'note', text: `Not said: ${errorText(toSwitchboardError(error))}`});
		}
	};

	const connect = async (): Promise<void> => {
		const onEvent = (event: ConversationEvent): void => dispatch({type: 'event', event});

		const error = await keepConversation(
			async opening => session.records.client.openConversation(agentId, onEvent, opening),
			{
				onOpen(opened) {
					conversation = opened;
					dispatch({type: 'open'});
					if (line.get().isDue) {
						sayLine();
					}
				},
				onLost(reason, pauseMilliseconds) {
					conversation = undefined;
					dispatch({type: 'lost', error: reason, pauseMilliseconds});
				},
			},
			signal,
		);
		conversation = undefined;
		if (error === undefined) {
			draw.cancel();
		} else {
			line.set(withChanges(line.get(), {isDue: false}));
			dispatch({type: 'ended', error});
		}
	};

	void connect();
	return {
		agentId,
		subscribe: shown.subscribe,
		get: shown.get,
		line,
		get name(): string {
			return agentName;
		},
		rename(newName: string): void {
			agentName = newName;
		},
		get hasNews(): boolean {
			return hasNews;
		},
		get isOver(): boolean {
			return state.link.kind === 'ended';
		},
		/** Says the phrase in the line once the conversation is open; opens an ended one again, and keeps the line. */
		enter(): void {
			if (state.link.kind === 'open') {
				sayLine();
			} else if (state.link.kind === 'ended') {
				dispatch({type: 'connecting'});
				void connect();
			} else {
				line.set(withChanges(line.get(), {isDue: line.get().value.trim() !== ''}));
			}
		},
		/** Puts a text into the line. */
		type: (value: string): void => line.set(withChanges(line.get(), {value, isDue: false})),
		/** Goes to an earlier or a later phrase. */
		recall: (by: 1 | -1): void => line.set(recalled(line.get(), by)),
		toggleLogs: (): void => dispatch({type: 'toggle-logs'}),
		/** Interrupts the agent; returns false if it is not answering. */
		interrupt(): boolean {
			const {isAnswering} = state;
			if (isAnswering) {
				conversation?.interrupt();
				dispatch({type: 'interrupt'});
			}

			return isAnswering;
		},
		/** Notes that the person sees the conversation; returns a function that ends that. */
		watch(): () => void {
			watchers++;
			hasNews = false;
			onChange();
			return () => {
				watchers--;
			};
		},
		close(): void {
			ending.abort();
			draw.cancel();
		},
	};
}

/** Returns the mark for conversations in the header; empty if there are none. */
function markOf(talks: readonly Talk[]): string {
	const news = talks.find(({hasNews}) => hasNews);
	const [first, ...others] = talks.filter(({isOver}) => !isOver);
	if (news !== undefined) {
		return `new from ${news.name}`;
	}

	return first === undefined ? '' : others.length === 0 ? `talking to ${first.name}` : `talking to ${others.length + 1} agents`;
}
