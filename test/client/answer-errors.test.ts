import {assert, test, type TestContext} from '../helpers/node.ts';
import type {ErrorKind, SwitchboardError} from '../../source/interface/errors.ts';
import {type Answer, htmlAnswer, jsonAnswer} from '../helpers/answers.ts';
import {clientOf, failureOf, fieldsOf, installedOf, paths, startOdd, told} from './clients.ts';

/** What reading a list fails with where that is answered so. */
const readingFailure = async (t: TestContext, answer: Answer): Promise<SwitchboardError> =>
	failureOf(clientOf(await startOdd(t, {[paths.installed]: answer})).list('installed'));

const kinds: ReadonlyArray<readonly [status: number, kind: ErrorKind, exitCode: number, words: RegExp]> = [
	[400, 'refused', 2, /refused the request \(HTTP 400\)\. Correct/],
	[401, 'key-refused', 3, /refused the API key \(HTTP 401\)\. .*Settings, API Keys/],
	[403, 'forbidden', 3, /does not allow this with your key \(HTTP 403\)\. .*account/],
	[404, 'not-found', 4, /has no such path \(HTTP 404\)\. Check the address/],
	[405, 'not-found', 4, /does not support this \(HTTP 405\)\. Check the address/],
	[408, 'timeout', 5, /took too long \(HTTP 408\)\. Try again/],
	[409, 'conflict', 2, /reports a conflict \(HTTP 409\)\. Look at what is there/],
	[410, 'not-found', 4, /HTTP 410/],
	[413, 'too-large', 2, /Too large for the service \(HTTP 413\)\. Make it smaller/],
	[415, 'refused', 2, /HTTP 415/],
	[418, 'refused', 2, /HTTP 418/],
	[422, 'refused', 2, /refused the request \(HTTP 422\)\. Correct/],
	[429, 'rate-limited', 5, /Rate limit exceeded \(HTTP 429\)\. Try again in a minute/],
	[500, 'server-error', 5, /failed \(HTTP 500\)\. Try again in a moment/],
	[501, 'server-error', 5, /does not support this \(HTTP 501\)\. Check the address/],
	[502, 'server-error', 5, /failed \(HTTP 502\)\. Try again in a moment/],
	[503, 'server-error', 5, /failed \(HTTP 503\)\. Try again in a moment/],
	[504, 'server-error', 5, /failed \(HTTP 504\)\. Try again in a moment/],
	[599, 'server-error', 5, /HTTP 599/],
	[300, 'unintelligible', 5, /unexpected answer \(HTTP 300\)\. Check the address/],
];

test('each status is reported as its kind, with a sentence and a next step; an HTML page is not quoted', async (t: TestContext) => {
	for (const [status, kind, exitCode, words] of kinds) {
		for (const answer of [{status}, htmlAnswer('<!DOCTYPE html><title>Oops</title><script>x()</script>', status)]) {
			const error = await readingFailure(t, answer);
			assert.deepEqual([error.kind, error.status, error.exitCode, error.isOutcomeUnknown], [kind, status, exitCode, false]);
			assert.match(told(error), words);
			assert.match(error.message, /\.$/);
		}
	}
});

