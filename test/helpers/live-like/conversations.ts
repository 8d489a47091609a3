import {Buffer, delay} from '../node.ts';
import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import {WebSocketServer, type WebSocket} from 'ws';
import {waitUntil} from '../wait-until.ts';
import {findRecord, isRecord, type LiveLikeHome} from './home.ts';

/*
Conversations as `docs/interface.md` says that the public service holds them. An agent greets first, speaks each turn in live parts with sound
between them, and stops until each piece of sound is acknowledged. A phrase of an ability that is on starts it: its frames come before the answer.
*/

export type LiveFrame = {readonly type: string; readonly data?: unknown};

/** One connection, as the service sees it. */
export type LiveTalk = {
	/** As in the address: 0 is the default agent. */
	readonly agentId: number;
	readonly headers: IncomingHttpHeaders;
	readonly received: readonly LiveFrame[];
	readonly socket: WebSocket;
	readonly raw: Duplex;
	/** Calls it with each frame that comes from now on, until the returned function is called. */
	listen(listener: (frame: LiveFrame) => void): () => void;
	phrases(): readonly string[];
	send(frame: LiveFrame | string | Uint8Array): void;
};

/** A phrase that reached an agent. */
export type HeardPhrase = {readonly phrase: string; readonly agentId: number; readonly starts: string | undefined};

export type LiveReply = {
	readonly frames?: readonly LiveFrame[];
	/** Spoken in one turn; no turn unless given. */
	readonly answer?: string;
	readonly later?: readonly LiveFrame[];
};

export type ConversationOptions = {
	/** The time before an agent greets; 20 ms unless given. */
	readonly greetingMilliseconds?: number;
	readonly greeting?: string;
	readonly reply?: (heard: HeardPhrase) => LiveReply | Promise<LiveReply>;
	/** Does with an open connection whatever a test wants, in place of all that. */
	readonly behave?: (talk: LiveTalk) => void;
	/** Answers the handshake of a conversation in another way, or not at all. */
	readonly handshake?: (socket: Duplex, request: IncomingMessage) => void;
};

export function turnOf(role: 'assistant' | 'user', content: string, isFinal = true): LiveFrame {
	return {type: 'message', data: {content, role, live: !isFinal, final: isFinal}};
}

/** The common answer. */
export function replyTo({phrase, starts}: HeardPhrase): LiveReply {
	return starts === undefined ? {answer: `You said: ${phrase}`} : {frames: framesOfAbility(starts), answer: `${starts} is done, master`};
}

/** What abilities were seen to send, in each of its shapes. */
const framesOfAbility = (name: string): readonly LiveFrame[] => [
	{type: 'log', data: {l: 'info', m: `${name} has started`}},
	{type: 'log', data: {level: 'warning', message: 'A warning'}},
	{type: 'action', data: {name, step: 1}},
	{type: 'progress', data: 50},
	{type: 'question', data: 'Which room?'},
];

type LogCall = (entry: unknown) => void;

