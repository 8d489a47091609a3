import type {Role} from '../interface/conversation.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {spokenForm} from '../interface/trigger-phrases.ts';
import type {Conversation, ConversationEvent} from './conversation.ts';
import type {Client} from './operations.ts';

/** An agent greets first; an agent that does not is spoken to after this time. */
const greetingMilliseconds = 10_000;

/** The limit for the events of an answer, and for their texts together; further events are only reported as they arrive. */
const maximumEvents = 1000;
const maximumCharacters = 1_000_000;

/** The limit for phrases that were heard and not yet answered. */
const maximumUnanswered = 100;

export type SpokenAnswer = {
	readonly answer: string;
	/** From the phrase to its answer. */
	readonly seconds: number;
	/** The complete turns and the actions of abilities, between the phrase and its answer. */
	readonly events: readonly ConversationEvent[];
};

type Options = {
	/** Called with each event, live turns among them. */
	readonly onEvent?: ((event: ConversationEvent) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
	readonly timeoutMilliseconds?: number | undefined;
};

type Asked = {
	readonly phrase: string;
	readonly askedAt: number;
	readonly events: ConversationEvent[];
	characterCount: number;
	readonly resolve: (answer: SpokenAnswer) => void;
	readonly reject: (error: SwitchboardError) => void;
};

/**
Opens a conversation for a program that says phrases one after another.

@throws SwitchboardError as `openConversation` does.
*/
export async function openDialogue(
	{openConversation}: Pick<Client, 'openConversation'>,
	agentId: number,
	{onEvent, signal, timeoutMilliseconds = 30_000}: Options = {},
) {
	const greeting = Promise.withResolvers<string | undefined>();
	let asked: Asked | undefined;
	/** In the order spoken. A service that hears other people too repeats each phrase, and answers in that order. */
	let unanswered: readonly string[] = [];

	const hearTurn = (role: Role, text: string): void => {
		if (role === 'user') {
			unanswered = [...unanswered, spokenForm(text)].slice(-maximumUnanswered);
			return;
		}

		const [answered, ...others] = unanswered;
		unanswered = others;
		if (answered === undefined) {
			greeting.resolve(text);
		}

		if (asked !== undefined && (answered === undefined || answered === spokenForm(asked.phrase))) {
			asked.resolve({answer: text, seconds: (performance.now() - asked.askedAt) / 1000, events: asked.events});
		}
	};

	const hear = (event: ConversationEvent): void => {
		onEvent?.(event);
		const isWhole = event.kind !== 'turn' || event.isFinal;
		if (
			asked !== undefined &&
			isWhole &&
			asked.events.length < maximumEvents &&
			asked.characterCount + event.text.length <= maximumCharacters
		) {
			asked.events.push(event);
			asked.characterCount += event.text.length;
		}

		if (event.kind === 'fault') {
			asked?.reject(event.error);
		} else if (event.kind === 'turn' && event.isFinal) {
			hearTurn(event.role, event.text);
		}
	};

	const conversation: Conversation = await openConversation(agentId, hear, signal);
	const silence = setTimeout(greeting.resolve, greetingMilliseconds, undefined);
	void conversation.ended.then(error => {
		clearTimeout(silence);
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
			asked = {phrase, askedAt: performance.now(), events: [], characterCount: 0, resolve, reject};
			const timer = setTimeout(
				reject,
				timeoutMilliseconds,
				new SwitchboardError('timeout', `The agent gave no answer within ${timeoutMilliseconds / 1000} s.`, {
					nextStep: 'Try again, or allow more time with --timeout DURATION.',
				}),
			);
			try {
				return await promise;
			} finally {
				clearTimeout(timer);
				asked = undefined;
				// An agent that has not answered this may never do so.
				unanswered = unanswered.filter(spoken => spoken !== spokenForm(phrase));
			}
		},
		close(): void {
			clearTimeout(silence);
			conversation.close();
		},
	};
}

export type Dialogue = Awaited<ReturnType<typeof openDialogue>>;