const complaints: ReadonlyArray<readonly [body: unknown, message: string, field?: string]> = [
	[{detail: 'No room'}, 'No room.'],
	[{detail: 'No room!'}, 'No room!'],
	[{error: {code: 'no_room', message: 'No room.'}}, 'No room.'],
	[{error: {code: 'bad_name', message: 'No such name', field: 'name'}}, 'No such name.', 'name'],
	[{error: 'No room'}, 'No room.'],
	[{message: 'No room'}, 'No room.'],
	[{msg: 'No room', code: 17}, 'No room.'],
	[{type: 'about:blank', title: 'No room', status: 400}, 'No room.'],
	[{type: 'about:blank', title: 'Bad Request', status: 400, detail: 'No room'}, 'No room.'],
	[{detail: 'enabled: a boolean is required', field: 'enabled'}, 'enabled: a boolean is required.', 'enabled'],
	[{name: ['This field is required.']}, 'This field is required.', 'name'],
	[{name: 'This field is required.'}, 'This field is required.', 'name'],
	[{detail: {name: ['This field is required.']}}, 'This field is required.', 'name'],
	[{errors: {name: ['This field is required.']}}, 'This field is required.', 'name'],
	[{errors: [{field: 'name', message: 'Too long'}]}, 'Too long.', 'name'],
	[{non_field_errors: ['No room']}, 'No room.'],
	[{detail: [{loc: ['body', 'enabled'], msg: 'field required', type: 'value_error.missing'}]}, 'field required.', 'enabled'],
	[{detail: [{loc: ['body', 0], msg: 'field required'}]}, 'field required.'],
	[{detail: ['One thing', 'and another']}, 'One thing; and another.'],
	[{status: 'error', reason: 'No room'}, ''],
	[{detail: ''}, ''],
	[{detail: null, error: null}, ''],
	[{detail: [[], {}, null]}, ''],
	[{error: {code: 'no_room'}}, 'no_room.'],
	[[], ''],
	['No room', ''],
	[null, ''],
];

test("a refusal is reported in the service's own words, with the field that it is about; without any, by its status", async (t: TestContext) => {
	for (const [body, words, field] of complaints) {
		const error = await readingFailure(t, jsonAnswer(body, 400));
		assert.equal(
			error.message,
			words === '' ? 'The service refused the request (HTTP 400).' : `The service refused the request: ${words}`,
			JSON.stringify(body),
		);
		assert.equal(error.field, field, JSON.stringify(body));
	}
});

test('507 is a full disk of the service, or with the code quota a full account', async (t: TestContext) => {
	const bodies = [
		{detail: 'Its disk is full, so nothing was changed.', code: 'no-room'},
		{detail: 'Insufficient storage'},
		{error: {code: 'quota', message: 'The plan has 1 GB.'}},
	];
	const errors = await Promise.all(bodies.map(async body => readingFailure(t, jsonAnswer(body, 507))));
	assert.deepEqual(fieldsOf(errors, 'kind', 'exitCode', 'message', 'nextStep', 'isOutcomeUnknown'), [
		[
			'no-room',
			5,
			'The service has no room left: Its disk is full, so nothing was changed.',
			'Try again when its operator has made room.',
			false,
		],
		['no-room', 5, 'The service has no room left: Insufficient storage.', 'Try again when its operator has made room.', false],
		[
			'quota',
			2,
			'Your account has used up its space on the service: The plan has 1 GB.',
			'Delete abilities that you no longer need, then try again.',
			false,
		],
	]);
});

test('403 with the code read-only is reported as read-only, any other 403 as forbidden', async (t: TestContext) => {
	const bodies = [
		{detail: 'Nothing can be changed here.', code: 'read-only'},
		{error: {code: 'read-only', message: 'Nothing can be changed here.'}},
		{detail: 'No.', code: 'plan'},
		'read-only',
	];
	const errors = await Promise.all(bodies.map(async body => readingFailure(t, jsonAnswer(body, 403))));
	assert.deepEqual(fieldsOf(errors, 'kind', 'exitCode'), [
		['read-only', 2],
		['read-only', 2],
		['forbidden', 3],
		['forbidden', 3],
	]);
	assert.deepEqual(
		[errors[0]!.message, errors[0]!.nextStep],
		['The service is read-only: Nothing can be changed here.', 'Make the change on another service, or ask its administrator.'],
	);
	assert.equal((await readingFailure(t, jsonAnswer({detail: 'No.', code: 'read-only'}, 400))).kind, 'refused');
});

test('a short plain-text error is quoted, a long one or a page is not', async (t: TestContext) => {
	const answers = ['Unauthorized\n', 'x'.repeat(501), '<html>Unauthorized</html>', ''].map(body => ({
		status: 401,
		headers: {'content-type': 'text/plain; charset=utf-8'},
		body,
	}));
	const errors = await Promise.all(answers.map(async answer => readingFailure(t, answer)));
	assert.deepEqual(fieldsOf(errors, 'message'), [
		'The service refused the API key. Unauthorized.',
		'The service refused the API key (HTTP 401).',
		'The service refused the API key (HTTP 401).',
		'The service refused the API key (HTTP 401).',
	]);
});

