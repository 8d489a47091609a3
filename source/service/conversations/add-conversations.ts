import type {FastifyInstance} from 'fastify';
import QuickLru from 'quick-lru';
import {categoryLabel} from '../../interface/categories.ts';
import {callLogsPath, type Frame, maximumPhraseLength, turnFrame, voiceStreamPath} from '../../interface/conversation.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject, parseJson} from '../../interface/json.ts';
import {describeLimits} from '../../interface/key-rights.ts';
import {agentIdsByAbility, countsFor, hearSentence, type Listener} from '../../interface/trigger-phrases.ts';
import type {Caller} from '../callers.ts';
import {callerOf, limitsOf} from '../http/authorize.ts';
import type {DescribeError} from '../http/error-handler.ts';
import type {Limits} from '../http/limits.ts';
import type {AgentRecord, InstalledRecord} from '../records.ts';
import type {Store} from '../store/store.ts';
import type {AcceptWebSocket, SocketLine} from './web-sockets.ts';

/** The agent of an account that a conversation is with. */
type Place = {readonly accountId: number; readonly agentId: number};

type Parts = {
	readonly store: Pick<Store, 'agents' | 'installed' | 'messages'>;
	readonly describeError: DescribeError;
	readonly limits: Limits;
	readonly accept: AcceptWebSocket;
	/** Counts a phrase as a request of its key. */
	readonly limitPhrases: (caller: Caller) => void;
	readonly isReadOnly: boolean;
};

type ConversationParts = Pick<Parts, 'store' | 'describeError' | 'limits'> & {
	/** Called for each phrase before anything else; if it throws an error, that is the answer. */
	readonly admitPhrase: (line: SocketLine) => void;
	readonly publish: (place: Place, frames: readonly Frame[]) => void;
};

type Said = {readonly place: Place; readonly frames: readonly Frame[]};

/** Phrases that wait for the answer to an earlier phrase. */
const maximumWaiting = 4;

const maximumTail = 100;

/**
Serves conversations with the caller's agents, and their logs. No ability is started: the answer names the ability that a phrase would
start. Saying a phrase is a change; listening is not.
*/
export function addConversations(app: FastifyInstance, parts: Parts): void {
	const {store, accept, limitPhrases, isReadOnly} = parts;
	const audience = createAudience();
	const {messages} = store;
	let listening: Promise<void> | undefined;

	/** From the first conversation on, phrases said through other processes are heard too, and kept for the call logs. */
	const listenToOthers = async (): Promise<void> => {
		listening ??= messages?.listen(text => {
			try {
				const {place, frames} = JSON.parse(text) as Said;
				audience.deliver(place, frames);
			} catch {
				// Another program uses the same channel.
			}
		});
		await listening;
	};

	const conversationParts: ConversationParts = {
		...parts,
		publish(place, frames) {
			audience.deliver(place, frames);
			messages?.send(JSON.stringify({place, frames} satisfies Said));
		},
		admitPhrase({caller}) {
			limitPhrases(caller);
			if (isReadOnly) {
				throw new SwitchboardError('read-only', 'It was started with --read-only, so nothing can be said here.');
			}

			const limits = limitsOf(caller);
			if (limits !== undefined) {
				throw new SwitchboardError('forbidden', `${describeLimits(limits)} Nothing was said.`);
			}
		},
	};

	app.get<{readonly Params: {readonly agent_id: string}}>(voiceStreamPath, {schema: {hide: true}}, async (request, reply) => {
		const {accountId} = callerOf(request);
		const {records: agents} = await store.agents.list(accountId);
		// Nothing else of the record stays in memory, as it may hold a long prompt and a picture.
		const {id, name} = findAgent(agents, request.params.agent_id);
		await listenToOthers();
		return accept(request, reply, line => {
			const {onText, onClose} = createConversation(line, {id, name}, conversationParts);
			const leave = audience.listen({accountId, agentId: id}, line.send);
			return {
				onText,
				onClose() {
					leave();
					onClose();
				},
			};
		});
	});
	app.get<{readonly Querystring: {readonly tail?: unknown}}>(callLogsPath, {schema: {hide: true}}, async (request, reply) => {
		const tail = tailOf(request.query.tail);
		await listenToOthers();
		return accept(request, reply, line => ({onClose: audience.follow(line.caller.accountId, tail, line.send)}));
	});
}

