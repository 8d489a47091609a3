import {setTimeout as delay} from 'node:timers/promises';
import {callLogsPath, voiceStreamPath, type Frame, type Role} from '../interface/conversation.ts';
import {exitCodes, SwitchboardError, toSwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {isJsonObject, parseJson, type JsonObject, type JsonValue} from '../interface/json.ts';
import {proxyStep} from './answer-errors.ts';
import {goodMilliseconds, waitAfter} from './changes.ts';
import {keyPlace} from './redact-key.ts';
import {isUnknown} from './routes.ts';
import type {Connection} from './lists.ts';
import type {Transport} from './transport.ts';
import type {SocketEnd} from './web-socket.ts';

/** An event of a conversation. The texts are raw, but without the key. */
export type ConversationEvent =
	/** The whole text so far. Until a final text, each replaces the former one of its role. */
	| {readonly kind: 'turn'; readonly role: Role; readonly text: string; readonly isFinal: boolean}
	| {readonly kind: 'log'; readonly level: string; readonly text: string}
	/** The activity of an ability, as JSON if it is not a text. */
	| {readonly kind: 'action' | 'progress' | 'question'; readonly text: string}
	/** A fault after which the conversation goes on. */
	| {readonly kind: 'fault'; readonly text: string; readonly error: SwitchboardError};

export type CallLogEntry = {readonly role: string | undefined; readonly text: string; readonly json: JsonValue};

export type Conversation = {
	/**
	Says the person's words.

	@throws SwitchboardError `read-only` or `forbidden` if that is not allowed, or the reason why the conversation is over.
	*/
	say(phrase: string): void;
	/** Interrupts the agent. */
	interrupt(): void;
	close(): void;
	/** Resolves when it is over: with the reason, unless it was closed here or the signal was aborted. */
	readonly ended: Promise<SwitchboardError | undefined>;
};

const kinds = new Set<string>(Object.keys(exitCodes));

/** By the codes of RFC 6455, section 7.4.1, and the IANA registry. */
const endings: Readonly<Record<number, readonly [kind: ErrorKind, sentence: string, nextStep?: string]>> = {
	1001: ['unreachable', 'went away', 'Try again in a moment.'],
	1008: ['forbidden', 'refused the conversation', 'Check the key with: switchboard status'],
	1009: ['too-large', 'found a message too large'],
	1011: ['server-error', 'failed', 'Try again in a moment.'],
	1012: ['unreachable', 'restarts', 'Try again in a moment.'],
	1013: ['rate-limited', 'has no room for another conversation now', 'Try again in a moment.'],
};

/**
Opens a conversation with an agent (`docs/interface.md`, Conversation). Events may come before it is handed over.

@param agentId - 0 means the account's default agent.
@throws SwitchboardError if the service does not open one.
*/
export async function openConversation(
	connection: Connection,
	agentId: number,
	onEvent: (event: ConversationEvent) => void,
	signal?: AbortSignal,
): Promise<Conversation> {
	const {transport} = connection;
	const waiting: Frame[] = [];
	let send = (frame: Frame): void => {
		waiting.push(frame);
	};

	const handlers = createHandlers(frame => send(frame), onEvent, transport.quote);
	const path = voiceStreamPath.replace(/:[^/]+/, keyPlace).replace(/:[^/]+/, String(agentId));
	try {
		const line = await openLine(
			connection,
			path,
			text => {
				const frame = toFrame(text);
				if (frame !== undefined && Object.hasOwn(handlers, frame.type)) {
					handlers[frame.type]!(frame.data, isJsonObject(frame.data) ? frame.data : {});
				}
			},
			signal,
		);
		({send} = line);
		for (const frame of waiting) {
			send(frame);
		}

		const pinging = setInterval(line.send, 30_000, {type: 'ping'}).unref();
		void line.ended.then(() => clearInterval(pinging));
		return {
			ended: line.ended,
			close: line.close,
			say(phrase) {
				transport.refuseWrite(() => false, 'Nothing was said');
				line.refuseIfOver();
				send({type: 'transcribed', data: phrase});
			},
			interrupt() {
				send({type: 'text', data: 'interrupt-event'});
				send({type: 'text', data: 'bot-speak-end'});
			},
		};
	} catch (error) {
		throw isUnknown(error)
			? error.with({
					nextStep: [
						'The service may have no conversations, or no agent with this id.',
						...(error.nextStep === proxyStep ? [proxyStep] : []),
					].join('\n'),
				})
			: error;
	}
}

type Handlers = Readonly<Record<string, (data: JsonValue, fields: JsonObject) => void>>;

/** Returns the replies that the service waits for, and the events in its frames that a person sees. */
function createHandlers(reply: (frame: Frame) => void, onEvent: (event: ConversationEvent) => void, quote: Transport['quote']): Handlers {
	/** The text of each unfinished turn: some services end a turn with an empty text. */
	const live = new Map<Role, string>();
	const tell =
		(kind: 'action' | 'progress' | 'question') =>
		(data: JsonValue): void =>
			onEvent({kind, text: toText(data)});

	return {
		message(_, {role: given, content, live: isLive, final}) {
			if (!isText(content)) {
				return;
			}

			const role = given === 'user' ? 'user' : 'assistant';
			const isFinal = final === true || isLive !== true;
			const text = isFinal && content === '' ? (live.get(role) ?? '') : content;
			live.delete(role);
			if (!isFinal) {
				live.set(role, content);
			}

			onEvent({kind: 'turn', role, text, isFinal});
		},
		text(data) {
			const answer = {'audio-init': 'bot-speaking', 'audio-end': 'bot-speak-end'}[isText(data) ? data : ''];
			if (answer !== undefined) {
				reply({type: 'text', data: answer});
			}
		},
		audio: () => reply({type: 'ack', data: 'audio-received'}),
		log(data, {l, m, level, message}) {
			onEvent({kind: 'log', level: firstText(l, level) ?? 'info', text: firstText(m, message) ?? toText(data)});
		},
		action: tell('action'),
		progress: tell('progress'),
		question: tell('question'),
		'error-event'(data, {message, title, kind: given}) {
			const text = firstText(message, title) ?? toText(data);
			const kind = isText(given) && kinds.has(given) ? (given as ErrorKind) : 'server-error';
			onEvent({kind: 'fault', text, error: new SwitchboardError(kind, quote(text, 300))});
		},
	};
}

/** A text as it is, anything else as JSON. */
const toText = (value: JsonValue): string => (isText(value) ? value : JSON.stringify(value));

const isText = (value: unknown): value is string => typeof value === 'string';

const firstText = (...values: ReadonlyArray<JsonValue | undefined>): string | undefined => values.find(value => isText(value));

/** Opens a WebSocket that lives until it is closed, the signal is aborted, or the service ends it. */
async function openLine({transport}: Connection, path: string, onText: (text: string) => void, signal?: AbortSignal) {
	const {promise: ended, resolve} = Promise.withResolvers<SwitchboardError | undefined>();
	let end: SwitchboardError | undefined;
	let isClosed = false;
	let isOver = false;
	const {
		send,
		close: closeSocket,
		cancelled,
	} = await transport.openSocket(
		path,
		{
			onText(text) {
				if (!isClosed) {
					onText(transport.redactBody(text));
				}
			},
			onEnd(socketEnd) {
				isOver = true;
				end = isClosed ? undefined : toEndError(socketEnd, transport);
				resolve(end);
			},
		},
		signal,
	);
	const close = (): void => {
		isClosed = true;
		closeSocket();
	};

	cancelled?.addEventListener('abort', close, {once: true});
	void ended.then(() => {
		cancelled?.removeEventListener('abort', close);
	});
	return {
		ended,
		close,
		send(frame: Frame | {readonly type: 'ping'}): void {
			if (!isOver && !isClosed) {
				send(JSON.stringify(frame));
			}
		},
		refuseIfOver(): void {
			if (isOver || isClosed) {
				throw end ?? new SwitchboardError('interrupted', 'The conversation is over.');
			}
		},
	};
}

function toEndError({code, reason, errorCode}: SocketEnd, {origin, quote}: Pick<Transport, 'origin' | 'quote'>): SwitchboardError {
	if (errorCode?.startsWith('WS_ERR_')) {
		const [what, nextStep] =
			errorCode === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
				? ['a message that is too large', undefined]
				: ['something other than a conversation', 'Check the address: a proxy may be in between.'];
		return new SwitchboardError('unintelligible', `${origin} sent ${what} (${errorCode}).`, {nextStep});
	}

	const [kind, sentence, nextStep] =
		endings[code] ??
		(code === 1006
			? ['unreachable', 'broke off the conversation', 'Check the network, then try again.']
			: ['unreachable', 'ended the conversation']);
	const given = quote(reason, 120);
	return new SwitchboardError(kind, `${origin} ${sentence}${given === '' ? '' : `: ${given.replace(/\.$/, '')}`} (${code}).`, {nextStep});
}

/** Returns the frame in a text; `undefined` for one of another form. */
function toFrame(text: string): {readonly type: string; readonly data: JsonValue} | undefined {
	const frame = parseJson(text);
	return isJsonObject(frame) && isText(frame['type']) ? {type: frame['type'], data: frame['data'] ?? null} : undefined;
}

/**
Follows the logs of calls.

@param tail - how many of the last entries come first.
@throws SwitchboardError if the service does not show them.
*/
export async function followCallLogs(
	connection: Connection,
	tail: number,
	onEntry: (entry: CallLogEntry) => void,
	signal?: AbortSignal,
): Promise<Pick<Conversation, 'ended' | 'close'>> {
	const {ended, close} = await openLine(
		connection,
		`${callLogsPath}?api_key=${keyPlace}&tail=${tail}`,
		text => {
			const json = parseJson(text);
			if (json === undefined) {
				return;
			}

			const {role, content} = isJsonObject(json) ? json : {};
			onEntry({role: isText(role) ? role : undefined, text: toText(isText(role) ? (content ?? json) : json), json});
		},
		signal,
	);
	return {ended, close};
}

/** A conversation that ends with one of these may be opened again. */
const passing: ReadonlySet<ErrorKind> = new Set(['unreachable', 'timeout', 'server-error', 'rate-limited', 'no-room']);

type Listener<Open> = {
	/** Called each time it is opened. */
	readonly onOpen: (conversation: Open) => void;
	/** Called when it ended or could not be opened, before the pause and the next attempt. */
	readonly onLost: (error: SwitchboardError, pauseMilliseconds: number) => void;
};

/**
Holds a conversation, or follows call logs, and reopens it after growing pauses when it is lost.

@returns `undefined` once the signal is aborted; the reason if trying again is useless.
*/
export async function keepConversation<Open extends Pick<Conversation, 'ended'>>(
	open: (signal: AbortSignal) => Promise<Open>,
	{onOpen, onLost}: Listener<Open>,
	signal: AbortSignal,
): Promise<SwitchboardError | undefined> {
	let failureCount = 0;
	while (!signal.aborted) {
		let openedAt = Infinity;
		let end: SwitchboardError | undefined;
		try {
			const conversation = await open(signal);
			openedAt = performance.now();
			onOpen(conversation);
			end = await conversation.ended;
		} catch (error) {
			end = toSwitchboardError(error);
		}

		if (signal.aborted || end === undefined) {
			return undefined;
		}

		if (!passing.has(end.kind)) {
			return end;
		}

		failureCount = performance.now() - openedAt >= goodMilliseconds ? 0 : failureCount + 1;
		const pauseMilliseconds = waitAfter(failureCount, end);
		onLost(end, pauseMilliseconds);
		// The signal is checked next.
		await delay(pauseMilliseconds, undefined, {signal}).catch(() => undefined);
	}

	return undefined;
}
