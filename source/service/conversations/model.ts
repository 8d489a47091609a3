import type {Role} from '../../interface/conversation.ts';
import {eventStreamType} from '../../interface/endpoints.ts';
import {type ErrorKind, reasonOf, SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject} from '../../interface/json.ts';
import type {Limits} from '../http/limits.ts';
import {createModelLimit} from '../http/rate-limits.ts';
import type {LogError} from '../observability/error-log.ts';

/*
A model with OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat), as llama.cpp and Ollama have them. Its server is as
strange to us as a client: what it sends is bounded, and none of its words enter a message.
*/

export type ModelOptions = {
	/** In normal form; with or without `/v1`. */
	readonly baseAddress: string;
	/** `undefined` for a server that has one model. */
	readonly name: string | undefined;
	readonly key: string | undefined;
	/** For each account; `undefined` for no limit. */
	readonly phrasesPerMinute: number | undefined;
};

export type ModelTurn = {readonly role: Role | 'system'; readonly content: string};

const maximumAnswerLength = 20_000;

/** Many times the length of an event. */
const maximumEventLength = 64 * 1024;

/** Tokens come with hundreds of bytes around each. */
const maximumAnswerBytes = 16 * 1024 * 1024;

/** The message is for the person who speaks. It has no word of the model's server. */
export class ModelError extends SwitchboardError {}

const refusals: Readonly<Partial<Record<number, readonly [kind: ErrorKind, message: string]>>> = {
	401: ['server-error', 'The model did not accept the key of this service. Its operator has to set another one.'],
	403: ['server-error', 'The model did not accept the key of this service. Its operator has to set another one.'],
	404: ['server-error', 'The model was not found at its address. The operator of this service has to correct it.'],
	429: ['rate-limited', 'The model has too much to do. Try again in a moment.'],
};

const refuse = ({status, headers}: Response): void => {
	if (status >= 300 && status < 400) {
		throw new ModelError('server-error', 'The address of the model points to another one, which is not followed.', {status});
	}

	if (status !== 200) {
		const [kind, message] = refusals[status] ?? ['server-error', `The model answered with the error ${status}.`];
		throw new ModelError(kind, message, {status});
	}

	if (headers.get('content-type')?.split(';', 1)[0]!.trim().toLowerCase() !== eventStreamType) {
		throw unintelligible();
	}
};

const unintelligible = (): ModelError => new ModelError('unintelligible', 'The model answered something that cannot be understood.');

/** The next part of the text in an event, and whether it is the last. */
const readEvent = (data: string): {readonly part: string; readonly isLast: boolean} => {
	let event: unknown;
	try {
		event = JSON.parse(data);
	} catch {
		throw unintelligible();
	}

	if (!isJsonObject(event)) {
		throw unintelligible();
	}

	if (event['error'] !== undefined && event['error'] !== null) {
		throw new ModelError('server-error', 'The model failed while it answered.');
	}

	// The usage may come in an event without a choice.
	const choice: unknown = Array.isArray(event['choices']) ? event['choices'][0] : undefined;
	const {delta, finish_reason: reason} = isJsonObject(choice) ? choice : {};
	const part = isJsonObject(delta) ? delta['content'] : undefined;
	return {part: typeof part === 'string' ? part : '', isLast: typeof reason === 'string'};
};

/** @returns `ask` for a model; one that fails is logged. */
export const createModel = ({baseAddress, name, key, phrasesPerMinute}: ModelOptions, limits: Limits, logError: LogError) => {
	const address = `${baseAddress.replace(/\/v1$/, '')}/v1/chat/completions`;

	const request = async (messages: readonly ModelTurn[], signal: AbortSignal): Promise<Response> => {
		// eslint-disable-next-line unicorn/no-unnecessary-global-this -- By its name alone it is undefined in the bundle (`source/build/build.ts`).
		const response = await globalThis.fetch(address, {
			method: 'POST',
			redirect: 'manual',
			signal,
			headers: {'content-type': 'application/json', accept: eventStreamType, ...(key !== undefined && {authorization: `Bearer ${key}`})},
			// A name that is `undefined` is left out.
			body: JSON.stringify({model: name, messages, stream: true}),
		});
		try {
			refuse(response);
			return response;
		} catch (error) {
			void response.body?.cancel().catch(() => undefined);
			throw error;
		}
	};

	const readAnswer = async (body: AsyncIterable<Uint8Array>, onBytes: () => void, onText: (text: string) => void): Promise<void> => {
		// Few services have a model.
		const {createParser} = await import('eventsource-parser');
		let text = '';
		let isComplete = false;
		let isOver = false;
		let byteCount = 0;
		const decoder = new TextDecoder();
		const parser = createParser({
			maxBufferSize: maximumEventLength,
			onEvent({data}) {
				if (isOver || data === '[DONE]') {
					isOver = true;
					isComplete = true;
					return;
				}

				const {part, isLast} = readEvent(data);
				isComplete ||= isLast;
				if (part === '') {
					return;
				}

				text += part;
				isOver = text.length >= maximumAnswerLength;
				onText(text.slice(0, maximumAnswerLength).toWellFormed());
			},
			onError({type}) {
				if (type === 'max-buffer-size-exceeded') {
					throw unintelligible();
				}
			},
		});
		for await (const bytes of body) {
			onBytes();
			byteCount += bytes.length;
			if (byteCount > maximumAnswerBytes) {
				throw unintelligible();
			}

			parser.feed(decoder.decode(bytes, {stream: true}));
			if (isOver) {
				break;
			}
		}

		if (!isComplete && !isOver) {
			throw new ModelError('unreachable', 'The answer of the model was cut off.');
		}

		if (text === '') {
			throw new ModelError('unintelligible', 'The model had no answer.');
		}
	};

	return {
		/** Counts a phrase for an account, and throws `rate-limited` above the limit. */
		admit: createModelLimit(phrasesPerMinute),
		/**
		Asks for the next turn.

		@param onText - called with the whole text so far.
		@throws ModelError if it does not come, or not as a whole; anything if the signal was aborted.
		*/
		async ask(messages: readonly ModelTurn[], onText: (text: string) => void, signal: AbortSignal): Promise<void> {
			const silence = new AbortController();
			const timer = setTimeout(() => {
				silence.abort();
			}, limits.modelSilentMilliseconds).unref();
			const time = AbortSignal.any([silence.signal, AbortSignal.timeout(limits.modelMilliseconds)]);
			let isAnswering = false;
			try {
				const {body} = await request(messages, AbortSignal.any([signal, time]));
				isAnswering = true;
				await readAnswer(body!, () => {
					timer.refresh();
				}, onText);
			} catch (error) {
				const fault = time.aborted ? new ModelError('timeout', 'The model took too long to answer.', {cause: error}) : error;
				const known = fault instanceof ModelError
					? fault
					: new ModelError('unreachable', isAnswering ? 'The answer of the model was cut off.' : 'The model cannot be reached.', {cause: error});
				if (!signal.aborted) {
					logError(new Error(`${known.message} ${baseAddress}: ${reasonOf(error instanceof Error ? error.cause ?? error : error)}`), 'the model');
				}

				throw known;
			} finally {
				clearTimeout(timer);
			}
		},
	};
};

export type Model = ReturnType<typeof createModel>;
