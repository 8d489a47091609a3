import {categoryLabel} from '../../interface/categories.ts';
import {type Frame, maximumPhraseLength, turnFrame} from '../../interface/conversation.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject} from '../../interface/json.ts';
import {agentIdsByAbility, countsFor, hearSentence, type Listener} from '../../interface/trigger-phrases.ts';
import type {DescribeError} from '../http/error-handler.ts';
import type {Limits} from '../http/limits.ts';
import type {AgentRecord, InstalledRecord} from '../records.ts';
import type {Store} from '../store/store.ts';
import type {Place} from './audience.ts';
import type {Line} from './web-sockets.ts';

/** Phrases that wait for the answer to the one before. */
const maximumWaiting = 4;

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

/** What the rule says of a phrase: a log line, then the turn of the agent. */
const answerTo = (phrase: string, listeners: readonly Listener[]): readonly Frame[] => {
	const {starts, collisions, off: allOff} = hearSentence(phrase, listeners);
	if (starts !== undefined) {
		const {
			listener: {name, category},
			phrase: heard,
		} = starts;
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
};

/** Reads the phrase that a client said; `undefined` in any other frame, and in what is none. */
const phraseIn = (text: string): string | undefined => {
	try {
		const frame: unknown = JSON.parse(text);
		const {type, data} = isJsonObject(frame) ? frame : {};
		return type === 'transcribed' && typeof data === 'string' ? data : undefined;
	} catch {
		return undefined;
	}
};

export type ConversationParts = {
	readonly store: Pick<Store, 'agents' | 'installed'>;
	/** Called for each phrase before anything else; an error that it throws is the answer. */
	readonly admitPhrase: (line: Line) => void;
	readonly publish: (place: Place, frames: readonly Frame[]) => void;
	readonly describeError: DescribeError;
	readonly limits: Limits;
};

/**
Speaks with a client for an agent, in whole turns. Phrases are answered one after the other; those that find no room are not.

@returns what to call with each text of the client, and at the end.
*/
export const createConversation = (line: Line, {id: agentId, name}: Pick<AgentRecord, 'id' | 'name'>, parts: ConversationParts) => {
	const {store, admitPhrase, publish, describeError, limits} = parts;
	const {accountId} = line.caller;
	/** One that is too long is `undefined`: it would only take memory. */
	const waiting: Array<string | undefined> = [];
	let isAnswering = false;
	let isFull = false;
	const greeting = setTimeout(() => {
		line.send(JSON.stringify(turnFrame('assistant', `This is ${name}.`)));
	}, limits.greetingMilliseconds).unref();

	const fail = (error: unknown): void => {
		const message = describeError(error, 'a conversation').detail;
		// As the client calls the answer to a request that fails so.
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
};