type TextListener = (text: string) => void;

/** An entry of the call logs, as it is sent. */
type Entry = {readonly accountId: number; readonly text: string};

const maximumEntries = 100;

/** For the entries of an account: less than a client may leave unread. */
const maximumEntryCharacters = 10_000;

/** Delivers frames to all who listen to an agent, and keeps the last of them for the call logs. */
function createAudience() {
	const listeners = new Map<TextListener, Place>();
	const followers = new Map<TextListener, number>();
	const entries = new QuickLru<number, string[]>({maxSize: 1000});

	const keep = ({accountId, text}: Entry): void => {
		const kept = entries.get(accountId) ?? [];
		kept.push(text);
		let characters = kept.reduce((sum, each) => sum + each.length, 0);
		while (kept.length > maximumEntries || (characters > maximumEntryCharacters && kept.length > 1)) {
			characters -= kept.shift()!.length;
		}

		entries.set(accountId, kept);
	};

	return {
		/** @returns a function that leaves. */
		listen(place: Place, listener: TextListener): () => void {
			listeners.set(listener, place);
			return () => {
				listeners.delete(listener);
			};
		},
		/**
		Calls back with the last entries of the call logs of an account, then with each new one.

		@returns a function that ends it.
		*/
		follow(accountId: number, tail: number, listener: TextListener): () => void {
			const kept = entries.get(accountId) ?? [];
			for (const entry of kept.slice(Math.max(0, kept.length - tail))) {
				listener(entry);
			}

			followers.set(listener, accountId);
			return () => {
				followers.delete(listener);
			};
		},
		deliver({accountId, agentId}: Place, frames: readonly Frame[]): void {
			for (const frame of frames) {
				const text = JSON.stringify(frame);
				for (const [listener, place] of listeners) {
					if (place.accountId === accountId && place.agentId === agentId) {
						listener(text);
					}
				}

				const entry = toEntryText(frame);
				if (entry === undefined) {
					continue;
				}

				keep({accountId, text: entry});
				for (const [follower, followed] of followers) {
					if (followed === accountId) {
						follower(entry);
					}
				}
			}
		},
	};
}

/** Returns a turn or a log line; other frames are not in the call logs. */
function toEntryText({type, data}: Frame): string | undefined {
	if (!isJsonObject(data)) {
		return undefined;
	}

	const entry = {message: {role: data['role'], content: data['content']}, log: {role: 'log', content: data['m']}}[type];
	return entry && JSON.stringify(entry);
}

/** The number may be any text, as clients for other services send. */
const tailOf = (text: unknown): number => (/^\d{1,9}$/.test(String(text)) ? Math.min(Number(text), maximumTail) : maximumTail);

/** Finds an agent; 0 means the agent with the lowest id. */
function findAgent(agents: readonly AgentRecord[], id: string): AgentRecord {
	const found = id === '0' ? agents[0] : agents.find(agent => String(agent.id) === id);
	if (found === undefined) {
		// The id may be any text.
		throw new SwitchboardError('not-found', 'There is no agent with this id.');
	}

	return found;
}

