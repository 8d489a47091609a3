import {SwitchboardError} from '../interface/errors.ts';
import {spokenForm} from '../interface/trigger-phrases.ts';
import type {Conversation, ConversationEvent} from './conversation.ts';
import type {Client} from './operations.ts';

/** An agent greets first; one that does not is spoken to after this time. */
const greetingMilliseconds = 10_000;

const answerMilliseconds = 30_000;

/** Of the events with an answer; what comes besides is only told as it comes. */
const maximumEvents = 1000;

export type SpokenAnswer = {
	readonly answer: string;
	/** From the phrase to its answer. */
	readonly seconds: number;
	/** The whole turns and what abilities did, between the phrase and its answer. */
	readonly events: readonly ConversationEvent[];
};

type Options = {
	/** Called with each event, live turns among them. */
	readonly onEvent?: ((event: ConversationEvent) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
	/** How long an answer is waited for. */
	readonly timeoutMilliseconds?: number | undefined;
};

type Asked = {
	readonly phrase: string;
	readonly askedAt: number;
	readonly events: ConversationEvent[];
	readonly resolve: (answer: SpokenAnswer) => void;
	readonly reject: (error: SwitchboardError) => void;
	/** Somebody else has said something: the next turn of the agent is for them. */
	isForOthers: boolean;
};

/**
Opens a conversation for a program that says one phrase after the other.

@throws SwitchboardError as `openConversation` does.
*/
export const openDialogue = async (
	{openConversation}: Pick<Client, 'openConversation'>,
	agentId: number,
	{onEvent, signal, timeoutMilliseconds = answerMilliseconds}: Options = {},
) => {
	const greeting = Promise.withResolvers<string | undefined>();
	let asked: Asked | undefined;

	const hear = (event: ConversationEvent): void => {
		onEvent?.(event);
		if (asked === undefined) {
			if (event.kind === 'turn' && event.isFinal && event.role === 'assistant') {
				greeting.resolve(event.text);
			}

			return;
		}

		if ((event.kind !== 'turn' || event.isFinal) && asked.events.length < maximumEvents) {
			asked.events.push(event);
		}

		if (event.kind === 'fault') {
			asked.reject(event.error);
		} else if (event.kind === 'turn' && event.isFinal && event.role === 'user') {
			// A service that hears others too repeats what each says.
			asked.isForOthers = spokenForm(event.text) !== spokenForm(asked.phrase);
		} else if (event.kind === 'turn' && event.isFinal && asked.isForOthers) {
			asked.isForOthers = false;
		} else if (event.kind === 'turn' && event.isFinal) {
			asked.resolve({answer: event.text, seconds: (performance.now() - asked.askedAt) / 1000, events: asked.events});
		}
	};

	const conversation: Conversation = await openConversation(agentId, hear, signal);
	const silence = setTimeout(greeting.resolve, greetingMilliseconds, undefined);
	void conversation.ended.then(error => {
		greeting.resolve(undefined);
		asked?.reject(error ?? new SwitchboardError('interrupted', 'The conversation is over.'));
	});

	const greeted = async (): Promise<string | undefined> => {
		try {
			return await greeting.promise;
		} finally {
			clearTimeout(silence);
		}
	};

	return {
		conversation,
		/** The greeting once it has come; `undefined` after ten seconds without one. */
		greeted,
		/**
		Says a phrase once the agent has greeted, and resolves with its answer: the next whole turn that is not for somebody else.

		@throws SwitchboardError `timeout` without an answer, and as `say` does.
		*/
		async ask(phrase: string): Promise<SpokenAnswer> {
			await greeted();
			const {promise, resolve, reject} = Promise.withResolvers<SpokenAnswer>();
			conversation.say(phrase);
			asked = {
				phrase, askedAt: performance.now(), events: [], resolve, reject, isForOthers: false,
			};
			const timer = setTimeout(reject, timeoutMilliseconds, new SwitchboardError('timeout', `The agent gave no answer within ${timeoutMilliseconds / 1000} s.`, {
				nextStep: 'Try again, or allow more time with --timeout DURATION.',
			}));
			try {
				return await promise;
			} finally {
				clearTimeout(timer);
				asked = undefined;
			}
		},
		close(): void {
			clearTimeout(silence);
			conversation.close();
		},
	};
};

export type Dialogue = Awaited<ReturnType<typeof openDialogue>>;
