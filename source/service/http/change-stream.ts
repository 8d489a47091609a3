import {type ServerResponse} from 'node:http';
import {type FastifyReply, type FastifyRequest} from 'fastify';
import {eventStreamType} from '../../interface/endpoints.ts';
import {type Caller} from '../callers.ts';
import {listNames, type ListName, type ListVersions} from '../store/store.ts';
import {addressGroupOf} from './address-group.ts';
import {callerOf} from './authorize.ts';
import {formatChange} from './list-versions.ts';

/** What a client that does not read may leave in memory. */
const maximumUnreadBytes = 64 * 1024;

export type ChangeStream = {
	readonly caller: Caller;
	readonly group: string | undefined;
	readonly openedAt: number;
	/** Sends the versions that are not those that it sent last; before the stream has begun, with its beginning. */
	tell(versions: Partial<ListVersions>): void;
	keepAlive(): void;
	end(): void;
};

/** An answer that goes on until one end has enough. */
export const createChangeStream = (request: FastifyRequest, reply: FastifyReply): ChangeStream & {begin(): void} => {
	const response: ServerResponse = reply.raw;
	const told = new Map<ListName, string>();
	let early = '';
	let isEnded = false;

	const send = (text: string): void => {
		if (!response.headersSent) {
			early += text;
		} else if (response.writableLength > maximumUnreadBytes) {
			response.destroy();
		} else if (!response.writableEnded) {
			response.write(text);
		}
	};

	return {
		caller: callerOf(request),
		group: addressGroupOf(request),
		openedAt: performance.now(),
		begin() {
			void reply.hijack();
			response.writeHead(200, {
				...reply.getHeaders() as Readonly<Record<string, string>>,
				'content-type': eventStreamType,
				'cache-control': 'no-store',
				// Otherwise nginx keeps events back until it has a few kilobytes of them.
				'x-accel-buffering': 'no',
				connection: 'close',
			});
			response.write(early);
			if (isEnded) {
				response.end();
			}
		},
		tell(versions) {
			for (const resource of listNames) {
				const version = versions[resource];
				if (version === undefined || version === told.get(resource)) {
					continue;
				}

				told.set(resource, version);
				send(formatChange(resource, version));
			}
		},
		keepAlive() {
			send(': \n\n');
		},
		end() {
			isEnded = true;
			if (response.headersSent) {
				response.end();
			}
		},
	};
};
