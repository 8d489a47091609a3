import {assert, test, type TestContext} from '../helpers/node.ts';
import {createRun, ended, installedRecord, isWrite, json, jsonError, notFound, startDocumentedService, startLiveLike} from './kit.ts';

const start = async (t: TestContext) =>
	startLiveLike(t, {
		home: {
			installed: [
				installedRecord(100, 'Lamp', true),
				{id: 101, name: 'Radio', enabled: true},
				{...installedRecord(102, 'Desk', false), trigger_words: 'open the desk,desk'},
			],
		},
	});

test('installed edit sends the other fields of the record too', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(
		await run(['installed', 'edit', 'lamp', '--triggers', 'light up, it is dark']),
		ended(0, '100\tLamp\tlight up, it is dark\tchanged\n'),
	);
	assert.deepEqual(JSON.parse(service.requests.find(isWrite)!.body), {
		name: 'Lamp',
		category: 'skill',
		enabled: true,
		trigger_words: ['light up', 'it is dark'],
	});
	assert.deepEqual(
		await run(['installed', 'edit', '100', '--no-triggers', '--json']),
		ended(0, json([{installed_cap_id: 100, name: 'Lamp', trigger_words: [], changed: true}])),
	);
});

test('the same phrases are not sent, and phrases that the service has are not checked again', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(await run(['installed', 'edit', 'Lamp', '--triggers', 'open sesame']), ended(0, '100\tLamp\topen sesame\tunchanged\n'));
	assert.deepEqual(service.requests.filter(isWrite), []);
	service.installed[0] = {...installedRecord(100, 'Lamp', true), trigger_words: ['what’s on']};
	assert.deepEqual(
		await run(['installed', 'edit', 'Lamp', '--triggers', 'what’s on,what’s off']),
		ended(0, "100\tLamp\twhat’s on, what's off\tchanged\n", "The trigger phrase is sent as “what's off”, with ' for ’.\n"),
	);
	service.installed[0] = {...installedRecord(100, 'Lamp', true), trigger_words: ['on']};
	assert.deepEqual(await run(['installed', 'edit', 'Lamp', '--triggers', 'on,light up']), ended(0, '100\tLamp\ton, light up\tchanged\n'));
});

const many = Array.from({length: 101}, (_, index) => `phrase ${index}`).join(',');

const wrong: ReadonlyArray<readonly [words: readonly string[], sentence: string]> = [
	[
		['Lamp', '--triggers', 'light up,abc'],
		'The trigger phrase “abc” must have at least four letters.\nWrite it in plain words, as it is spoken.\n',
	],
	[['Lamp', '--triggers', many], 'There are 101 trigger phrases; an ability may have at most 100.\nKeep those that people say.\n'],
	[['Lamp'], 'Nothing to change.\nUse --triggers or --no-triggers.\n'],
	[['Lamp', '--triggers', ' ,'], 'The list after --triggers is empty.\nTo remove all trigger phrases, use --no-triggers.\n'],
	[['Lamp', '--triggers', 'light up', '--no-triggers'], '--triggers and --no-triggers cannot be used together.\nUse one of them.\n'],
	[[], '“switchboard installed edit” needs an installed ability: its id or its name.\nList them with: switchboard installed\n'],
];

test('phrases that break a rule, wrong options and unknown names are refused before anything is sent', async (t: TestContext) => {
	const {run, service} = await start(t);
	for (const [words, sentence] of wrong) {
		assert.deepEqual(await run(['installed', 'edit', ...words]), ended(2, '', sentence));
	}

	assert.deepEqual(await run(['installed', 'edit', 'Attic', '--no-triggers']), notFound('installed ability', 'Attic', 'installed'));
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('phrases that the service does not show are not edited, not even in a dry run', async (t: TestContext) => {
	const {run, service} = await start(t);
	const sentence = (name: string): string => `The service does not show the trigger phrases of ${name}, so they cannot be edited.`;
	const error = {kind: 'refused', message: sentence('Radio')};
	assert.deepEqual(
		await run(['installed', 'edit', 'radio', '--triggers', 'some music', '--json']),
		ended(
			2,
			json([{installed_cap_id: 101, name: 'Radio', trigger_words: null, changed: false, error}]),
			jsonError(error.kind, error.message),
		),
	);
	const dryRun = await run(['installed', 'edit', 'radio', '--triggers', 'some music', '--dry-run']);
	assert.deepEqual(dryRun, ended(2, '101\tRadio\t?\tfailed\n', `Nothing was changed: this was a dry run.\n${error.message}\n`));
	assert.deepEqual(service.requests.filter(isWrite), []);
	const documented = await startDocumentedService();
	t.after(async () => documented.close());
	const {run: runDocumented} = await createRun(documented);
	assert.deepEqual(
		await runDocumented(['installed', 'edit', '101', '--no-triggers']),
		ended(2, '101\t#101\t?\tfailed\n', `${sentence('#101')}\n`),
	);
});

test('a service that answers with other phrases is not believed', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.failNext({status: 200, headers: {'content-type': 'application/json'}, body: '{"trigger_words": ["open sesame"]}', when: isWrite});
	assert.deepEqual(
		await run(['installed', 'edit', 'Lamp', '--triggers', 'light up']),
		ended(
			2,
			'100\tLamp\topen sesame\tfailed\n',
			'The service answered that Lamp has other trigger phrases.\nLook at them with: switchboard installed --json\n',
		),
	);
});