/** The part of the live-like service that holds conversations. */
export function createConversations(home: LiveLikeHome, apiKey: string, options: ConversationOptions = {}) {
	const sockets = new WebSocketServer({noServer: true});
	const conversations: LiveTalk[] = [];
	const calls: unknown[] = [];
	const followers = new Set<LogCall>();
	const raw = new Set<Duplex>();
	const logCall: LogCall = entry => {
		calls.push(entry);
		for (const follow of followers) {
			follow(entry);
		}
	};

	const open = (socket: WebSocket, path: string, query: URLSearchParams, request: IncomingMessage): void => {
		if (path === '/websocket/logs') {
			const send = (entry: unknown): void => socket.send(JSON.stringify(entry));

			socket.on('error', () => undefined);
			for (const entry of calls.slice(-Number(query.get('tail') ?? 100))) {
				send(entry);
			}

			followers.add(send);
			socket.once('close', () => {
				followers.delete(send);
			});
			return;
		}

		const talk = openLiveTalk(socket, Number(path.split('/').at(-1)), request);
		conversations.push(talk);
		if (options.behave !== undefined) {
			options.behave(talk);
			return;
		}

		converse(talk, home, options, logCall).catch((error: unknown) => {
			// Whatever waits when a connection ends is given up; any other error is a mistake of the test and must be visible.
			if (!talk.closedSignal.aborted) {
				throw error;
			}
		});
	};

	return {
		conversations: conversations as readonly LiveTalk[],
		/** Adds an entry to the logs of calls; those who follow them get it at once. */
		logCall,
		/** Waits for so many conversations to have been opened, and returns all. */
		async waitForConversations(count: number): Promise<readonly LiveTalk[]> {
			await waitUntil(() => conversations.length >= count);
			return conversations;
		},
		upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
			raw.add(socket);
			socket.once('close', () => {
				raw.delete(socket);
			});
			socket.on('error', () => undefined);
			const {pathname: path, searchParams: parameters} = new URL(request.url ?? '', 'http://localhost');
			const stream = /^\/websocket\/voice-stream\/(?<key>[^/]+)\/(?<agent>\d+)\/?$/.exec(path)?.groups;
			const key = path === '/websocket/logs' ? parameters.get('api_key') : stream && decodeURIComponent(stream['key']!);
			if (stream !== undefined && options.handshake !== undefined) {
				options.handshake(socket, request);
			} else if (key === undefined) {
				refuse(socket, 404, 'Not Found');
			} else if (key !== apiKey) {
				refuse(socket, 403, 'Forbidden');
			} else if (stream !== undefined && stream['agent'] !== '0' && findRecord(home.agents, Number(stream['agent'])) === undefined) {
				refuse(socket, 404, 'Not Found');
			} else {
				sockets.handleUpgrade(request, socket, head, webSocket => {
					if (isWelcome(request)) {
						open(webSocket, path.replace(/\/$/, ''), parameters, request);
					} else {
						webSocket.close(1008, 'Policy');
					}
				});
			}
		},
		cut(): void {
			for (const socket of raw) {
				socket.destroy();
			}
		},
	};
}

function openLiveTalk(socket: WebSocket, agentId: number, {headers, socket: raw}: IncomingMessage) {
	const received: LiveFrame[] = [];
	const listeners = new Set<(frame: LiveFrame) => void>();
	const closed = new AbortController();
	socket.on('error', () => undefined);
	socket.once('close', () => closed.abort());
	socket.on('message', (data, isBinary) => {
		// eslint-disable-next-line @typescript-eslint/no-base-to-string -- It is a buffer.
		const frame = isBinary ? undefined : parse(String(data));
		if (frame === undefined) {
			return;
		}

		received.push(frame);
		for (const listener of listeners) {
			listener(frame);
		}
	});
	const listen: LiveTalk['listen'] = listener => {
		listeners.add(listener);
		return () => {
			listeners.delete(listener);
		};
	};

	return {
		agentId,
		headers,
		raw,
		listen,
		received: received as readonly LiveFrame[],
		socket,
		/** Aborted when the connection ends. */
		closedSignal: closed.signal,
		phrases: () => received.filter(({type}) => type === 'transcribed').map(({data}) => String(data)),
		send(frame: LiveFrame | string | Uint8Array): void {
			socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame));
		},
		/** Waits for the next frame that has this in it. */
		async next(wanted: string, signal: AbortSignal): Promise<LiveFrame> {
			signal.throwIfAborted();
			const {promise, resolve, reject} = Promise.withResolvers<LiveFrame>();
			const stop = listen(frame => {
				if (frame.data === wanted || frame.type === wanted) {
					resolve(frame);
				}
			});
			signal.addEventListener('abort', () => reject(signal.reason as Error), {once: true});
			try {
				return await promise;
			} finally {
				stop();
			}
		},
	};
}

function parse(text: string): LiveFrame | undefined {
	try {
		const frame: unknown = JSON.parse(text);
		return isRecord(frame) && typeof frame['type'] === 'string' ? (frame as LiveFrame) : undefined;
	} catch {
		return undefined;
	}
}

type OpenTalk = ReturnType<typeof openLiveTalk>;

