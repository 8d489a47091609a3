import {assert, Buffer, path, process, spawn, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {buffer} from 'node:stream/consumers';
import {htmlAnswer, jsonAnswer} from '../helpers/answers.ts';
import {endlessAnswer, redirectAnswer} from '../helpers/odd-answers.ts';
import {startOddService, type OddAnswer} from '../helpers/odd-service.ts';
import {createIsolatedHome, ended, json, jsonError, lastError, runOnTerminal, programFile, runCommand} from './kit.ts';

const installed = '/api/capabilities/get-installed-capabilities/';

const editAgent = '/api/personalities/edit-personality/';

async function start(t: TestContext, answer: OddAnswer = jsonAnswer([])) {
	const service = await startOddService({'*': answer});
	t.after(async () => service.close());
	const home = createIsolatedHome();
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey};
	return {
		service,
		home,
		env,
		run: async (...words: readonly string[]) => runCommand(['api', ...words], {env, cwd: home.folder}),
		runWith: async (stdin: string, ...words: readonly string[]) => runCommand(['api', ...words], {env, stdin}),
		/** `METHOD path?query`, the key in the header and the body of each request. */
		asked: () =>
			service.requests.map(({method, path: where, query, headers, body}) => [
				`${method} ${where}${query && `?${query}`}`,
				headers['x-api-key'],
				body,
			]),
		onTerminal: async (words: readonly string[], typed?: string) => runOnTerminal(['api', ...words], {env, typed}),
	};
}

test('a read prints the body to the byte, and sends the key in the header', async (t: TestContext) => {
	const body = '{ "id":12345678901234567890,"name" : "caf\u{E9}\u{1B}[31m" }';
	const {run, asked, service} = await start(t, {headers: {'content-type': 'application/json'}, body});
	assert.deepEqual(await run('get', `${installed}?page=2&x=%20`), ended(0, body));
	assert.deepEqual(await run('GET', installed.slice(1)), ended(0, body));
	assert.deepEqual(asked(), [
		[`GET ${installed}?page=2&x=%20`, service.apiKey, ''],
		[`GET ${installed}`, service.apiKey, ''],
	]);
});

