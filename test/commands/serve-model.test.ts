import assert from 'node:assert/strict';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {answerParts, startModelServer} from '../helpers/model-server.ts';
import {runCommand} from '../helpers/run-in-process.ts';
import {openTalk, streamPath} from '../helpers/talk.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {startCommand} from './running-command.ts';
import {lastError} from './served-home.ts';

const modelKey = 'sk-whisper-4711-abcdefgh';

test('serve --model-url says where phrases go, and neither it nor a log or file has the key for the model', async () => {
	await using model = await startModelServer(answerParts('Tea.'));
	const home = createIsolatedHome();
	const env = {...home.env, SWITCHBOARD_MODEL_KEY: ` ${modelKey}\n`};
	const key = (await runCommand(['keys', 'create'], {env})).stdout.trim();
	await using serving = startCommand(['serve', '--port', '0', '--sample', '--log', 'json', '--model-url', `${model.baseAddress}/v1/`, '--model', 'tiny', '--model-per-minute', '2'], env);
	await serving.waitFor(({errors}) => errors().includes('phrases that start nothing'));
	assert.ok(serving.errors().includes(`phrases that start nothing go to the model at ${model.baseAddress}/v1`));
	await using stream = await openTalk(serving.lines()[0]!.replace('listening on ', ''), streamPath(key));
	stream.say('what shall I drink');
	await waitUntil(() => stream.frames.some(({data}) => data['content'] === 'Tea.' && data['final'] === true));
	assert.equal(model.requests[0]!.headers.authorization, `Bearer ${modelKey}`);
	model.respond = response => response.writeHead(401).end(modelKey);
	stream.say('and now');
	await waitUntil(() => stream.frames.some(({type}) => type === 'error-event'));
	stream.say('and again');
	await waitUntil(() => JSON.stringify(stream.frames).includes('The model answers 2 phrases a minute'));
	serving.kill('SIGTERM');
	assert.equal(await serving.exited, 0);
	assert.match(serving.errors(), /"path":"\/websocket\/voice-stream\/:api_key\/:agent_id","status":101/);
	assert.match(serving.errors(), /did not accept the key of this service/);
	const files = readdirSync(home.folder, {recursive: true, encoding: 'utf8'}).map(file => path.join(home.folder, file)).filter(file => statSync(file).isFile());
	assert.ok(files.some(file => file.endsWith('service.log')));
	for (const text of [serving.errors(), serving.lines().join('\n'), JSON.stringify(stream.frames), ...files.map(file => readFileSync(file, 'latin1'))]) {
		assert.ok(!text.includes(modelKey));
		assert.ok(!text.includes(key));
	}
});

test('serve refuses an address of a model that is none, that others could listen to, or that holds a password, without showing that', async () => {
	const {env} = createIsolatedHome();
	for (const [words, kind, pattern, variable = modelKey] of [
		[['--model-url', 'http://192.0.2.7:8080'], 'insecure', /^http:\/\/192\.0\.2\.7:8080 is plain http to another machine: what is said could be read in transit\./],
		[['--model-url', 'https://me:wh1sper@example.org'], 'usage', /must not contain a user name or password/],
		[['--model-url', 'me:wh1sper@example.org'], 'usage', /is not the address/],
		[['--model-url', 'ftp://example.org'], 'usage', /is not the address/],
		[['--model-url', 'https://example.org/?key=wh1sper'], 'usage', /must not contain “\?”/],
		[['--model', 'tiny'], 'usage', /^--model needs the address of a model/],
		[['--model-per-minute', '3'], 'usage', /^--model-per-minute needs/],
		[['--model-url', 'https://example.org', '--model-per-minute', '0'], 'usage', /--model-per-minute/],
		[['--model-url', 'https://example.org', '--model', ' '], 'usage', /--model/],
		[['--model-url', 'https://example.org'], 'usage', /SWITCHBOARD_MODEL_KEY holds no key/, 'wh1sper\nX: 1'],
		[['--model-url', 'https://example.org'], 'usage', /SWITCHBOARD_MODEL_KEY holds no key/, 'wh1spér'],
	] as const) {
		const ended = await runCommand(['serve', '--port', '0', '--json', ...words], {env: {...env, SWITCHBOARD_MODEL_KEY: variable}});
		const {message, kind: given} = lastError(ended);
		assert.deepEqual([ended.exitCode, given], [2, kind], words.join(' '));
		assert.match(message, pattern);
		for (const secret of ['wh1sp', modelKey]) {
			assert.ok(!`${ended.stdout}${ended.stderr}`.includes(secret), words.join(' '));
		}
	}
});
