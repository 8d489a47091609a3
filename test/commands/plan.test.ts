import {assert, execFileSync, path, test, type TestContext, writeFile} from '../helpers/node.ts';
import {startCommand} from './running-command.ts';
import {isChange, problems, startWithState, writeAbility, writeState} from './state-file.ts';
import {createRun, ended, json, jsonAnswer, lastError, startOddService} from './kit.ts';

const lists = ['GET get-all-capability', 'GET get-all-capabilities', 'GET get-installed-capabilities', 'GET get-all-personalities'];

test('plan prints a line for each change and the counts, and sends nothing that changes anything', async (t: TestContext) => {
	const {run, asked} = await startWithState(
		t,
		'installed: {lamps: off, pantry: on, nightwatch: {enabled: on, triggers: [watch the night]}}\nagents: {Hearth: {prompt: "One.\\nTwo."}}',
	);
	const lines =
		'~ lamps: on → off\n~ nightwatch: off → on\n~ nightwatch triggers: none → watch the night\n~ agent Hearth prompt: 1 line → 2 lines\n4 to change, 1 unchanged.\n';
	assert.deepEqual(await run(['plan', 'home.yaml', '--no-diff']), ended(0, lines));
	assert.deepEqual(await run(['plan', 'home.yaml', '--no-diff', '--exit-code', '--read-only']), ended(10, lines));
	assert.deepEqual(asked(isChange), []);
});

test('plan says that there is nothing to do, which is no difference', async (t: TestContext) => {
	const {run} = await startWithState(t, 'installed: {LAMPS: on, pantry: on}');
	assert.deepEqual(await run(['plan', 'home.yaml', '--exit-code']), ended(0, 'Nothing to do: 2 unchanged.\n'));
	assert.deepEqual(await run(['plan', 'home.yaml', '--exit-code', '--json']), ended(0, json({changes: [], unchanged: 2})));
});

test('plan prints the old and the new values as JSON', async (t: TestContext) => {
	const {run} = await startWithState(t, 'installed: {lamps: {triggers: []}, desk: on}\nagents: {Hearth: {name: Hob, abilities: [desk]}}');
	const change = (kind: string, name: string, field: string, from: unknown, to: unknown) => ({kind, name, field, from, to});
	assert.deepEqual(
		await run(['plan', 'home.yaml', '--json', '--exit-code']),
		ended(
			10,
			json({
				changes: [
					change('installed', 'lamps', 'triggers', ['lamps please', 'it is dark'], []),
					change('installed', 'desk', 'installed', false, true),
					change('installed', 'desk', 'enabled', null, true),
					change('agent', 'Hearth', 'name', 'Hearth', 'Hob'),
					change('agent', 'Hearth', 'abilities', null, ['desk']),
				],
				unchanged: 0,
			}),
		),
	);
});

test('plan reads the lists that the file needs, each once, and two things for each source that differs', async (t: TestContext) => {
	const {run, asked, folder, service} = await startWithState(t, 'installed: {lamps: off}');
	assert.equal((await run(['plan', 'home.yaml'])).exitCode, 0);
	assert.deepEqual(asked(), ['GET get-installed-capabilities']);
	const {length} = service.requests;
	writeAbility(folder, 'lamps', 'print(21)\n');
	writeAbility(folder, 'pantry', 'print("new")\n');
	writeState(
		folder,
		'installed: {lamps: on}\nagents: {Hearth: {prompt: x}}\nabilities: {lamps: {source: ./lamps}, pantry: {source: ./pantry}}',
	);
	assert.deepEqual(
		await run(['plan', 'home.yaml', '--no-diff']),
		ended(
			0,
			'~ pantry: release ./pantry in place of version 1.0.0\n~ agent Hearth prompt: 1 line → 1 line (1 changed)\n2 to change, 2 unchanged.\n',
		),
	);
	assert.deepEqual(
		asked().slice(length).toSorted(),
		[...lists, 'GET get/template-file/21', 'GET get/template-file/22', 'GET get/installed-capability/by-capability/22'].toSorted(),
	);
});

test('plan takes the file from standard input', async (t: TestContext) => {
	const {run} = await startWithState(t, '');
	assert.deepEqual(
		await run(['plan', '-'], {stdin: '{"version": 1, "installed": {"lampz": false}}'}),
		ended(4, '', 'standard input:1:30: There is no ability “lampz”. Did you mean: lamps\nNothing was done.\n'),
	);
});

