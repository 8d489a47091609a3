import {assert, assertMapped, test, type TestContext} from '../helpers/node.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {type Answer, clientOf, failureOf, jsonAnswer, paths, startOdd} from './clients.ts';

const agent = decodeRecord('agents', {id: 2, name: 'Hearth', description: 'Be kind.'})!;

const unsupported = jsonAnswer({detail: 'Unsupported media type "application/json" in request.'}, 415);

const refusals: ReadonlyArray<readonly [title: string, answers: readonly [Answer, Answer], kind: string, words: RegExp]> = [
	[
		'a form is refused for what is in it by a service that takes no JSON',
		[jsonAnswer({detail: 'This agent is locked'}, 400), unsupported],
		'refused',
		/This agent is locked/,
	],
	[
		'no form is taken and the JSON is refused for what is in it',
		[unsupported, jsonAnswer({detail: 'This agent is locked'}, 400)],
		'refused',
		/This agent is locked/,
	],
	['neither form is taken', [unsupported, unsupported], 'refused', /Unsupported media type/],
	['the JSON is not answered well', [jsonAnswer({detail: 'Parse error'}, 400), jsonAnswer({detail: 'Down'}, 500)], 'server-error', /Down/],
];

for (const [title, answers, kind, words] of refusals) {
	test(`where ${title}, that error is shown`, async (t: TestContext) => {
		const service = await startOdd(t);
		service.program(paths.editAgent, ...answers);
		const error = await failureOf(clientOf(service).editAgent(agent, {prompt: 'Be brief.'}));
		assert.equal(error.kind, kind);
		assert.match(error.message, words);
		assertMapped(service.requests, ({headers}) => headers['content-type']?.split(';', 1)[0], ['multipart/form-data', 'application/json']);
	});
}

test('a form that is refused for a named field is not sent again as JSON', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.editAgent, jsonAnswer({name: ['Too long']}, 400));
	const error = await failureOf(clientOf(service).editAgent(agent, {name: 'x'}));
	assert.deepEqual([error.kind, error.field], ['refused', 'name']);
	assert.equal(service.requests.length, 1);
});
