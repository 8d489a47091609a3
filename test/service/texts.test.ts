import {assert, Buffer, test} from '../helpers/node.ts';
import {exchange, named, paths, startTestService, uploadForm} from './kit.ts';

const oddTexts: ReadonlyArray<readonly [json: string, words: RegExp]> = [
	[String.raw`"a\u0000b"`, /contains the character U\+0000/],
	[String.raw`"\ud800"`, /contains half of a surrogate pair/],
	[String.raw`"\udc00\ud800"`, /contains half of a surrogate pair/],
];

test('JSON with U+0000 or half of a surrogate pair is refused, wherever it stands, and names the field', async () => {
	await using service = await startTestService();
	const [agent] = await service.read(paths.agents);
	const record = named(await service.read(paths.installed), 'pantry');
	const before = [await service.read(paths.agents), await service.read(paths.installed)];
	for (const [json, words] of oddTexts) {
		const agentId = `"personality_id": ${String(agent!['id'])}`;
		const requests = [
			['PUT', paths.editAgent, `{${agentId}, "description": ${json}}`, /^The field description /],
			['PUT', paths.editAgent, `{${agentId}, "name": ${json}}`, /^The field name /],
			['PUT', paths.editAgent, `{${agentId}, "surplus": [{"deep": [${json}]}]}`, /^The field surplus /],
			['PUT', paths.editAgent, `{${agentId}, ${json}: 1}`, /^The body /],
			['PUT', paths.editInstalled(record['id']), `{"enabled": false, "name": ${json}}`, /^The field name /],
			['PUT', paths.editInstalled(record['id']), `{"enabled": false, "trigger_words": [${json}]}`, /^The field trigger_words /],
			['POST', '/api/sdk/get_personalities', `{"api_key": "${service.key}", "surplus": ${json}}`, /^The field surplus /],
		] as const;
		for (const [method, path, body, field] of requests) {
			const {status, json: answer} = await service.ask(method, path, {body});
			assert.equal(status, 400, body);
			assert.match((answer as {detail: string}).detail, field);
			assert.match((answer as {detail: string}).detail, words);
		}

		// In place of a key it is a wrong key.
		assert.deepEqual((await service.ask('POST', '/api/sdk/verify_apikey/', {body: `{"api_key": ${json}}`})).json, {valid: false});
		assert.equal((await service.ask('POST', '/api/sdk/get_personalities', {body: `{"api_key": ${json}}`})).status, 401);
	}

	assert.deepEqual([await service.read(paths.agents), await service.read(paths.installed)], before);
});

test('bytes that are not UTF-8 are refused, in JSON and in a form', async () => {
	await using service = await startTestService();
	const [agent] = await service.read(paths.agents);
	const send = async (type: string, content: Buffer) => {
		const head = `PUT ${paths.editAgent} HTTP/1.1\r\nHost: service\r\nConnection: close\r\nX-API-KEY: ${service.key}\r\nContent-Type: ${type}\r\nContent-Length: ${content.length}\r\n\r\n`;
		const [answer] = await exchange(service.baseAddress, Buffer.concat([Buffer.from(head), content]));
		return [answer?.status, JSON.parse(answer!.body.toString()) as unknown];
	};

	for (const bytes of ['ff', 'c0af', 'eda080', 'f8888080']) {
		const odd = Buffer.from(bytes, 'hex');
		const json = Buffer.concat([Buffer.from(`{"personality_id": ${String(agent!['id'])}, "description": "`), odd, Buffer.from('"}')]);
		assert.deepEqual(await send('application/json', json), [400, {detail: 'The body is not valid UTF-8.'}]);
		const form = Buffer.concat([
			Buffer.from(
				`--x\r\nContent-Disposition: form-data; name="personality_id"\r\n\r\n${String(agent!['id'])}\r\n--x\r\nContent-Disposition: form-data; name="description"\r\n\r\n`,
			),
			odd,
			Buffer.from('\r\n--x--\r\n'),
		]);
		assert.deepEqual(await send('multipart/form-data; boundary=x', form), [
			400,
			{detail: 'The field description is not valid UTF-8, or contains the replacement character U+FFFD.'},
		]);
	}

	assert.deepEqual(named(await service.read(paths.agents), String(agent!['name'])), agent);
});

test('U+0000 in a field of a form is refused, and any other character is stored as it is', async () => {
	await using service = await startTestService();
	const refused = await service.ask('POST', paths.upload, {body: await uploadForm({description: 'a\0b'})});
	assert.deepEqual([refused.status, refused.json], [400, {detail: 'The field description contains the character U+0000.'}]);

	const text = '\u{1}\u{7F}\u{2028}\u{FFFE}\u{10FFFF}e\u{301} \u{1F469}\u{200D}\u{1F467}';
	assert.equal((await service.ask('POST', paths.upload, {body: await uploadForm({description: text})})).status, 200);
	assert.equal(named(await service.read(paths.abilities), 'lamps')['description'], text);
	const [agent] = await service.read(paths.agents);
	const edited = await service.ask('PUT', paths.editAgent, {body: {personality_id: agent!['id'], description: `${text}\u{FFFD}`}});
	assert.equal((edited.json as {description: string}).description, `${text}\u{FFFD}`);
});

test('a path or a query with U+0000, or with bytes that are not UTF-8, is refused', async () => {
	await using service = await startTestService();
	for (const path of [
		'/api/capabilities/get-capability/1%00/',
		`${paths.agents}?a=%00`,
		`${paths.agents}?a=%ED%A0%80`,
		`${paths.agents}?%`,
		'/%00',
		'/%ED%A0%80',
	]) {
		const {status, json} = await service.ask('GET', path);
		assert.deepEqual([status, json], [400, {detail: 'The path is not valid.'}], path);
	}

	assert.equal((await service.ask('GET', `${paths.agents}?a=%E2%82%AC&b=+`)).status, 200);
});