test('plan tells all that does not fit at once, with the place of each, and ends with the kind that they share', async (t: TestContext) => {
	const {run, folder, service, asked} = await startWithState(t, 'installed:\n  lampz: on\n  radio: off');
	assert.deepEqual(
		await run(['plan', 'home.yaml']),
		ended(4, '', problems('3:3: There is no ability “lampz”. Did you mean: lamps', '4:3: There is no ability “radio”.')),
	);
	service.installed.push({id: 305, name: 'lamps', enabled: true});
	writeAbility(folder, 'wrong', '');
	writeState(
		folder,
		'installed: {lamps: off}\nabilities:\n  wrong: {source: ./wrong, triggers: [ab]}\n  lamps: {source: ./wrong, category: local}\nagents:\n  Nobody: {prompt: x}',
	);
	const result = await run(['plan', 'home.yaml', '--json']);
	assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'usage']);
	writeState(folder, 'installed: {lamps: off}\nabilities:\n  lamps: {source: ./wrong, category: local}');
	assert.deepEqual(
		await run(['plan', 'home.yaml']),
		ended(
			2,
			'',
			problems(
				'2:13: Several are named “lamps”: 301 (lamps), 305 (lamps). Rename or delete the others.',
				'4:3: lamps has the category skill, which cannot be changed to local.',
			),
		),
	);
	const {message} = lastError(await run(['plan', 'home.yaml', '--json']));
	assert.match(message, /\nhome\.yaml:4:3: .*\nNothing was done\.$/, 'each problem has its line in JSON too');
	assert.deepEqual(asked(isChange), []);
});

test('a source that cannot be packed is a problem with its place', async (t: TestContext) => {
	const {run, folder} = await startWithState(
		t,
		'abilities:\n  lamps: {source: ./lamps, category: skill}\n  nightwatch: {source: ./nightwatch}',
	);
	writeAbility(folder, 'lamps', 'print(21)\n');
	writeAbility(folder, 'nightwatch', 'print(23)\n');
	const {exitCode, stdout, stderr} = await run(['plan', 'home.yaml']);
	assert.deepEqual([exitCode, stdout], [2, '']);
	assert.match(stderr, /^home\.yaml:4:24: “\.\/nightwatch”: background\.py is missing\. .*\nNothing was done\.\n$/);
});

test('an ability of which the service shows no release cannot be replaced, and plan says what to do', async (t: TestContext) => {
	const {run, folder, service} = await startWithState(t, 'abilities:\n  desk: {source: ./desk}');
	delete (service.abilities.at(-1) as {capability_versions?: unknown}).capability_versions;
	writeAbility(folder, 'desk', 'print("new")\n');
	const sentence =
		'desk is not installed, so the service does not show the release that new code would replace. Install it first: switchboard install desk';
	assert.deepEqual(await run(['plan', 'home.yaml']), ended(4, '', problems(`3:3: ${sentence}`)));
	// The same file may install it.
	writeState(folder, 'installed: {desk: on}\nabilities:\n  desk: {source: ./desk}');
	assert.deepEqual(
		await run(['plan', 'home.yaml', '--no-diff']),
		ended(0, '~ desk: release ./desk\n+ desk: install\n~ desk: ? → on\n3 to change, 0 unchanged.\n'),
	);
});

test('--prune switches off what the file does not name, and needs a file that names something', async (t: TestContext) => {
	const {run, folder, service} = await startWithState(t, 'installed: {lamps: on}');
	assert.deepEqual(await run(['plan', 'home.yaml', '--prune']), ended(0, '~ pantry: on → off\n1 to change, 1 unchanged.\n'));
	writeState(folder, 'installed: {}');
	const {length} = service.requests;
	const sentence = '--prune switches off what the file does not name, and it names nothing under “installed:”. Nothing was done.';
	assert.deepEqual(
		await run(['plan', 'home.yaml', '--prune']),
		ended(2, '', `${sentence}\nName the abilities that stay on, or use: switchboard disable --all\n`),
	);
	assert.equal(service.requests.length, length);
});

test('--prune needs the whole list', async (t: TestContext) => {
	const listPath = '/api/capabilities/get-installed-capabilities/';
	const service = await startOddService({
		[listPath]: () => jsonAnswer({results: [{id: 1, name: 'lamps', enabled: true}], next: 'https://elsewhere.invalid/'}),
	});
	t.after(async () => service.close());
	const {run, folder} = await createRun(service);
	writeState(folder, 'installed: {lamps: on}');
	for (const words of [
		['plan', 'home.yaml', '--prune'],
		['apply', 'home.yaml', '--prune', '--yes'],
	]) {
		const result = await run([...words, '--json']);
		assert.deepEqual(
			[result.exitCode, result.stdout, lastError(result)],
			[
				2,
				'',
				{
					kind: 'refused',
					message:
						'The list of installed abilities is incomplete, so --prune cannot tell what to switch off. Nothing was done. Leave out --prune.',
				},
			],
		);
	}
});

test('names of the service and of the file cannot speak to the terminal', async (t: TestContext) => {
	const {run} = await startWithState(t, 'installed: {"\\e[31mred\\a": off}\nagents: {Hearth: {name: "Ho\\e]0;x\\ab"}}', {
		home: {installed: [{id: 1, name: '\u{1B}[31mred\u{7}', enabled: true}]},
	});
	const {stdout, stderr} = await run(['plan', 'home.yaml']);
	assert.doesNotMatch(stdout + stderr, /[\u{7}\u{1B}]/u);
});

