import {assert, path, rmSync, test} from '../../helpers/node.ts';
import fastify from 'fastify';
import {addPublicRoutes} from '../../../source/service/http/public-routes.ts';
import {fieldsOf, startTestService} from '../kit.ts';

test('/healthz and /readyz answer without a key, as often as they are asked', async () => {
	await using service = await startTestService({requestsPerMinute: 1});
	for (const route of ['/healthz', '/readyz', '/healthz', '/readyz', '/readyz/']) {
		const {status, json} = await service.ask('GET', route, {key: null});
		assert.deepEqual([status, json], [200, {ok: true}], route);
		const head = await service.ask('HEAD', route, {key: null});
		assert.deepEqual([head.status, head.text], [200, ''], route);
	}

	const {json} = await service.ask('GET', '/openapi.json');
	assert.equal((await service.ask('HEAD', '/openapi.json', {key: null})).status, 200);
	assert.deepEqual(
		Object.keys((json as {readonly paths: object}).paths).filter(route => !route.startsWith('/api/')),
		['/history', '/timers', '/timers/{installed_cap_id}/'],
	);
});

test('a wrong method for /healthz, /readyz, /openapi.json or /events is answered with those that are right, with or without a key', async () => {
	await using service = await startTestService();
	for (const [route, allow] of [
		['/healthz', 'GET, HEAD'],
		['/readyz/?now', 'GET, HEAD'],
		['/openapi.json', 'GET, HEAD'],
		['/events', 'GET'],
	] as const) {
		for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
			for (const key of [null, service.key]) {
				const {status, headers, json} = await service.ask(method, route, {key, ...(method === 'PUT' && {body: {enabled: true}})});
				assert.deepEqual(
					[status, headers.get('allow'), json],
					[405, allow, {detail: `This endpoint accepts no other methods than: ${allow}.`}],
					`${method} ${route}`,
				);
			}
		}
	}

	const {status, headers, text} = await service.ask('HEAD', '/events');
	assert.deepEqual([status, headers.get('allow'), text], [405, 'GET', '']);
	for (const route of ['/events/more', '/healthz//', '/metrics']) {
		assert.equal((await service.ask('POST', route, {key: null})).status, 404, route);
	}
});

test('while the database is away /readyz says so, without saying where it is, and /healthz is as before', async () => {
	const service = await startTestService({
		checkIntervalMilliseconds: 3_600_000,
		// Otherwise it would remove old entries of the history meanwhile.
		isReadOnly: true,
	});
	rmSync(path.join(service.dataFolder, 'switchboard.db'));
	const {status, json} = await service.ask('GET', '/readyz', {key: null});
	assert.deepEqual([status, json], [503, {detail: 'The database cannot be used now.'}]);
	assert.equal((await service.ask('HEAD', '/readyz', {key: null})).status, 503);
	assert.equal((await service.ask('GET', '/healthz', {key: null})).status, 200);
	// Who asks every second must not fill the log.
	assert.deepEqual(service.told, []);
	await assert.rejects(service.close(), {trouble: 'moved'});
});

test('a database that does not answer is not ready, and is asked once, however many ask', async () => {
	const app = fastify();
	const answer = Promise.withResolvers<undefined>();
	let asked = 0;
	addPublicRoutes(app, {
		async ready() {
			asked++;
			await answer.promise;
		},
	});
	const address = `${await app.listen({port: 0})}/readyz`;
	const answers = await Promise.all(Array.from({length: 5}, async () => fetch(address)));
	assert.deepEqual(fieldsOf(answers, 'status'), [503, 503, 503, 503, 503]);
	assert.equal(asked, 1);
	answer.resolve(undefined);
	assert.equal((await fetch(address)).status, 200);
	await app.close();
});
