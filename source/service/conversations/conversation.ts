import {categoryLabel} from '../../interface/categories.ts';
import {type Frame, maximumPhraseLength, turnFrame} from '../../interface/conversation.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject} from '../../interface/json.ts';
import {
	agentIdsByAbility,
	countsFor,
	hearSentence,
	type Listener,
} from '../../interface/trigger-phrases.ts';
import type {DescribeError} from '../http/error-handler.ts';
import type {Limits} from '../http/limits.ts';
import type {AgentRecord, InstalledRecord} from '../records.ts';
import type {Store} from '../store/store.ts';
import type {Place} from './audience.ts';
import {type Model, ModelError, type ModelTurn} from './model.ts';
import type {Line} from './web-sockets.ts';

/** Phrases that wait for the answer to the one before. */
const maximumWaiting = 4;

const toListener = (agentIds: ReturnType<typeof agentIdsByAbility>) => (record: InstalledRecord): Listener => ({
	id: record.id,
	name: record.name,
	category: record.category,
	phrases: record.trigger_words,
	isEnabled: record.enabled,
	agentIds: agentIds.get(record.capability_id) ?? [],
});

const logFrame = (text: string): Frame => ({type: 'log', data: {l: 'info', m: text}});

/** What the rule says of a phrase: a log line, then the turn of the agent; `undefined` if no ability has it. */
const answerTo = (phrase: string, listeners: readonly Listener[]): readonly Frame[] | undefined => {
	const {starts, collisions, off: allOff} = hearSentence(phrase, listeners);
	if (starts !== undefined) {
		const {listener: {name, category}, phrase: heard} = starts;
		const others = collisions.map(({listener}) => listener.name).join(', ');
		return [
			logFrame(`“${heard}” would start ${name}.${others === '' ? '' : ` The same phrase: ${others}.`}`),
			turnFrame('assistant', `This would start ${name} (${categoryLabel(category)}). Abilities are not run here.`),
		];
	}

	const [off] = allOff;
	return off === undefined
		? undefined
		: [logFrame(`“${off.phrase}” is a phrase of ${off.listener.name}, which is off.`), turnFrame('assistant', `${off.listener.name} has this phrase, but is off.`)];
};

/** A frame of a client with a text; `undefined` for any other one, and for what is none. */
const readFrame = (text: string): {readonly type: unknown; readonly data: string} | undefined => {
	try {
		const frame: unknown = JSON.parse(text);
		const {type, data} = isJsonObject(frame) ? frame : {};
		return typeof data === 'string' ? {type, data} : undefined;
	} catch {
		return undefined;
	}
};

/** What a model remembers of a conversation: turns, and characters in them. */
const maximumTurns = 12;
const maximumTurnCharacters = 8000;

const liveMilliseconds = 100;

/** Lets a model answer for an agent, one phrase after the other. */
const createModelTurns = (model: Model, publish: (frames: readonly Frame[]) => void) => {
	const turns: ModelTurn[] = [];

	const remember = (phrase: string, answer: string): void => {
		turns.push({role: 'user', content: phrase}, {role: 'assistant', content: answer});
		while (turns.length > maximumTurns || turns.reduce((sum, {content}) => sum + content.length, 0) > maximumTurnCharacters) {
			turns.splice(0, 2);
		}
	};

	/**
	Publishes the answer as it comes.

	@param signal - ends it with what has come.
	@param onFault - called before the turn ends, so that nobody takes a part for the whole.
	*/
	return async (prompt: string, phrase: string, signal: AbortSignal, onFault: (error: unknown) => void): Promise<void> => {
		let answer = '';
		let isFaulty = false;
		let sent = '';
		let sentAt = -Infinity;
		try {
			await model.ask([{role: 'system', content: prompt}, ...turns, {role: 'user', content: phrase}], text => {
				answer = text;
				if (performance.now() - sentAt < liveMilliseconds) {
					return;
				}

				sent = answer;
				sentAt = performance.now();
				publish([turnFrame('assistant', answer, true)]);
			}, signal);
		} catch (error) {
			if (!signal.aborted) {
				isFaulty = true;
				onFault(error);
			}
		}

		if (answer === '' && isFaulty) {
			return;
		}

		// The Python client shows the final turn as the last live one was.
		publish([...sent === answer ? [] : [turnFrame('assistant', answer, true)], turnFrame('assistant', answer)]);
		if (answer !== '') {
			remember(phrase, answer);
		}
	};
};