/** Greets, and answers one phrase after the other until the connection ends. */
async function converse(
	talk: OpenTalk,
	home: LiveLikeHome,
	{greetingMilliseconds = 20, greeting, reply = replyTo}: ConversationOptions,
	logCall: LogCall,
): Promise<void> {
	const agent = talk.agentId === 0 ? home.agents.find(entry => isRecord(entry)) : findRecord(home.agents, talk.agentId);
	const agentId = Number(agent?.['id']);
	await delay(greetingMilliseconds, undefined, {signal: talk.closedSignal});
	await speak(talk, greeting ?? `Hello, this is ${String(agent?.['name'])}`);
	for (let count = 0; ; count++) {
		if (talk.phrases().length === count) {
			await talk.next('transcribed', talk.closedSignal);
		}

		const phrase = talk.phrases()[count]!;
		talk.send(turnOf('user', phrase));
		logCall({role: 'user', content: phrase});
		const {frames = [], answer, later = []} = await reply({phrase, agentId, starts: abilityStartedBy(home, phrase, agentId)});
		for (const frame of frames) {
			talk.send(frame);
		}

		if (answer !== undefined) {
			await speak(talk, answer);
			logCall({role: 'assistant', content: answer});
		}

		for (const frame of later) {
			talk.send(frame);
		}
	}
}

/** Speaks one turn; it ends early when the person interrupts. */
async function speak(talk: OpenTalk, text: string): Promise<void> {
	const over = new AbortController();
	const interrupted = new AbortController();
	const signal = AbortSignal.any([talk.closedSignal, interrupted.signal]);
	const watch = async (): Promise<void> => {
		await talk.next('interrupt-event', AbortSignal.any([talk.closedSignal, over.signal]));
		interrupted.abort();
	};

	// Nobody interrupts a turn that is over.
	watch().catch(() => undefined);
	/** Without the reply that belongs to a frame nothing more is said. */
	const exchange = async (frame: LiveFrame, reply: string): Promise<void> => {
		const replied = talk.next(reply, signal);
		talk.send(frame);
		await replied;
	};

	let said = '';
	try {
		await exchange({type: 'text', data: 'audio-init'}, 'bot-speaking');
		for (const word of text.split(' ')) {
			said = `${said} ${word}`.trim();
			talk.send(turnOf('assistant', said, false));
			await exchange({type: 'audio', data: Buffer.from(word).toString('base64')}, 'audio-received');
		}

		talk.send(turnOf('assistant', text));
		await exchange({type: 'text', data: 'audio-end'}, 'bot-speak-end');
	} catch (error) {
		if (talk.closedSignal.aborted) {
			throw error;
		}

		talk.send({type: 'text', data: 'interrupt'});
		talk.send(turnOf('assistant', said));
	} finally {
		over.abort();
	}
}

/** The ability that is on, not tied to other agents only, and has a phrase within this one. */
function abilityStartedBy(home: LiveLikeHome, phrase: string, agentId: number): string | undefined {
	const tied = new Set([...home.ties.values()].flat());
	const own = home.ties.get(agentId) ?? [];
	const listening = home.installed
		.filter(entry => isRecord(entry))
		.find(({name, enabled, category, trigger_words: words}) => {
			const abilityId = Number(home.abilities.filter(entry => isRecord(entry)).find(ability => ability['name'] === name)?.['id']);
			return (
				enabled === true &&
				category !== 'background_daemon' &&
				category !== 'brain_skill' &&
				(!tied.has(abilityId) || own.includes(abilityId)) &&
				Array.isArray(words) &&
				words.some(word => wordsOf(phrase).includes(wordsOf(String(word))))
			);
		});
	return listening === undefined ? undefined : String(listening['name']);
}

const wordsOf = (text: string): string =>
	` ${text
		.toLowerCase()
		.replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ')
		.trim()} `;

function refuse(socket: Duplex, status: number, reason: string): void {
	socket.end(`HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** True if the handshake is one that the public service takes: of a browser, from the origin under which it is called. */
const isWelcome = ({rawHeaders, headers}: IncomingMessage): boolean =>
	rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'origin').length === 1 &&
	[`http://${headers.host}`, `https://${headers.host}`].includes(headers.origin ?? '') &&
	headers['user-agent']?.startsWith('Mozilla/5.0 (') === true &&
	headers['sec-websocket-protocol'] === undefined &&
	headers['sec-websocket-extensions'] === undefined;

export type Conversations = Pick<ReturnType<typeof createConversations>, 'conversations' | 'logCall' | 'waitForConversations'>;
