import type {FastifyInstance} from 'fastify';
import {callLogsPath, type Frame, voiceStreamPath} from '../../interface/conversation.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {describeLimits} from '../../interface/key-rights.ts';
import type {Caller} from '../callers.ts';
import {callerOf, limitsOf} from '../http/authorize.ts';
import type {AgentRecord} from '../records.ts';
import type {Store} from '../store/store.ts';
import {createAudience, type Place} from './audience.ts';
import {type ConversationParts, createConversation} from './conversation.ts';
import type {AcceptWebSocket} from './web-sockets.ts';

type Parts = Omit<ConversationParts, 'admitPhrase' | 'publish' | 'store'> & {
	readonly store: ConversationParts['store'] & Pick<Store, 'messages'>;
	readonly accept: AcceptWebSocket;
	/** Counts a phrase as a request of its key. */
	readonly limitPhrases: (caller: Caller) => void;
	readonly isReadOnly: boolean;
};

/** A message to the other processes. */
type Said = {readonly place: Place; readonly frames: readonly Frame[]};

const maximumTail = 100;

/** Any text may stand for the number: clients of others send what they like. */
const tailOf = (text: unknown): number => (/^\d{1,9}$/.test(String(text)) ? Math.min(Number(text), maximumTail) : maximumTail);

/** The agent with the lowest id stands for 0. */
const findAgent = (agents: readonly AgentRecord[], id: string): AgentRecord => {
	const found = id === '0' ? agents[0] : agents.find(agent => String(agent.id) === id);
	if (found === undefined) {
		// Anything may stand there.
		throw new SwitchboardError('not-found', 'There is no agent with this id.');
	}

	return found;
};

/**
Serves conversations with the agents of the caller, and the logs of them. Nothing is started: the answer says what the phrases would start.
To say something is a change; to listen is none.
*/
export const addConversations = (app: FastifyInstance, parts: Parts): void => {
	const {store, accept, limitPhrases, isReadOnly} = parts;
	const audience = createAudience();
	const {messages} = store;
	let listening: Promise<void> | undefined;

	/** From the first conversation on, also what is said through other processes is heard, and kept for the call logs. */
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
		// Of the record, which may hold a long prompt and a picture, nothing else stays in memory.
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
};