test('messages from the service are cleaned for the terminal and cut off', async (t: TestContext) => {
	const hostile =
		'\u{1B}]52;c;aGk=\u{7}\u{1B}[2J\u{9B}31mNo\r\nroom\u{202E}\u{200B}\u{8} \u{1B}]8;;https://evil.example\u{1B}\\here' +
		' and so on'.repeat(500);
	const errors = await Promise.all(
		[
			jsonAnswer({detail: hostile}, 400),
			jsonAnswer({error: {message: hostile}}, 500),
			jsonAnswer({'na\u{1B}[31mme\n': [hostile]}, 400),
			{status: 403, headers: {'content-type': 'text/plain'}, body: hostile.slice(0, 200)},
			jsonAnswer({detail: 'x'}, 401),
		].map(async answer => readingFailure(t, answer)),
	);
	assert.doesNotMatch(errors.map(error => told(error) + String(error.field)).join(''), /[\u{0}-\u{1F}\u{7F}-\u{9F}\u{200B}\u{202E}]|evil/u);
	assert.ok(errors.every(({message}) => message.length < 400));
	assert.match(errors[0]!.message, /: No room here and so on/);
	assert.equal(errors[2]!.field, 'name');
});

test('how long a service asks to be left alone is known, whatever the status', async (t: TestContext) => {
	for (const status of [429, 500, 503]) {
		assert.equal((await readingFailure(t, {status, headers: {'retry-after': '30'}})).retryAfterMilliseconds, 30_000);
	}

	assert.equal((await readingFailure(t, {status: 503})).retryAfterMilliseconds, undefined);
});

test('429 with a past date or an invalid value does not show it', async (t: TestContext) => {
	const headers = ['Wed, 21 Oct 2015 07:28:00 GMT', 'soon', '-5', '9'.repeat(400), ''];
	const errors = await Promise.all(headers.map(async retryAfter => readingFailure(t, {status: 429, headers: {'retry-after': retryAfter}})));
	assert.deepEqual(fieldsOf(errors, 'nextStep'), ['Try again.', ...Array.from({length: 4}, () => 'Try again in a minute.')]);
});

const nothingChanged = 'nothing-changed';

const bodies503 = [
	[{detail: 'Away, so nothing was changed.', code: nothingChanged}, false],
	[{error: {code: nothingChanged, message: 'Away.'}}, false],
	[{detail: 'Away, so nothing was changed.'}, true],
	[{detail: 'Away.', code: 'unavailable'}, true],
	[nothingChanged, true],
	[[{code: nothingChanged}], true],
] as const;

test('the outcome of a toggle is unknown after a gateway answered, unless the body says that nothing was changed', async (t: TestContext) => {
	const answers: ReadonlyArray<readonly [answer: Answer, isOutcomeUnknown: boolean]> = [
		...bodies503.map(([body, isOutcomeUnknown]) => [jsonAnswer(body, 503), isOutcomeUnknown] as const),
		...(
			[
				[400, false],
				[429, false],
				[500, false],
				[502, true],
				[503, true],
				[504, true],
			] as const
		).map(([status, isOutcomeUnknown]) => [{status}, isOutcomeUnknown] as const),
	];
	const service = await startOdd(t, {[paths.installed]: jsonAnswer([{id: 1, enabled: false}])});
	const client = clientOf(service);
	const record = await installedOf(client, 1);
	for (const [answer, isOutcomeUnknown] of answers) {
		service.program(paths.editInstalled(1), answer);
		assert.equal(
			(await failureOf(client.editInstalled(record, {enabled: true}))).isOutcomeUnknown,
			isOutcomeUnknown,
			JSON.stringify(answer),
		);
	}
});