test('bytes that are no text arrive in a pipe as they are', async (t: TestContext) => {
	const bytes = Buffer.from([0x50, 0x4b, 0, 0xff, 0xfe, 0x80, 10, 13, 0xc3]);
	const {env, onTerminal, run} = await start(t, {headers: {'content-type': 'application/zip'}, body: bytes});
	const child = spawn(process.execPath, [programFile, 'api', 'GET', '/api/capabilities/get/template-file/8/'], {
		env,
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	assert.deepEqual(await buffer(child.stdout), bytes);
	const note = 'The answer is not text (9 bytes). Write it to a file with “> FILE”, without --json.';
	assert.deepEqual(await onTerminal(['GET', '/x']), [0, note]);
	assert.deepEqual(await run('GET', '/x', '--json'), ended(0, 'null\n', `${note}\n`));
});

test('on a terminal JSON is indented and escaped, and other text cleaned', async (t: TestContext) => {
	const {onTerminal, service} = await start(t, jsonAnswer({name: 'lamp\u{1B}[31m\u{202E}', on: true}));
	assert.deepEqual(await onTerminal(['GET', '/x']), [0, '{', String.raw`  "name": "lamp\u001b[31m\u202e",`, '  "on": true', '}']);
	service.program('*', {body: 'two\u{1B}]0;title\u{7} lines\nand \u{9B}31mred'});
	assert.deepEqual(await onTerminal(['GET', '/x']), [0, 'two lines', 'and red']);
});

test('--json prints one value for any answer', async (t: TestContext) => {
	const {run, service} = await start(t);
	for (const [body, value] of [
		['[1,  2]', [1, 2]],
		['null', null],
		['', null],
		['plain "text"', 'plain "text"'],
	] as const) {
		service.program('*', {body});
		assert.deepEqual(await run('GET', '/x', '--json'), ended(0, json(value)));
	}
});

const refusedPaths: ReadonlyArray<readonly [reason: RegExp, paths: readonly string[]]> = [
	[/is empty/, ['', '?page=2']],
	[/address of a service, or two slashes/, ['https://evil.example/x', 'http:evil', 'file:///etc/passwd', '//evil.example/x', '/api//x']],
	[/must be encoded/, ['/a b', '/a\n', '/a#b', '/x?a#b', String.raw`/\evil.example`, '/caf\u{E9}', '/a\u{202E}', '/a%', '/%zz']],
	[
		/“\.\.” as a part, or an encoded slash/,
		[
			'/..',
			'/api/../../x',
			'./x',
			'/api/%2e%2E/x',
			'/api/.%2e/x',
			'/api/%252e%252e/x',
			'/api/..;/x',
			'/api/..%2fx',
			'/api%2Fx',
			'/api/%5c..',
			'/api/%00',
			'/api/%0d%0aX:y',
		],
	],
];

test('a path that may lead elsewhere is refused, and nothing is sent', async (t: TestContext) => {
	const {run, service, asked} = await start(t);
	for (const [reason, paths] of refusedPaths) {
		for (const refused of paths) {
			const {exitCode, stdout, stderr} = await run('GET', refused);
			assert.deepEqual([exitCode, stdout], [2, ''], refused);
			assert.match(stderr, reason, refused);
			assert.doesNotMatch(stderr, /evil|passwd/);
		}
	}

	assert.deepEqual(service.requests, []);
	// A user and a host in a path are only a part of it.
	assert.equal((await run('GET', '@evil.example/x?next=//y/..')).exitCode, 0);
	assert.deepEqual(
		asked().map(([line]) => line),
		['GET /@evil.example/x?next=//y/..'],
	);
});

test('below a base address with a path the same is sent beneath it', async (t: TestContext) => {
	const {env, service} = await start(t);
	const {exitCode} = await runCommand(['api', 'GET', '/api/x', '--base-url', `${service.baseAddress}/voice`], {env});
	assert.deepEqual([exitCode, service.requests[0]!.path], [0, '/voice/api/x']);
});

/** Requests that count as changes. */
const changes: ReadonlyArray<readonly [method: string, path: string]> = [
	['PUT', editAgent],
	['DELETE', '/api/capabilities/delete-capability/8'],
	// Installing is a GET.
	['GET', '/api/capabilities/install-capability/8/'],
	['GET', '/API/Capabilities/install-capability/8'],
	['GET', '/api/capabilities/%69nstall%2dcapability/8/?x=1'],
	['GET', '/api/capabilities;v=1/install-capability/8/'],
	// Known as a change by another method.
	['GET', '/api/capabilities/delete-capability/8/'],
	['post', '/api/unknown'],
	['PUT', installed],
	['PATCH', installed],
	['DELETE', installed],
	['POST', '/api/sdk/unknown'],
];

test('what changes something, or is not known to read, is refused with --read-only and without --yes', async (t: TestContext) => {
	const {run, runWith, service} = await start(t);
	for (const [method, where] of changes) {
		const readOnly = await run(method, where, '--yes', '--read-only', '--json');
		assert.deepEqual([readOnly.exitCode, lastError(readOnly).kind, readOnly.stdout], [2, 'read-only', ''], where);
		assert.deepEqual(await run(method, where), ended(2, '', 'This needs a yes, and there is no terminal to ask on.\nAdd --yes.\n'));
	}

	assert.match((await runWith('{}', 'PUT', editAgent, '--input', '-')).stderr, /^This needs a yes, and standard input has the body\.\n/);
	assert.deepEqual(service.requests, []);
	for (const [method, where] of changes) {
		assert.equal((await run(method, where, '--yes')).exitCode, 0);
	}

	assert.deepEqual(
		service.requests.map(({method}) => method),
		changes.map(([method]) => method.toUpperCase()),
	);
});

test('what is known to read needs no --yes, whatever its method', async (t: TestContext) => {
	const {run, service} = await start(t);
	for (const [method, where] of [
		['GET', '/api/unknown'],
		['GET', '/api/capabilities/get-capability/8'],
		['POST', '/api/sdk/verify_apikey'],
		['POST', '/api/sdk/get_personalities/'],
	] as const) {
		assert.equal((await run(method, where, '--read-only')).exitCode, 0);
	}

	assert.equal(service.requests.length, 4);
});

test('--dry-run says which change would be sent', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(
		await run('PUT', editAgent, '--dry-run'),
		ended(0, `Would send PUT ${editAgent} to ${service.baseAddress}.\n`, 'Nothing was changed: this was a dry run.\n'),
	);
	assert.deepEqual((await run('PUT', editAgent, '--dry-run', '--json')).stdout, json({method: 'PUT', path: editAgent, sent: false}));
	assert.deepEqual(service.requests, []);
	assert.equal((await run('GET', installed, '--dry-run')).stdout, '[]');
});

test('on a terminal it is asked about what may be a change, too', async (t: TestContext) => {
	const {onTerminal, service} = await start(t, jsonAnswer({}));
	assert.deepEqual(await onTerminal(['DELETE', '/x'], 'n\r'), [
		2,
		`Send DELETE /x to ${service.baseAddress}? Switchboard does not know this request: it may change something. [y/N] n`,
		'Nothing was sent.',
	]);
	assert.deepEqual(service.requests, []);
});

test('--input sends the bytes of a file or of standard input as JSON', async (t: TestContext) => {
	const {run, runWith, asked, service, home} = await start(t);
	const body = '{ "id": 12345678901234567890,\n"name":"caf\u{E9}" }\n';
	writeFileSync(path.join(home.folder, 'body.json'), body);
	await run('PUT', editAgent, '--input', 'body.json', '--yes');
	await runWith(body, 'POST', '/api/unknown', '--input', '-', '-y');
	assert.deepEqual(asked(), [
		[`PUT ${editAgent}`, service.apiKey, body],
		['POST /api/unknown', service.apiKey, body],
	]);
	assert.deepEqual(
		service.requests.map(({headers}) => headers['content-type']),
		['application/json', 'application/json'],
	);
});

test('below /api/sdk/ the key goes into the body, and neither into a header nor into what is printed', async (t: TestContext) => {
	const {run, runWith, service, asked} = await start(t, ({body}) => ({body}));
	const key = service.apiKey;
	const printed = await run('POST', '/api/sdk/get_personalities', '--debug');
	assert.equal(printed.stdout, '{"api_key":"[API key removed]"}');
	const {stdout, stderr} = await runWith('{"with_image": true}', 'POST', 'api/sdk/other', '--input', '-', '--yes', '--json');
	assert.deepEqual([stdout, stderr], [json({with_image: true, api_key: '[API key removed]'}), '']);
	assert.deepEqual(asked(), [
		['POST /api/sdk/get_personalities', undefined, JSON.stringify({api_key: key})],
		['POST /api/sdk/other', undefined, JSON.stringify({with_image: true, api_key: key})],
	]);
});

test('a body that cannot be sent is refused before anything is', async (t: TestContext) => {
	const {run, runWith, service} = await start(t);
	const cases: ReadonlyArray<readonly [stdin: string, words: readonly string[], message: RegExp]> = [
		['{"secret": "hunter2"', ['PUT', editAgent], /^Standard input is not JSON\. Nothing was sent\.\n/],
		[`${'['.repeat(200)}${']'.repeat(200)}`, ['PUT', editAgent], /is not JSON/],
		['', ['PUT', editAgent], /^Standard input is empty\. Nothing was done\.\nFor an empty text, use: the command without --input\n/],
		[`"${'x'.repeat(2 ** 20)}"`, ['PUT', editAgent], /larger than 1 MB/],
		['[]', ['POST', '/api/sdk/get_personalities'], /not a JSON object without “api_key”/],
		['{"api_key": "other"}', ['POST', '/api/sdk/get_personalities'], /not a JSON object without “api_key”/],
		['{}', ['GET', installed], /^A GET request has no body\.\n/],
	];
	for (const [stdin, words, message] of cases) {
		const {exitCode, stderr} = await runWith(stdin, ...words, '--input', '-', '--yes');
		assert.equal(exitCode, 2, stderr);
		assert.match(stderr, message);
		assert.doesNotMatch(stderr, /hunter2/);
	}

	assert.match((await run('PUT', editAgent, '--input', 'nowhere.json', '--yes')).stderr, /“nowhere\.json” .*Nothing was done\./);
	assert.deepEqual(service.requests, []);
});

const failures: ReadonlyArray<readonly [status: number, exitCode: number, kind: string]> = [
	[400, 2, 'refused'],
	[401, 3, 'key-refused'],
	[403, 3, 'forbidden'],
	[404, 4, 'not-found'],
	[409, 2, 'conflict'],
	[413, 2, 'too-large'],
	[422, 2, 'refused'],
	[429, 5, 'rate-limited'],
	[500, 5, 'server-error'],
	[503, 5, 'server-error'],
];

test('the body of a refusal is printed too, and the exit code is that of its kind', async (t: TestContext) => {
	const {run, service} = await start(t);
	for (const [status, exitCode, kind] of failures) {
		service.program('*', jsonAnswer({detail: `No ${status}`}, status));
		const result = await run('DELETE', '/api/unknown', '--yes', '--json');
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [exitCode, json({detail: `No ${status}`}), kind]);
	}

	// A change is sent once.
	assert.equal(service.requests.length, failures.length);
	service.program('*', htmlAnswer('<p>Gone</p>', 404));
	assert.deepEqual(
		await run('GET', '/x'),
		ended(4, '<p>Gone</p>', 'The service has no such path (HTTP 404).\nCheck the address of the service.\n'),
	);
});