export type ConversationParts = {
	readonly store: Pick<Store, 'agents' | 'installed'>;
	/** Called for each phrase before anything else; an error that it throws is the answer. */
	readonly admitPhrase: (line: Line) => void;
	readonly publish: (place: Place, frames: readonly Frame[]) => void;
	/** Answers what starts nothing; without one, the agent says just that. */
	readonly model: Model | undefined;
	readonly describeError: DescribeError;
	readonly limits: Limits;
};

/**
Speaks with a client for an agent, in whole turns. Phrases are answered one after the other; those that find no room are not.

@returns what to call with each text of the client, and at the end.
*/
export const createConversation = (line: Line, {id: agentId, name}: Pick<AgentRecord, 'id' | 'name'>, parts: ConversationParts) => {
	const {store, admitPhrase, model, describeError, limits} = parts;
	const {accountId} = line.caller;
	const publish = (frames: readonly Frame[]): void => {
		parts.publish({accountId, agentId}, frames);
	};

	const answerByModel = model && createModelTurns(model, publish);
	/** One that is too long is `undefined`: it would only take memory. */
	const waiting: Array<string | undefined> = [];
	/** For the phrase under way. */
	let answering: AbortController | undefined;
	let isFull = false;
	const greeting = setTimeout(() => {
		line.send(JSON.stringify(turnFrame('assistant', `This is ${name}.`)));
	}, limits.greetingMilliseconds).unref();

	const fail = (error: unknown): void => {
		const message = error instanceof ModelError ? error.message : describeError(error, 'a conversation').detail;
		// As the client calls the answer to a request that fails so.
		const kind = error instanceof SwitchboardError && error.kind !== 'unexpected' ? error.kind : 'server-error';
		line.send(JSON.stringify({type: 'error-event', data: {message, kind}} satisfies Frame));
	};

	const answer = async (phrase: string | undefined, signal: AbortSignal): Promise<void> => {
		admitPhrase(line);
		if (phrase === undefined) {
			throw new SwitchboardError('too-large', `A phrase may have ${maximumPhraseLength} characters at most.`);
		}

		const {records: agents} = await store.agents.list(accountId);
		const agent = agents.find(({id}) => id === agentId);
		if (agent === undefined) {
			line.refuse('The agent was deleted.');
			return;
		}

		const {records: installed} = await store.installed.list(accountId);
		const agentIds = agentIdsByAbility(agents.map(({id, matching_capabilities: abilityIds}) => ({id, abilityIds})));
		const listeners = installed.map(toListener(agentIds)).filter(listener => countsFor(listener, agentId));
		const frames = answerTo(phrase, listeners);
		if (frames !== undefined || answerByModel === undefined) {
			publish([turnFrame('user', phrase), ...frames ?? [logFrame('No phrase was heard.'), turnFrame('assistant', 'No ability has this phrase.')]]);
			return;
		}

		model?.admit(accountId);
		publish([turnFrame('user', phrase), logFrame('No phrase was heard, so the model answers.')]);
		await answerByModel(agent.description, phrase, signal, fail);
	};

	const answerAll = async (): Promise<void> => {
		while (waiting.length > 0) {
			answering = new AbortController();
			try {
				await answer(waiting.shift(), answering.signal);
			} catch (error) {
				fail(error);
			}
		}

		answering = undefined;
		isFull = false;
	};

	return {
		onText(text: string): void {
			const {type, data} = readFrame(text) ?? {};
			if (type === 'text' && data === 'interrupt-event') {
				answering?.abort();
			}

			if (type !== 'transcribed' || data === undefined) {
				return;
			}

			clearTimeout(greeting);
			if (waiting.length < maximumWaiting) {
				waiting.push(data.length > maximumPhraseLength ? undefined : data);
				if (answering === undefined) {
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
			answering?.abort();
		},
	};
};
