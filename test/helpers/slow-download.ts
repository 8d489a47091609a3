import {addTo, Buffer, type IncomingMessage, once, request} from './node.ts';

/** Asks for something that is larger than what the line holds, and reads its first bytes. */
export async function startSlowDownload(url: string, apiKey: string) {
	const sent = request(url, {headers: {'x-api-key': apiKey}, agent: false});
	sent.on('error', () => undefined);
	sent.end();
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	response.on('error', () => undefined);
	await once(response, 'readable');
	const chunks = [response.read() as Buffer];
	return {
		status: response.statusCode!,
		/** Reads the rest. `isWhole` is false if the server cut it. */
		async finish() {
			const {promise: closed, resolve} = Promise.withResolvers<void>();
			response.once('close', resolve);
			response.on('data', addTo(chunks));
			response.resume();
			// It may have been cut before.
			if (!response.closed) {
				await closed;
			}

			return {isWhole: response.complete, bytes: Buffer.concat(chunks)};
		},
	};
}