test('a change that got no answer is not sent again, and the error says that it may have been carried out', async (t: TestContext) => {
	const {run, service} = await start(t, {cut: 'connection'});
	const lost =
		'could not be reached: connection lost. The request was sent, and may have been carried out.\nLook at what the service has before you send it again.\n';
	assert.deepEqual(await run('POST', '/api/unknown', '--yes'), ended(5, '', `${service.baseAddress} ${lost}`));
	service.program('*', {isHanging: true});
	const slow = await run('PUT', editAgent, '--yes', '--timeout', '1', '--json');
	assert.deepEqual([slow.exitCode, lastError(slow).kind], [5, 'timeout']);
	assert.match(lastError(slow).message, /did not answer in time\. The request was sent, and may have been carried out\./);
	assert.equal(service.requests.length, 2);
});

test('a redirect is not followed, and named', async (t: TestContext) => {
	const other = await startOddService({'*': jsonAnswer([])});
	t.after(async () => other.close());
	const {run, service} = await start(t, redirectAnswer(`${other.baseAddress}/x`, 307));
	for (const words of [
		['GET', installed],
		['POST', '/x', '--yes'],
	]) {
		const {exitCode, stderr} = await run(...words);
		assert.equal(exitCode, 5);
		assert.ok(
			stderr.startsWith(
				`${service.baseAddress} redirects to ${other.baseAddress}, which is not followed: the key is sent to no other address.\n`,
			),
			stderr,
		);
	}

	assert.deepEqual([service.requests.length, other.requests.length], [2, 0]);
});

