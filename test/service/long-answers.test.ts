import {assert, connect, once, test, text} from '../helpers/node.ts';
import {createFindCaller, generateKey, hashKey} from '../../source/service/callers.ts';
import {createApp} from '../../source/service/http/app.ts';
import {type Limits, limits} from '../../source/service/http/limits.ts';
import {listen} from '../../source/service/http/listen.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {appParts, paths, temporaryDataFolder, waitUntil} from './kit.ts';

const key = 'sb_long';

/** Together more than the kernels of both ends keep. */
const longAbilities = Array.from({length: 12}, (_, index) => ({
	name: `long ${index}`,
	category: 'skill',
	description: 'x'.repeat(1_000_000),
	triggerPhrases: [],
	files: [],
	installedAs: undefined,
	changedAt: new Date(),
}));

const openLongHome = async (ownLimits: Partial<Limits>) => {
	const store = await openStore(temporaryDataFolder());
	const accountId = await store.accounts.ensure('default');
	for (const ability of longAbilities) {
		await store.abilities.add(accountId, ability, () => undefined);
	}

	const app = await createApp({...appParts, store, findCaller: createFindCaller(store.accounts, key), limits: {...limits, ...ownLimits}});
	const {baseAddress} = await listen(app, {host: '127.0.0.1', port: 0}, 'http');
	/** A client that asks for the long list, and reads none of it yet. */
	const startReader = async () => {
		const reader = connect({port: Number(new URL(baseAddress).port), host: '127.0.0.1'});
		reader.write(`GET ${paths.abilities} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\n\r\n`);
		await once(reader, 'readable');
		return reader;
	};

	return {store, accountId, app, baseAddress, startReader};
};

test('where there is no room for more answers, lists are refused, and a change is said to be done', async () => {
	const {store, accountId, app, baseAddress, startReader} = await openLongHome({answerBytes: 100_000});
	const ask = async (method: string, path: string, body?: object, asKey = key) =>
		fetch(baseAddress + path, {
			method,
			headers: {'x-api-key': asKey, 'accept-encoding': 'identity', 'content-type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		});
	const otherKey = generateKey();
	await store.accounts.addKey('default', hashKey(otherKey), () => 'other');
	const reader = await startReader();
	try {
		const [agent] = (await store.agents.list(accountId)).records;
		assert.ok(agent);
		const description = 'You are patient. '.repeat(10_000).trim();
		const changed = await ask('PUT', paths.editAgent, {personality_id: agent.id, name: agent.name, description});
		assert.deepEqual(
			[changed.status, await changed.json()],
			[503, {detail: 'This was done, but there is no room for the answer now. Look at it in a moment.'}],
		);
		assert.equal((await store.agents.list(accountId)).records[0]!.description, description);

		const refused = await ask('GET', paths.agents);
		assert.equal(refused.status, 429, await refused.text());
		// Another key has the other half of the room.
		const others = await ask('GET', paths.agents, undefined, otherKey);
		assert.equal(others.status, 200);
		await others.arrayBuffer();

		reader.destroy();
		await waitUntil(async () => {
			const answer = await ask('GET', paths.agents);
			return (await answer.text()).includes(description) && answer.ok;
		});
	} finally {
		reader.destroy();
		await app.close();
		await store.close();
	}
});

test('a service that stops sends the rest of an answer, and then ends its connection', {timeout: 15_000}, async () => {
	const {store, app, startReader} = await openLongHome({});
	const reader = await startReader();
	const closed = app.close();
	const [head, body] = (await text(reader)).split('\r\n\r\n', 2);
	assert.equal(Number(/content-length: (?<bytes>\d+)/i.exec(head!)!.groups!['bytes']), body!.length);
	await closed;
	await store.close();
});
