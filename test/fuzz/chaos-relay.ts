import {type AddressInfo, Buffer, createServer, delay, type IncomingMessage, once, request, type ServerResponse} from '../helpers/node.ts';
import {buffer} from 'node:stream/consumers';
import {changeFeedPath} from '../../source/interface/endpoints.ts';
import type {Random} from './targets.ts';

type Forwarded = {readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer};

/** A relay in front of a service that delays, reorders, loses, cuts off and repeats requests and answers at random. */
export async function startChaosRelay(target: string, random: Random) {
	let isCalm = true;
	const latePaths = new Set<string>();
	const writes: string[] = [];
	const underWay = new Set<Promise<unknown>>();

	const follow = async <Result>(work: Promise<Result>): Promise<Result> => {
		underWay.add(work);
		try {
			return await work;
		} finally {
			underWay.delete(work);
		}
	};

	const forward = async ({method, url, headers}: IncomingMessage, body: Buffer): Promise<Forwarded> => {
		const outgoing = request(new URL(url!, target), {method, headers, agent: false});
		outgoing.end(body);
		const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
		return {status: answer.statusCode!, headers: answer.headers, body: await buffer(answer)};
	};

	const answer = (response: ServerResponse, {status, headers, body}: Forwarded): void => {
		const {connection, 'transfer-encoding': encoding, ...kept} = headers;
		response.writeHead(status, {...kept, 'content-length': body.length}).end(body);
	};

	const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const body = await buffer(incoming);
		const isGone = (): boolean => response.destroyed;
		const carryOut = async (): Promise<Forwarded> => {
			const wasGone = isGone() || response.writableEnded;
			const write = `${incoming.url} ${String(body)}`;
			if (incoming.method !== 'GET') {
				writes.push(`passes on ${write}${wasGone ? ', late' : ''}`);
			}

			const forwarded = await forward(incoming, body);
			if (incoming.method !== 'GET') {
				const isLate = wasGone || isGone() || response.writableEnded;
				writes.push(`${forwarded.status} ${write}${isLate ? ', late' : ''}`);
				if (isLate) {
					latePaths.add(incoming.url!);
				}
			}

			return forwarded;
		};

		const fate = isCalm ? 0 : random(100);
		if (fate < 35) {
			answer(response, await carryOut());
		} else if (fate < 48) {
			await delay(random(10));
			// Nobody waits for it any more.
			if (!isGone()) {
				answer(response, await carryOut());
			}
		} else if (fate < 62) {
			const forwarded = await carryOut();
			await delay(random(15));
			answer(response, forwarded);
		} else if (fate < 70) {
			response.destroy();
		} else if (fate < 78) {
			await carryOut();
			response.destroy();
		} else if (fate < 84) {
			const both = await Promise.all([carryOut(), carryOut()]);
			answer(response, both[random(2)]!);
		} else if (fate < 86) {
			answer(response, await carryOut());
			await delay(random(20));
			await carryOut();
		} else if (fate < 90) {
			const {status, headers, body: whole} = await carryOut();
			response.writeHead(status, {...headers, 'content-length': whole.length}).write(whole.subarray(0, random(whole.length + 1)));
			await delay(1);
			response.destroy();
		} else if (fate < 96) {
			const isCarriedOut = random(2) === 0;
			if (isCarriedOut) {
				await carryOut();
			}

			answer(response, {
				status: isCarriedOut ? 502 + random(3) : [429, 500, 503][random(3)]!,
				headers: {'content-type': 'application/json'},
				body: Buffer.from('{"detail":"chaos"}'),
			});
		} else if (random(2) === 0) {
			// No answer ever: the client gives up.
			await carryOut();
		}
	};

	/** A stream of changes passes as it comes, and is cut off now and then: it ends only with the client. */
	const passOn = ({method, url, headers}: IncomingMessage, response: ServerResponse): void => {
		const outgoing = request(new URL(url!, target), {method, headers, agent: false}, answered => {
			response.writeHead(answered.statusCode!, answered.headers);
			response.flushHeaders();
			answered.pipe(response);
		});
		const cut =
			isCalm || random(2) === 0
				? undefined
				: setTimeout(() => {
						response.destroy();
					}, random(100));
		outgoing.once('error', () => {
			response.destroy();
		});
		response.once('close', () => {
			clearTimeout(cut);
			outgoing.destroy();
		});
		outgoing.end();
	};

	const server = createServer((incoming, response) => {
		if (incoming.url?.endsWith(changeFeedPath)) {
			passOn(incoming, response);
			return;
		}

		void (async () => {
			try {
				await follow(handle(incoming, response));
			} catch {
				response.destroy();
			}
		})();
	});
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	return {
		baseAddress: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** The paths of the writes that the service carried out after the client had its answer, or had given up: as another client's. */
		latePaths,
		/** The writes as they were passed on and answered, to explain a failure. */
		writes,
		/** From now on every request and answer passes as it is; or no longer. */
		setCalm(wanted: boolean) {
			isCalm = wanted;
		},
		/** Resolves when nothing is under way any more, not even a delayed or repeated request. */
		async settled() {
			while (underWay.size > 0) {
				await Promise.allSettled(underWay);
			}
		},
		forget() {
			latePaths.clear();
			writes.length = 0;
		},
		async close() {
			server.closeAllConnections();
			await new Promise(resolve => {
				server.close(resolve);
			});
		},
	};
}

export type ChaosRelay = Awaited<ReturnType<typeof startChaosRelay>>;