test('a key that the service repeats is in no output', async (t: TestContext) => {
	const {run, service, onTerminal} = await start(t);
	const key = service.apiKey;
	for (const status of [200, 403]) {
		for (const body of [`key ${key}`, `{"detail": "${key}"}`, String.raw`{"detail": "\u006f${key.slice(1)}"}`, `\u{FF}\0${key}`]) {
			service.program('*', {status, body, headers: {'content-type': 'text/plain'}});
			for (const words of [[], ['--json']]) {
				const {stdout, stderr} = await run('GET', '/x', ...words);
				assert.ok(!(stdout + stderr).includes(key.slice(1)), stdout + stderr);
			}
		}
	}

	service.program('*', {body: `a ${key.slice(0, 5)}\u{200B}${key.slice(5)}`});
	assert.deepEqual(await onTerminal(['GET', '/x']), [0, 'a [API key removed]']);
});

test('an answer that is too large is given up', async (t: TestContext) => {
	const {run, service} = await start(t, endlessAnswer());
	assert.deepEqual(
		await run('GET', '/x', '--json'),
		ended(5, '', jsonError('unintelligible', `${service.baseAddress} sent more than 64 MB. Check the address of the service.`)),
	);
});

test('words that are no request are refused with how it is written', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(await run('FETCH', '/x'), ended(2, '', 'Invalid value “FETCH” for the method.\nUse GET, POST, PUT, PATCH or DELETE.\n'));
	assert.match((await run('GET')).stderr, /^“switchboard api” needs a path on the service\.\nExample: switchboard api GET \//);
	assert.match((await run()).stderr, /^“switchboard api” needs a method: GET, POST, PUT, PATCH or DELETE/);
	assert.deepEqual(service.requests, []);
});
