import {
	type IncomingMessage,
	type OutgoingHttpHeader,
	type OutgoingHttpHeaders,
	ServerResponse,
} from 'node:http';

export const noSniffHeader = 'x-content-type-options';

/** The content of an answer is what its type says: no browser takes the file of an ability for a page with scripts. */
export const noSniff = 'nosniff';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** An answer that says so, whoever writes it: Fastify writes some by itself, past every hook. Node.js writes the head of each through here. */
export class NoSniffResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
	override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
		const given = typeof reason === 'string' ? headers : reason;
		if (given !== undefined && !Array.isArray(given)) {
			// Setting it beside headers that are given here would make Node.js set each of them singly.
			given[noSniffHeader] = noSniff;
		} else if (!this.headersSent) {
			this.setHeader(noSniffHeader, noSniff);
		}

		return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
	}
}