test('a path that leaves the folder of the file needs --allow-outside', async (t: TestContext) => {
	const {run, folder} = await startWithState(t, '');
	writeAbility(folder, 'outside', 'print(21)\n');
	writeAbility(folder, 'inner', '');
	writeState(`${folder}/inner`, 'abilities: {lamps: {source: ../outside}}');
	assert.equal((await run(['plan', 'inner/home.yaml'])).exitCode, 2);
	assert.deepEqual(await run(['plan', 'inner/home.yaml', '--allow-outside']), ended(0, 'Nothing to do: 1 unchanged.\n'));
});

test('a state may come from a named pipe, whenever it is written', async (t: TestContext) => {
	const {folder, env} = await startWithState(t, '');
	const pipe = path.join(folder, 'pipe.yaml');
	execFileSync('mkfifo', [pipe]);
	await using command = startCommand(['plan', pipe, '--timeout', '60'], env);
	// Opening it to write waits for a reader.
	await writeFile(pipe, 'version: 1\ninstalled: {lamps: off}\n');
	assert.equal(await command.exited, 0, command.errors());
	assert.deepEqual(command.lines(), ['~ lamps: on → off', '1 to change, 0 unchanged.']);
});

test('plan shows below each change how a prompt or a source would differ, safe to print', async (t: TestContext) => {
	const {run, folder, service} = await startWithState(
		t,
		'agents: {Hearth: {prompt: "Be brief.\\nBe \\e[31mkind."}}\nabilities: {pantry: {source: ./pantry}}',
	);
	Object.assign(service.agents[0]!, {description: 'You look after a house.\r\nBe brief.'});
	writeAbility(folder, 'pantry', 'print("new")\n');
	const {exitCode, stdout} = await run(['plan', 'home.yaml']);
	assert.equal(exitCode, 0);
	assert.deepEqual(
		stdout.split('\n').filter(line => !line.includes('No newline')),
		[
			'~ pantry: release ./pantry in place of version 1.0.0',
			'    diff --git a/main.py b/main.py',
			'    --- a/main.py',
			'    +++ b/main.py',
			'    @@ -1 +1 @@',
			'    -print(22)',
			'    +print("new")',
			'~ agent Hearth prompt: 2 lines → 2 lines (1 changed)',
			'    --- a/Hearth',
			'    +++ b/Hearth',
			'    @@ -1,2 +1,2 @@',
			'    -You look after a house.',
			'    -Be brief.',
			'    +Be brief.',
			String.raw`    +Be \u{1b}[31mkind.`,
			'2 to change, 0 unchanged.',
			'',
		],
	);
	assert.doesNotMatch((await run(['plan', 'home.yaml', '--json'])).stdout, /@@/);
});

test('apply shows the differences in a dry run, and not with --yes', async (t: TestContext) => {
	const {run} = await startWithState(t, 'agents: {Hearth: {prompt: Be brief.}}');
	assert.match((await run(['apply', 'home.yaml', '--dry-run'])).stdout, /\n {4}\+Be brief\.\n/);
	assert.doesNotMatch((await run(['apply', 'home.yaml', '--dry-run', '--no-diff'])).stdout, /@@/);
	const applied = await run(['apply', 'home.yaml', '--yes']);
	assert.doesNotMatch(applied.stdout + applied.stderr, /@@/);
});

test('state check tells the faults of a file, its prompts and its sources at once, and asks no service', async (t: TestContext) => {
	const {run, folder, asked} = await startWithState(t, 'installed: {anything: on}\nabilities: {lamps: {source: ./lamps}}');
	writeAbility(folder, 'lamps', 'print(1)\n');
	const fine = (file: string): string => `The file itself has no mistakes. To check its names too, run: switchboard plan ${file}\n`;
	assert.deepEqual(await run(['state', 'check', 'home.yaml']), ended(0, fine('home.yaml')));
	assert.deepEqual(await run(['state', 'check', 'home.yaml', '--json']), ended(0, json({ok: true, findings: []})));
	writeState(folder, 'installed: {lamps: maybe}\nabilities: {lamps: {source: ./nowhere}}\nagents: {Hearth: {prompt_file: ./none.md}}');
	const {exitCode, stdout, stderr} = await run(['state', 'check', 'home.yaml']);
	assert.deepEqual([exitCode, stdout], [2, '']);
	assert.match(stderr, /^home\.yaml:2:20: .*\nhome\.yaml:3:29: .*nowhere.*\nhome\.yaml:4:32: .*none\.md.*\nNothing was done\.\n$/);
	const result = await run(['state', 'check', 'home.yaml', '--json']);
	const {ok, findings} = JSON.parse(result.stdout) as {
		readonly ok: boolean;
		readonly findings: ReadonlyArray<Readonly<Record<string, unknown>>>;
	};
	assert.deepEqual([result.exitCode, ok, findings.map(({line}) => line)], [2, false, [2, 3, 4]]);
	assert.equal((await run(['state', 'check', '-'], {stdin: ''})).exitCode, 2);
	assert.deepEqual(await run(['state', 'check', '-'], {stdin: 'version: 1\ninstalled: {lamps: off}\n'}), ended(0, fine('-')));
	assert.deepEqual(asked(), []);
});
