import {once} from 'node:events';
import {request, type IncomingMessage} from 'node:http';
import {waitUntil} from './wait-until.ts';

const changePattern = /^event: change\ndata: \{"resource":"(?<resource>\w+)","version":"(?<version>[^"]+)"(?:,"history":\d+)?\}$/;

/** Follows the changes of a service. */
export async function followChanges(baseAddress: string, apiKey: string) {
	const sent = request(`${baseAddress}/events`, {headers: {'x-api-key': apiKey}, agent: false});
	sent.end();
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	let received = '';
	response.setEncoding('utf8');
	response.on('data', (text: string) => {
		received += text;
	});
	response.on('error', () => undefined);
	const {promise: ended, resolve} = Promise.withResolvers<void>();
	response.once('close', resolve);
	const changes = (): readonly string[] =>
		received
			.split('\n\n')
			.slice(0, -1)
			.filter(event => !event.startsWith(':'))
			.map(event => toChange(event));
	return {
		status: response.statusCode ?? 0,
		headers: response.headers,
		text: () => received,
		/** `resource VERSION` of each event so far. */
		changes,
		async waitForChanges(count: number) {
			await waitUntil(() => changes().length >= count);
			return changes();
		},
		/** Resolves when the service has ended the stream. */
		ended,
		close() {
			sent.destroy();
		},
		async [Symbol.asyncDispose]() {
			sent.destroy();
			await ended;
		},
	};
}

function toChange(event: string): string {
	const {resource, version} = changePattern.exec(event)?.groups ?? {};
	return resource === undefined ? `unexpected: ${event}` : `${resource} ${version}`;
}
