import {after, assert, test, type TestContext} from '../helpers/node.ts';
import {openTalk, streamPath} from '../helpers/talk.ts';
import {parseJson, type RunningCommand, shareServedHome, startInProcess, startLiveLike, startLiveLikeService} from './kit.ts';

const served = await shareServedHome({after});

const isListening = (command: RunningCommand): boolean => command.errors().includes('Listening. Press Ctrl+C to stop.\n');

test('logs prints what others say and what is logged, says nothing itself, and Ctrl+C ends it with exit 0', async () => {
	const {stdout} = await served.run(['keys', 'create', '--name', 'listener', '--read-only']);
	const env = {...served.env, SWITCHBOARD_API_KEY: stdout.trim()};
	await using logs = startInProcess(['logs', 'Hearth', '--read-only'], env);
	await using json = startInProcess(['logs', 'Hearth', '--json'], env);
	await logs.waitFor(isListening);
	await json.waitFor(isListening);
	await using other = await openTalk(served.baseAddress, streamPath(served.apiKey));
	other.say('good morning');
	await logs.waitFor(command => command.lines().some(line => line.includes('This would start')));
	assert.deepEqual(
		logs
			.lines()
			.map(line => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\t/, ''))
			.filter(line => !line.endsWith('This is Hearth.')),
		[
			'turn\tuser\tgood morning',
			'log\tinfo\t“good morning” would start morninglights.',
			'turn\tassistant\tThis would start morninglights (skill). Abilities are not run here.',
		],
	);
	await json.waitFor(command => command.lines().some(line => line.includes('This would start')));
	const {at, ...line} = parseJson(json.lines().find(each => each.includes('“good morning”'))!) as Readonly<Record<string, unknown>>;
	assert.ok(Date.parse(String(at)) > 0);
	assert.deepEqual(line, {kind: 'log', level: 'info', text: '“good morning” would start morninglights.'});
	logs.kill('SIGINT');
	assert.equal(await logs.exited, 0);
	json.kill('SIGTERM');
	assert.equal(await json.exited, 143);
});

test('--level leaves out log lines that are less severe, but none of an unknown level', async (t: TestContext) => {
	const place = await startLiveLike(t, {
		conversation: {
			behave(talk) {
				for (const [level, text] of [
					['debug', 'a'],
					['INFO', 'b'],
					['Warn', 'c'],
					['error', 'd'],
					['loud', 'e'],
				]) {
					talk.send({type: 'log', data: {l: level, m: text}});
				}

				talk.send({type: 'progress', data: {done: 50}});
			},
		},
	});
	await using logs = startInProcess(['logs', '--level', 'warning'], place.env);
	await logs.waitFor(command => command.lines().length === 4);
	assert.deepEqual(
		logs.lines().map(line => line.split('\t').slice(1)),
		[
			['log', 'Warn', 'c'],
			['log', 'error', 'd'],
			['log', 'loud', 'e'],
			['progress', '', '{"done":50}'],
		],
	);
});

test('--calls prints the logs of calls from the last entries on', async () => {
	await served.run(['say', 'good night', '--agent', 'Hearth']);
	await using logs = startInProcess(['logs', '--calls'], served.env);
	await logs.waitFor(command => command.lines().some(line => line.endsWith('call\tuser\tgood night')));
	await served.run(['say', 'hello there', '--agent', 'Desk']);
	await logs.waitFor(command => command.lines().some(line => line.endsWith('call\tuser\thello there')));
});

test('logs survives a service that goes away, and says so once', async (t: TestContext) => {
	const place = await startLiveLike(t);
	await using logs = startInProcess(['logs', 'Hearth'], place.env);
	const greetings = (command: RunningCommand): number => command.lines().filter(line => line.endsWith('Hello, this is Hearth')).length;
	await logs.waitFor(command => greetings(command) === 1);
	const port = Number(new URL(place.service.baseAddress).port);
	await place.service.close();
	await logs.waitFor(command => command.errors().includes('Trying again until it works.\n'));
	const back = await startLiveLikeService({port});
	t.after(async () => back.close());
	await logs.waitFor(command => greetings(command) === 2);
	assert.match(logs.errors(), /^Listening\. .*\n.* Trying again until it works\.\nConnected again\.\n$/);
});

test('an agent that is gone ends logs with its error', async (t: TestContext) => {
	const place = await startLiveLike(t, {
		conversation: {
			behave(talk) {
				talk.socket.close(1008, 'The agent was deleted.');
			},
		},
	});
	await using logs = startInProcess(['logs', 'Hearth'], place.env);
	assert.equal(await logs.exited, 3);
	assert.match(logs.errors(), /The agent was deleted/);
});
