import {type AddressInfo, assert, createServer, once, type ServerResponse, test} from '../helpers/node.ts';
import {NoSniffResponse} from '../../source/service/http/server.ts';
import {fieldsOf, exchange, followChanges, named, paths, startTestService, uploadForm} from './kit.ts';

const header = 'x-content-type-options';

test('every answer says that its content is what its type says', async () => {
	await using service = await startTestService({metrics: {host: '127.0.0.1', port: 0}, isSampleWanted: true});
	const pantry = named(await service.read(paths.installed), 'pantry');
	const etag = (await service.ask('GET', paths.agents)).headers.get('etag')!;
	const asked = [
		await service.ask('GET', paths.agents),
		await service.ask('GET', paths.agents, {headers: {'if-none-match': etag}}),
		await service.ask('GET', paths.agents, {headers: {'accept-encoding': 'gzip'}}),
		await service.ask('GET', paths.source(pantry['capability_id'])),
		await service.ask('PUT', paths.editInstalled(pantry['id']), {body: {enabled: true}}),
		await service.ask('POST', paths.upload, {body: await uploadForm()}),
		await service.ask('PUT', paths.editInstalled(pantry['id']), {body: '{'}),
		await service.ask('GET', paths.agents, {key: null}),
		await service.ask('GET', '/nowhere', {key: null}),
		await service.ask('GET', '/%zz', {key: null}),
		await service.ask('DELETE', paths.agents),
		await service.ask('HEAD', '/healthz', {key: null}),
		await service.ask('OPTIONS', paths.agents, {key: null}),
		await service.ask('GET', '/openapi.json', {key: null}),
		await service.ask('GET', '/healthz', {key: null}),
		await service.ask('GET', '/readyz', {key: null}),
	];
	assert.deepEqual(
		asked.map(({status, headers}) => [status, headers.get(header)]),
		asked.map(({status}) => [status, 'nosniff']),
	);
	assert.deepEqual(fieldsOf(asked.slice(0, 6), 'status'), [200, 304, 200, 200, 200, 200]);
	for (const address of [service.metricsAddress!, `${service.metricsAddress!}/nowhere`]) {
		const answer = await fetch(address);
		await answer.arrayBuffer();
		assert.equal(answer.headers.get(header), 'nosniff');
	}

	await using stream = await followChanges(service.baseAddress, service.key);
	assert.deepEqual([stream.status, stream.headers[header]], [200, 'nosniff']);
	const [garbage] = await exchange(service.baseAddress, 'garbage\r\n\r\n');
	assert.deepEqual([garbage!.status, garbage!.headers[header]], [400, 'nosniff']);
});

test('so does an answer that is written past Fastify, in whichever way', async () => {
	const ways: ReadonlyArray<(response: ServerResponse) => ServerResponse> = [
		response => response.end('x'),
		response => response.writeHead(503).end('x'),
		response => response.writeHead(503, {'content-type': 'text/plain'}).end('x'),
		response => response.writeHead(503, 'Stopping', {'content-type': 'text/plain'}).end('x'),
		response => response.writeHead(503, ['content-type', 'text/plain']).end('x'),
	];
	let count = 0;
	const server = createServer({ServerResponse: NoSniffResponse}, (_request, response) => {
		ways[count++]!(response);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	for (const way of ways) {
		const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		assert.deepEqual([answer.headers.get(header), await answer.text()], ['nosniff', 'x'], String(way));
	}

	server.closeAllConnections();
	server.close();
});