/**
Speaks with a client for an agent, in whole turns. Phrases are answered one at a time; a phrase for which there is no room is not answered.
@returns the functions to call with each text of the client, and at the end.
*/
function createConversation(line: SocketLine, {id: agentId, name}: Pick<AgentRecord, 'id' | 'name'>, parts: ConversationParts) {
	const {store, admitPhrase, publish, describeError, limits} = parts;
	const {accountId} = line.caller;
	/** A phrase that is too long is `undefined`: it would only take memory. */
	const waiting: Array<string | undefined> = [];
	let isAnswering = false;
	let isFull = false;
	const greeting = setTimeout(
		() => line.send(JSON.stringify(turnFrame('assistant', `This is ${name}.`))),
		limits.greetingMilliseconds,
	).unref();

	const fail = (error: unknown): void => {
		const message = describeError(error, 'a conversation').detail;
		// The name that clients use for the answer to a request that fails in this way.
		const kind = error instanceof SwitchboardError && error.kind !== 'unexpected' ? error.kind : 'server-error';
		line.send(JSON.stringify({type: 'error-event', data: {message, kind}} satisfies Frame));
	};

	const answer = async (phrase: string | undefined): Promise<void> => {
		admitPhrase(line);
		if (phrase === undefined) {
			throw new SwitchboardError('too-large', `A phrase may have ${maximumPhraseLength} characters at most.`);
		}

		const {records: agents} = await store.agents.list(accountId);
		if (agents.every(({id}) => id !== agentId)) {
			line.refuse('The agent was deleted.');
			return;
		}

		const {records: installed} = await store.installed.list(accountId);
		const agentIds = agentIdsByAbility(agents.map(({id, matching_capabilities: abilityIds}) => ({id, abilityIds})));
		const listeners = installed.map(toListener(agentIds)).filter(listener => countsFor(listener, agentId));
		publish({accountId, agentId}, [turnFrame('user', phrase), ...answerTo(phrase, listeners)]);
	};

	const answerAll = async (): Promise<void> => {
		isAnswering = true;
		while (waiting.length > 0) {
			try {
				await answer(waiting.shift());
			} catch (error) {
				fail(error);
			}
		}

		isAnswering = false;
		isFull = false;
	};

	return {
		onText(text: string): void {
			const phrase = phraseIn(text);
			if (phrase === undefined) {
				return;
			}

			clearTimeout(greeting);
			if (waiting.length < maximumWaiting) {
				waiting.push(phrase.length > maximumPhraseLength ? undefined : phrase);
				if (!isAnswering) {
					void answerAll();
				}
			} else if (!isFull) {
				isFull = true;
				fail(new SwitchboardError('rate-limited', 'Too many phrases came at once: some were not heard. Wait for the answers.'));
			}
		},
		onClose(): void {
			clearTimeout(greeting);
			waiting.length = 0;
		},
	};
}

const toListener =
	(agentIds: ReturnType<typeof agentIdsByAbility>) =>
	(record: InstalledRecord): Listener => ({
		id: record.id,
		name: record.name,
		category: record.category,
		phrases: record.trigger_words,
		isEnabled: record.enabled,
		agentIds: agentIds.get(record.capability_id) ?? [],
	});

const logFrame = (text: string): Frame => ({type: 'log', data: {l: 'info', m: text}});

/** Returns the answer of the rule to a phrase: a log line, then the turn of the agent. */
function answerTo(phrase: string, listeners: readonly Listener[]): readonly Frame[] {
	const {starts, collisions, off: allOff} = hearSentence(phrase, listeners);
	if (starts !== undefined) {
		const {phrase: heard} = starts;
		const {name, category} = starts.listener;
		const others = collisions.map(({listener}) => listener.name).join(', ');
		return [
			logFrame(`“${heard}” would start ${name}.${others === '' ? '' : ` The same phrase: ${others}.`}`),
			turnFrame('assistant', `This would start ${name} (${categoryLabel(category)}). Abilities are not run here.`),
		];
	}

	const [off] = allOff;
	return off === undefined
		? [logFrame('No phrase was heard.'), turnFrame('assistant', 'No ability has this phrase.')]
		: [
				logFrame(`“${off.phrase}” is a phrase of ${off.listener.name}, which is off.`),
				turnFrame('assistant', `${off.listener.name} has this phrase, but is off.`),
			];
}

/** Returns the phrase that a client said; `undefined` for another frame, and for a frame without one. */
function phraseIn(text: string): string | undefined {
	const frame = parseJson(text);
	const {type, data} = isJsonObject(frame) ? frame : {};
	return type === 'transcribed' && typeof data === 'string' ? data : undefined;
}
