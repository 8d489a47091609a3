import {assert, test} from '../helpers/node.ts';
import {Validator} from '@seriousme/openapi-schema-validator';
import {endpoints, type Operation, routesOf} from '../../source/interface/endpoints.ts';
import {findChangedText, sendHostileRequests} from '../fuzz/service/send-hostile-requests.ts';
import {fieldsOf} from '../helpers/fields-of.ts';
import {createRandom} from '../helpers/terminal/random.ts';
import {shareTestService} from './running-service.ts';

const service = await shareTestService();

type Document = {
	readonly openapi: string;
	readonly paths: Readonly<
		Record<
			string,
			Readonly<
				Record<string, {readonly operationId: string; readonly tags: readonly string[]; readonly requestBody?: {readonly content: object}}>
			>
		>
	>;
};

test('the OpenAPI document needs no key and is valid', async () => {
	const {status, json, text, headers} = await service.ask('GET', '/openapi.json', {key: null});
	assert.equal(status, 200);
	assert.match(headers.get('content-type') ?? '', /^application\/json/);
	const result = await new Validator().validate(JSON.parse(text) as Record<string, unknown>);
	assert.deepEqual(result.errors ?? [], []);
	assert.equal(result.valid, true);
	assert.match((json as Document).openapi, /^3\./);
});

test('the OpenAPI document has every operation of the interface, and of ours the history and the timers', async () => {
	const {json} = await service.ask('GET', '/openapi.json', {key: null});
	const {'/history': history, '/timers': timers, '/timers/{installed_cap_id}/': timer, ...paths} = (json as Document).paths;
	for (const operation of [history!['get'], timers!['get'], timer!['put'], timer!['delete']]) {
		assert.deepEqual(operation!.tags, ['ours']);
	}

	const described = new Set(
		Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`)),
	);
	const withoutLastSlash = (text: string): string => text.replace(/\/$/, '');
	const wanted = (Object.keys(endpoints) as Operation[])
		.flatMap(operation => routesOf(operation))
		.map(({method, path}) => `${method} ${path}`);
	assert.deepEqual(new Set([...described].map(text => withoutLastSlash(text))), new Set(wanted.map(text => withoutLastSlash(text))));
	const operationIds = Object.values(paths).flatMap(methods => Object.values(methods).map(({operationId}) => operationId));
	assert.equal(new Set(operationIds).size, operationIds.length);
	const {content} = paths['/api/capabilities/edit-installed-capability/{installed_cap_id}/']!['put']!.requestBody!;
	const {anyOf} = Object.values(
		content as Readonly<
			Record<string, {readonly schema: {readonly anyOf: ReadonlyArray<Readonly<Record<'title' | 'required', unknown>>>}}>
		>,
	)[0]!.schema;
	assert.deepEqual(fieldsOf(anyOf, 'title', 'required'), [
		['documented', ['enabled']],
		['also seen', ['trigger_words']],
	]);
	assert.deepEqual(Object.keys(paths['/api/personalities/edit-personality/']!['put']!.requestBody!.content), [
		'application/json',
		'multipart/form-data',
	]);
});

test('the OpenAPI document contains no data of an account', async () => {
	const {text} = await service.ask('GET', '/openapi.json', {key: null});
	assert.ok(!text.includes(service.key));
	assert.ok(!text.includes('morninglights'));
});

test('the check of stored texts finds half a surrogate pair, and not the characters of its escape', () => {
	const escape = String.raw`["\ud800", "\u0000"]`;
	assert.equal(findChangedText([{name: escape}]), undefined);
	for (const changed of ['\u{D800}', '\0', '\u{FFFD}', `${escape.slice(0, 2)}\\\u{DC00}`]) {
		assert.notEqual(findChangedText([{name: changed}]), undefined, JSON.stringify(changed));
	}
});

test('hostile requests made from the OpenAPI document are answered without a failure, and change no text that they store', async () => {
	const {accepted, refused} = await sendHostileRequests(createRandom(7), 120);
	// Both kinds must be among them, or the test would prove little.
	assert.ok(accepted! > 24, String(accepted));
	assert.ok(refused! > 24, String(refused));
});
