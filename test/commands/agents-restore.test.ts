import {assert, path, process, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {programFile, runCommand as startProcess, type CommandResult} from '../helpers/run-command.ts';
import {
	connectAssistant,
	ended,
	isWrite,
	lastError,
	openPseudoTerminal,
	runOnTerminal,
	parseJson,
	runCommand,
	startDocumented,
	startLiveLike,
} from './kit.ts';

const original = 'You look after a house.';

type Stored = {name: string; description?: string};

async function start(t: TestContext) {
	const {home, service, env} = await startLiveLike(t);
	const file = path.join(home.folder, 'home.yaml');
	return {
		service,
		env,
		file,
		hearth: service.agents[0] as Stored,
		run: async (words: readonly string[], changes: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
			runCommand(words, {env: {...env, ...changes}, cwd: home.folder}),
		/** What is kept of an agent, the newest first. */
		async kept(word: string): Promise<ReadonlyArray<readonly [version: number, via: string, prompt: string]>> {
			const {stdout} = await runCommand(['agents', 'restore', word, '--list', '--json'], {env});
			return (parseJson(stdout) as ReadonlyArray<{readonly version: number; readonly via: string; readonly prompt: string}>).map(
				({version, via, prompt}) => [version, via, prompt],
			);
		},
		writes: () => service.requests.filter(request => isWrite(request)).length,
		/** Runs it on a terminal, and answers the question, if any. */
		answer: async (words: readonly string[], typed?: string, meanwhile?: () => void) =>
			runOnTerminal(words, {env: {...env, NO_COLOR: '1'}, typed, meanwhile}),
	};
}

const wayBack = (words: string): string => `The earlier prompt is kept. To bring it back: switchboard agents restore ${words}\n`;

test('a prompt that was replaced is brought back, and so is the one that replaced it', async (t: TestContext) => {
	const {run, hearth, kept} = await start(t);
	hearth.description = '\tYou look\r\nafter a house. \n\n';
	const edited = await run(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.']);
	assert.deepEqual(edited, ended(0, '1\tHearth\t\tBe brief.\n', wayBack('Hearth')));
	assert.deepEqual(await run(['agents', 'restore', 'hearth']), ended(0, '1\tHearth\t\tYou look\n', wayBack('Hearth')));
	assert.equal(hearth.description, '\tYou look\r\nafter a house. \n\n');
	const again = await run(['agents', 'restore', '1', '--json']);
	assert.deepEqual([again.exitCode, parseJson(again.stdout)], [0, {...hearth, description: 'Be brief.', personality_id: 1}]);
	assert.deepEqual(await kept('Hearth'), [
		[3, 'agents restore', '\tYou look\r\nafter a house. \n\n'],
		[2, 'agents restore', 'Be brief.'],
		[1, 'agents edit', '\tYou look\r\nafter a house. \n\n'],
	]);
});

test('the kept prompts are listed, and each can be brought back by its number', async (t: TestContext) => {
	const {run, hearth, answer} = await start(t);
	for (const prompt of ['\nOne\u{1B}[31m.\nMore.', 'Two.', 'Three.']) {
		await run(['agents', 'edit', 'Hearth', '--prompt', prompt]);
	}

	const {stdout} = await run(['agents', 'restore', 'Hearth', '--list']);
	assert.match(
		stdout,
		/^3\t\d{4}-\d\d-\d\dT[\d.:]+Z\tagents edit\t4\tTwo\.\n2\t\S+\tagents edit\t16\tOne\.\n1\t\S+\tagents edit\t23\tYou look after a house\.\n$/,
	);
	const [first] = parseJson((await run(['agents', 'restore', 'Hearth', '--list', '--json'])).stdout) as readonly object[];
	assert.deepEqual(
		{...first, at: ''},
		{version: 3, at: '', via: 'agents edit', personality_id: 1, name: 'Hearth', bytes: 4, prompt: 'Two.'},
	);
	assert.match(
		(await run(['agents', 'restore', 'Hearth', '--list', '--columns', 'prompt,version', '--format', 'jsonl'])).stdout,
		/^\{"prompt":"Two\.","version":3\}\n/,
	);
	const shown = await answer(['agents', 'restore', 'Hearth', '--list']);
	assert.match(shown.join('\n'), /^0\nVERSION +REPLACED +BY +BYTES +PROMPT\n3 +(?:now|\d+ min) +agents edit +4 +Two\.\n/);
	assert.equal(
		(await run(['agents', 'restore', 'Hearth', '--version=2', '--dry-run'])).stderr,
		'Nothing was changed: this was a dry run.\n',
	);
	assert.equal(hearth.description, 'Three.');
	assert.equal((await run(['agents', 'restore', '--version', '2', 'Hearth'])).exitCode, 0);
	assert.equal(hearth.description, '\nOne\u{1B}[31m.\nMore.');
	assert.deepEqual(
		await run(['agents', 'restore', 'Hearth', '--version', '9']),
		ended(
			4,
			'',
			'There is no version 9 of the prompt of Hearth. Nothing was done.\nList them with: switchboard agents restore Hearth --list\n',
		),
	);
});

test('where nothing is kept, or nothing else than the prompt that is there, that is said', async (t: TestContext) => {
	const {run, hearth, writes} = await start(t);
	assert.deepEqual(await run(['agents', 'restore', 'Hearth']), ended(4, '', 'No earlier prompt of Hearth is kept. Nothing was done.\n'));
	assert.deepEqual(await run(['agents', 'restore', 'Hearth', '--list']), ended(0, '', 'No earlier prompt of this agent is kept.\n'));
	assert.equal((await run(['agents', 'restore', 'Hearth', '--list', '--json'])).stdout, '[]\n');
	assert.deepEqual(
		await run(['agents', 'edit', 'Hearth', '--prompt', original]),
		ended(0, `1\tHearth\t\t${original}\n`),
		'nothing is kept of a prompt that stays',
	);
	await run(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.'], {SWITCHBOARD_JOURNAL: 'off'});
	assert.equal((await run(['agents', 'restore', 'Hearth'])).exitCode, 4);
	await run(['agents', 'edit', 'Hearth', '--prompt', original]);
	hearth.description = 'Be brief.\r\n';
	const count = writes();
	assert.deepEqual(
		await run(['agents', 'restore', 'Hearth']),
		ended(
			4,
			'',
			'All kept prompts of Hearth are the same as its present one. Nothing was done.\nList them with: switchboard agents restore Hearth --list\n',
		),
	);
	assert.equal(writes(), count);
});

test('the prompts of an agent that is renamed stay with it, and those of one that is gone are listed', async (t: TestContext) => {
	const {run, service, kept} = await start(t);
	assert.deepEqual(
		await run(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.', '--name', 'A hob']),
		ended(0, '1\tA hob\t\tBe brief.\n', wayBack("'A hob'")),
	);
	assert.deepEqual(await kept('a hob'), [[1, 'agents edit', original]]);
	service.agents = service.agents.slice(1);
	assert.deepEqual([await kept('hearth'), await kept('1')], [[[1, 'agents edit', original]], [[1, 'agents edit', original]]]);
	assert.deepEqual(
		await run(['agents', 'restore', 'hearth']),
		ended(
			4,
			'',
			'There is no agent “hearth”. Nothing was done.\nPrompts of an agent with that name or id are kept. List them with: switchboard agents restore hearth --list\n',
		),
	);
	assert.deepEqual(
		await run(['agents', 'restore', 'Attic', '--list']),
		ended(4, '', 'There is no agent “Attic”.\nList them with: switchboard agents\n'),
	);
});

test('the line that says how to bring a prompt back leads to the same service', async (t: TestContext) => {
	const {service, env} = await start(t);
	const {SWITCHBOARD_BASE_URL: _, SWITCHBOARD_API_KEY: __, ...others} = env;
	await runCommand(['login', '--base-url', service.baseAddress, '--profile', 'work', '--api-key-stdin'], {
		env: others,
		stdin: service.apiKey,
	});
	const edited = await runCommand(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.', '--profile', 'work'], {env: others});
	assert.equal(edited.stderr, wayBack('Hearth --profile work'));
	const other = await runCommand(['agents', 'edit', 'Hearth', '--prompt', 'Be kind.', '--base-url', service.baseAddress], {env: others});
	assert.equal(other.stderr, wayBack(`Hearth --base-url ${service.baseAddress}`));
	assert.equal((await runCommand(['logout', '--profile', 'work'], {env: others})).exitCode, 0);
	await runCommand(['login', '--base-url', service.baseAddress, '--profile', 'work', '--api-key-stdin'], {
		env: others,
		stdin: service.apiKey,
	});
	assert.equal((await runCommand(['agents', 'restore', 'Hearth', '--profile', 'work'], {env: others})).exitCode, 4);
});

test('on a terminal a new prompt is shown as a difference, and sent only after a yes', async (t: TestContext) => {
	const {answer, hearth, writes, kept} = await start(t);
	hearth.description = 'You look after\r\na house.\r\nBe kind.\u{202E}\r\n';
	const words = ['agents', 'edit', 'Hearth', '--prompt', 'You look after\na kitchen.\nBe kind.\u{202E}\n'];
	assert.deepEqual(await answer(words, 'n\r'), [
		2,
		'The prompt of Hearth would change:',
		'--- a/Hearth',
		'+++ b/Hearth',
		'@@ -1,3 +1,3 @@',
		' You look after',
		'-a house.',
		'+a kitchen.',
		String.raw` Be kind.\u{202e}`,
		'Replace the prompt of Hearth? [y/N] n',
		'Nothing was changed.',
	]);
	assert.deepEqual([writes(), await kept('Hearth')], [0, []]);
	assert.equal((await answer(words, 'y\r')).at(-1), wayBack('Hearth').trimEnd());
	assert.equal(hearth.description, 'You look after\na kitchen.\nBe kind.\u{202E}\n');
	assert.equal((await answer(['agents', 'restore', 'Hearth'], 'y\r'))[0], 0);
	assert.equal(hearth.description, 'You look after\r\na house.\r\nBe kind.\u{202E}\r\n');
});

test('a prompt that somebody else changes while the question waits is not overwritten', async (t: TestContext) => {
	const {answer, hearth, writes} = await start(t);
	const [exitCode, ...lines] = await answer(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.'], 'y\r', () => {
		hearth.description = 'Be kind.';
	});
	assert.deepEqual([exitCode, lines.at(-2), writes()], [2, 'The prompt of Hearth was changed in the meantime. Nothing was done.', 0]);
});

test('on a terminal nothing is asked with --yes or --dry-run, of a prompt that stays, or where standard input has the prompt', async (t: TestContext) => {
	const {answer, env, hearth, writes} = await start(t);
	const runAt = async (words: readonly string[]): Promise<string> => {
		const [exitCode, ...lines] = await answer(['agents', 'edit', 'Hearth', ...words]);
		assert.equal(exitCode, 0);
		const text = lines.join('\n');
		assert.doesNotMatch(text, /\[y\/N\]/);
		return text;
	};

	assert.match(await runAt(['--prompt', 'Be brief.', '--dry-run']), /\n-You look after a house\.\n[^+]*\+Be brief\./);
	assert.equal(writes(), 0);
	assert.doesNotMatch(await runAt(['--prompt', 'Be brief.', '--yes']), /@@/);
	assert.doesNotMatch(await runAt(['--prompt', 'Be brief.\r\n']), /@@/);
	await using typing = openPseudoTerminal({
		command: process.execPath,
		args: [programFile, 'agents', 'edit', 'Hearth', '--prompt', '-'],
		env,
	});
	typing.write('Be kind.\r\u{4}');
	assert.equal((await typing.exited).exitCode, 0);
	assert.match(typing.screen().join('\n'), /\+Be kind\./);
	assert.equal(hearth.description, 'Be kind.\n');
});

test('a prompt that the service does not show is replaced on a terminal after a question', async (t: TestContext) => {
	const {service, env} = await startDocumented(t);
	assert.deepEqual(await runOnTerminal(['agents', 'edit', '1', '--prompt', 'Be brief.'], {env, typed: 'y\r'}), [
		0,
		'Replace the prompt of #1? The service does not show it. [y/N] y',
		'Changed #1.',
	]);
	assert.equal(service.agentEdits.length, 1);
});

test('apply keeps the prompts that it replaces', async (t: TestContext) => {
	const {run, file, kept} = await start(t);
	writeFileSync(file, 'version: 1\nagents:\n  Hearth: {prompt: Be brief.}\n  Porch: {prompt: Be kind.}\n');
	assert.equal((await run(['apply', file, '--dry-run'])).exitCode, 0);
	assert.deepEqual(await kept('Hearth'), []);
	assert.equal((await run(['apply', file, '--yes'])).exitCode, 0);
	assert.deepEqual([await kept('Hearth'), await kept('Porch')], [[[1, 'apply', original]], [[1, 'apply', 'You greet guests.']]]);
});

test('on a terminal apply shows how each prompt would change before it asks', async (t: TestContext) => {
	const {answer, file, writes} = await start(t);
	writeFileSync(file, 'version: 1\nagents:\n  Hearth: {name: Hob, prompt: Be brief.}\n  Porch: {prompt: "You greet guests.\\nBe kind."}\n');
	const noLineEnd = String.raw`    \ No newline at end of file`;
	assert.deepEqual(await answer(['apply', file], 'n\r'), [
		2,
		'~ agent Hearth name: Hearth → Hob',
		'~ agent Hearth prompt: 1 line → 1 line (1 changed)',
		'    --- a/Hearth',
		'    +++ b/Hearth',
		'    @@ -1 +1 @@',
		`    -${original}`,
		noLineEnd,
		'    +Be brief.',
		noLineEnd,
		'~ agent Porch prompt: 1 line → 2 lines',
		'    --- a/Porch',
		'    +++ b/Porch',
		'    @@ -1 +1,2 @@',
		'    -You greet guests.',
		noLineEnd,
		'    +You greet guests.',
		'    +Be kind.',
		noLineEnd,
		'3 to change, 0 unchanged.',
		'Make these 3 changes? [y/N] n',
		'Nothing was changed.',
	]);
	assert.equal(writes(), 0);
});

test('where a prompt cannot be kept it is changed only with --yes, which says so', async (t: TestContext) => {
	const {run, file, hearth, writes, env} = await start(t);
	const nowhere = {XDG_STATE_HOME: '/proc/nobody'};
	const problem = 'The present prompt of Hearth cannot be kept: no such file or directory: /proc/nobody.';
	const edit = ['agents', 'edit', 'Hearth', '--prompt', 'Be brief.'];
	assert.deepEqual(await run(edit, nowhere), ended(2, '', `${problem} It was not changed.\nUse --yes to change it anyway.\n`));
	assert.equal(lastError(await run([...edit, '--json'], nowhere)).kind, 'not-kept');
	const {client, call} = await connectAssistant(t, {...env, ...nowhere});
	const {isError, value} = await call<{readonly changes: ReadonlyArray<{readonly done: boolean}>}>('apply_state', {
		state: 'version: 1\nagents:\n  Hearth: {prompt: Be brief.}\n',
	});
	await client.close();
	assert.deepEqual(
		[isError, value.changes.map(({done}) => done), value.error],
		[
			true,
			[false],
			{
				kind: 'not-kept',
				message: `${problem} It was not changed.`,
				next_step: 'Only a person can change it: switchboard agents edit AGENT --prompt TEXT --yes',
			},
		],
	);
	assert.equal(writes(), 0);
	assert.deepEqual(await run([...edit, '--yes'], nowhere), ended(0, '1\tHearth\t\tBe brief.\n', `${problem}\n`));
	writeFileSync(file, 'version: 1\nagents:\n  Hearth: {prompt: Be kind.}\n');
	assert.deepEqual(
		await run(['apply', file, '--yes'], nowhere),
		ended(0, 'done\t~ agent Hearth prompt: 1 line → 1 line (1 changed)\n', `${problem}\n1 done, 0 unchanged.\n`),
	);
	assert.equal(hearth.description, 'Be kind.');
});

test("an assistant's changes are kept too, and it cannot empty a prompt", async (t: TestContext) => {
	const {env, kept, hearth, writes} = await start(t);
	const {call} = await connectAssistant(t, env);
	const empty = await call('apply_state', {state: 'version: 1\nagents:\n  Hearth: {prompt: " "}\n'});
	assert.deepEqual(
		[empty.isError, empty.value.error],
		[
			true,
			{
				kind: 'usage',
				message: 'The new prompt of Hearth is empty. Nothing was done.',
				next_step: 'Only a person can empty it: switchboard agents edit AGENT --prompt TEXT --yes',
			},
		],
	);
	assert.equal(writes(), 0);
	assert.equal((await call('apply_state', {state: 'version: 1\nagents:\n  Hearth: {prompt: Be brief.}\n'})).isError, false);
	assert.deepEqual([hearth.description, await kept('Hearth')], ['Be brief.', [[1, 'mcp', original]]]);
});

test('a prompt is kept before the change is sent, so that a kill loses nothing', async (t: TestContext) => {
	const {env, service, kept} = await start(t);
	const release = service.hold({when: isWrite});
	const killing = new AbortController();
	const running = startProcess(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.'], {env, abort: killing.signal});
	await service.waitForRequests(1, isWrite);
	killing.abort('SIGKILL');
	assert.equal((await running).signal, 'SIGKILL');
	release();
	assert.deepEqual(await kept('Hearth'), [[1, 'agents edit', original]]);
});
