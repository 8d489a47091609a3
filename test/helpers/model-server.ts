import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {json} from 'node:stream/consumers';

export type ModelRequest = {
	readonly path: string | undefined;
	readonly headers: IncomingMessage['headers'];
	readonly body: {readonly model?: string; readonly stream: boolean; readonly messages: ReadonlyArray<{readonly role: string; readonly content: string}>};
	/** The last thing that was said. */
	readonly phrase: string;
	/** Resolves when the client has gone, or has its answer. */
	readonly closed: Promise<unknown>;
};

export type Respond = (response: ServerResponse, request: ModelRequest) => unknown;

/** An event of a chat completion that is streamed. */
export const part = (content: string, reason: string | null = null): string =>
	`data: ${JSON.stringify({id: 'x', object: 'chat.completion.chunk', choices: [{index: 0, delta: {content}, finish_reason: reason}]})}\n\n`;

export const beginStream = (response: ServerResponse): ServerResponse => response.writeHead(200, {'content-type': 'text/event-stream; charset=utf-8'});

/** Answers with some parts, as llama.cpp and Ollama do. */
export const answerParts = (...parts: readonly string[]): Respond => response => {
	beginStream(response).end(`${parts.map(text => part(text)).join('')}${part('', 'stop')}data: [DONE]\n\n`);
};

/** A stand-in for the server of a model. What it answers can be changed at any time. */
export const startModelServer = async (respond: Respond) => {
	const requests: ModelRequest[] = [];
	const model = {respond};
	const server = createServer((request, response) => {
		const closed = once(response, 'close');
		void (async () => {
			const body = await json(request) as ModelRequest['body'];
			const seen: ModelRequest = {
				path: request.url, headers: request.headers, body, phrase: body.messages.at(-1)!.content, closed,
			};
			requests.push(seen);
			model.respond(response, seen);
		})();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return Object.assign(model, {
		requests,
		baseAddress: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	});
};

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;
