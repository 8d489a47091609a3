import {assert, test, type TestContext} from '../helpers/node.ts';
import {isChange, startWithState, writeAbility, writeState} from './state-file.ts';
import {ended, isWrite, json, jsonError, parseJson, runCommand, runOnTerminal} from './kit.ts';

type Loose = Readonly<Record<string, unknown>>;

const named = (records: readonly unknown[], name: string): Loose =>
	(records as readonly Loose[]).find(record => record['name'] === name) ?? {};

const wholeState = [
	'installed: {lamps: off, nightwatch: {enabled: on, triggers: [watch the night]}, desk: off, porch: {enabled: off, triggers: [see the porch]}}',
	'abilities: {porch: {source: ./porch, description: Looks out.}, pantry: {source: ./pantry}}',
	'agents: {Hearth: {name: Hob, prompt: Be brief., abilities: [porch, lamps]}}',
].join('\n');

test('apply says on the machine of a pipeline that replaced prompts are not kept there', async (t: TestContext) => {
	const {env, folder} = await startWithState(t, 'agents: {Hearth: {prompt: Be brief.}}');
	const applyIn = async (ci: string) =>
		(await runCommand(['apply', 'home.yaml', '--yes'], {env: {...env, CI: ci}, cwd: folder})).stderr.split('\n').slice(0, -1);
	assert.deepEqual(await applyIn('true'), [
		'1 done, 0 unchanged.',
		'A pipeline does not keep the replaced prompts. To bring one back: switchboard history revert, or the earlier file in git.',
	]);
	assert.deepEqual(await applyIn('true'), []);
	writeState(folder, 'agents: {Hearth: {prompt: Be kind.}}');
	assert.deepEqual(await applyIn(''), ['1 done, 0 unchanged.']);
});

test('apply does all that the plan says, tells each, and changes nothing the second time', async (t: TestContext) => {
	const {run, service, folder, asked} = await startWithState(t, wholeState);
	writeAbility(folder, 'porch', 'print("porch")\n');
	writeAbility(folder, 'pantry', 'print("new")\n');
	assert.deepEqual(
		await run(['apply', 'home.yaml', '--yes']),
		ended(
			0,
			[
				'+ porch: upload ./porch',
				'~ pantry: release ./pantry in place of version 1.0.0',
				'~ lamps: on → off',
				'~ nightwatch: off → on',
				'~ nightwatch triggers: none → watch the night',
				'+ desk: install',
				'~ desk: ? → off',
				'~ porch: ? → off',
				'~ porch triggers: ? → see the porch',
				'~ agent Hearth name: Hearth → Hob',
				'~ agent Hearth prompt: 1 line → 1 line (1 changed)',
				'~ agent Hearth abilities: ? → lamps, porch (replaces all that it has)',
			]
				.map(line => `done\t${line}\n`)
				.join(''),
			'12 done, 0 unchanged.\n',
		),
	);
	assert.deepEqual(
		['lamps', 'nightwatch', 'desk', 'porch'].map(name => [
			named(service.installed, name)['enabled'],
			named(service.installed, name)['trigger_words'],
		]),
		[
			[false, ['lamps please', 'it is dark']],
			[true, ['watch the night']],
			[false, ['open the desk']],
			[false, ['see the porch']],
		],
	);
	assert.deepEqual(
		[named(service.agents, 'Hob')['description'], service.ties.get(1)],
		['Be brief.', [named(service.abilities, 'porch')['id'], 21]],
	);
	assert.deepEqual(
		service.sources
			.get(22)
			?.map(({path, bytes}) => [path, String(bytes)])
			.toSorted(),
		[
			['__init__.py', ''],
			['main.py', 'print("new")\n'],
		],
	);
	// The ties are not shown, so they alone cannot be known to be as they should be.
	writeState(folder, wholeState.replace(', abilities: [porch, lamps]', ''));
	const {length} = asked(isChange);
	assert.deepEqual(await run(['apply', 'home.yaml', '--yes']), ended(0, 'Nothing to do: 7 unchanged.\n'));
	assert.equal(asked(isChange).length, length);
});

test('a record is sent back whole, and its phrases with the answer to the switch', async (t: TestContext) => {
	const {run, service} = await startWithState(t, 'installed: {nightwatch: {enabled: on, triggers: [watch the night]}}');
	assert.equal((await run(['apply', 'home.yaml', '--yes'])).exitCode, 0);
	const whole = {name: 'nightwatch', category: 'background_daemon', system_capability: false, agent_capability: true, enabled: true};
	assert.deepEqual(
		service.requests.filter(request => isWrite(request)).map(({body}) => parseJson(body)),
		[
			{...whole, trigger_words: []},
			{...whole, trigger_words: ['watch the night']},
		],
	);
});

test('apply goes on past what fails, and tells each', async (t: TestContext) => {
	const {run, service} = await startWithState(t, 'installed: {lamps: off, pantry: off}\nagents: {Hearth: {prompt: Be brief.}}');
	service.failNext({status: 403, when: ({path}) => path.endsWith('/301/')});
	const sentence = 'The service does not allow this with your key (HTTP 403).';
	assert.deepEqual(
		await run(['apply', 'home.yaml', '--yes']),
		ended(
			6,
			'failed\t~ lamps: on → off\ndone\t~ pantry: on → off\ndone\t~ agent Hearth prompt: 1 line → 1 line (1 changed)\n',
			`lamps: ${sentence}\n1 of 3 failed.\nUse the key of an account that may do this.\n`,
		),
	);
	assert.equal(named(service.installed, 'pantry')['enabled'], false);
	service.failNext({status: 403, when: ({path}) => path.endsWith('/301/')});
	const error = {kind: 'forbidden', message: `${sentence} Use the key of an account that may do this.`};
	assert.deepEqual(
		await run(['apply', 'home.yaml', '--yes', '--json']),
		ended(
			3,
			json({changes: [{kind: 'installed', name: 'lamps', field: 'enabled', from: true, to: false, done: false, error}], unchanged: 2}),
			jsonError(error.kind, error.message),
		),
	);
	assert.deepEqual(await run(['apply', 'home.yaml', '--yes']), ended(0, 'done\t~ lamps: on → off\n', '1 done, 2 unchanged.\n'));
});

test('what needs a step that failed is not sent', async (t: TestContext) => {
	const {run, service, folder, asked} = await startWithState(
		t,
		[
			'installed: {porch: off, desk: {enabled: on, triggers: [see the desk]}, lamps: {enabled: off, triggers: [see the lamps]}}',
			'abilities: {porch: {source: ./porch}}',
			'agents: {Hearth: {abilities: [porch]}, Porch: {prompt: x}}',
		].join('\n'),
	);
	writeAbility(folder, 'porch', '');
	for (const part of ['add-capability', 'install-capability/24', 'edit-installed-capability/301']) {
		service.failNext({status: 400, when: ({path}) => path.includes(part)});
	}

	const result = await run(['apply', 'home.yaml', '--yes']);
	assert.equal(
		result.stdout,
		[
			'failed\t+ porch: upload ./porch',
			'not sent\t~ porch: ? → off',
			'failed\t+ desk: install',
			'not sent\t~ desk: ? → on',
			'not sent\t~ desk triggers: ? → see the desk',
			'failed\t~ lamps: on → off',
			'not sent\t~ lamps triggers: lamps please, it is dark → see the lamps',
			'not sent\t~ agent Hearth abilities: ? → porch (replaces all that it has)',
			'done\t~ agent Porch prompt: 1 line → 1 line (1 changed)',
			'',
		].join('\n'),
	);
	assert.equal(result.exitCode, 6);
	assert.match(result.stderr, /^porch: Not sent, because porch was not created first\.$/m);
	assert.match(result.stderr, /^desk: Not sent, because desk was not installed first\.$/m);
	assert.match(result.stderr, /^lamps: Not sent, because lamps was not switched first\.$/m);
	assert.match(
		result.stderr,
		/^1 done, 3 failed, 5 not sent\.\nRun the command again: what is done stays done\.$|^1 done, .*\nRun the command again: what is done stays done\.$/m,
	);
	assert.deepEqual(asked(isChange).toSorted(), [
		'GET install-capability/24',
		'POST add-capability',
		'PUT edit-installed-capability/301',
		'PUT edit-personality',
	]);
});

test('an ability that an upload does not install is installed', async (t: TestContext) => {
	const {run, service, folder, asked} = await startWithState(t, 'installed: {porch: off}\nabilities: {porch: {source: ./porch}}');
	writeAbility(folder, 'porch', '');
	const result = await run(['apply', 'home.yaml', '--yes']);
	assert.deepEqual([result.exitCode, result.stdout], [0, 'done\t+ porch: upload ./porch\ndone\t~ porch: ? → off\n']);
	assert.deepEqual(asked(isChange), [
		'POST add-capability',
		`GET install-capability/${String(named(service.abilities, 'porch')['id'])}`,
		'PUT edit-installed-capability/304',
	]);
	assert.equal(named(service.installed, 'porch')['enabled'], false);
});

test('a record that is gone when its change is sent fails on its own', async (t: TestContext) => {
	const {run, service} = await startWithState(t, 'installed: {lamps: off, pantry: off}');
	const release = service.hold({when: request => isWrite(request)});
	const running = run(['apply', 'home.yaml', '--yes']);
	await service.waitForRequests(2, isWrite);
	service.installed.shift();
	release();
	assert.deepEqual(
		await running,
		ended(6, 'failed\t~ lamps: on → off\ndone\t~ pantry: on → off\n', 'lamps is no longer installed.\n1 of 2 failed.\nRefresh the list.\n'),
	);
});

test('a skill that nothing would start is created with a warning', async (t: TestContext) => {
	const {run, folder} = await startWithState(t, 'abilities: {porch: {source: ./porch}}');
	writeAbility(folder, 'porch', '');
	const warning = 'Warning: porch is a skill without trigger phrases, so nothing starts it. Add “triggers” to it in the state file.\n';
	assert.deepEqual(await run(['plan', 'home.yaml']), ended(0, '+ porch: upload ./porch\n1 to change, 0 unchanged.\n', warning));
	assert.deepEqual(
		await run(['apply', 'home.yaml', '--yes']),
		ended(0, 'done\t+ porch: upload ./porch\n', `${warning}1 done, 0 unchanged.\n`),
	);
});

test('apply does nothing if something else has changed while the question waited', async (t: TestContext) => {
	const {env, folder, asked, service} = await startWithState(t, 'installed: {lamps: off, pantry: off}');
	const meanwhile = (): void => {
		(service.installed[1] as {enabled: boolean}).enabled = false;
	};
	const [exitCode, ...lines] = await runOnTerminal(['apply', 'home.yaml'], {env, cwd: folder, typed: 'y\r', meanwhile});
	assert.deepEqual(
		[exitCode, ...lines.slice(-2)],
		[2, 'The changes are no longer the ones that were shown. Nothing was done.', 'Run the command again to see the present changes.'],
	);
	assert.deepEqual(asked(isChange), []);
});
