import {assert, path, rmSync, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {ended, isWrite, lastError, startLiveLike, writeCellar} from './kit.ts';

type Described = {readonly description: string};

test('an empty pipe or file does not erase a prompt', async (t: TestContext) => {
	const {
		run,
		service,
		home: {folder},
	} = await startLiveLike(t);
	const before = (service.agents[0] as Described).description;
	writeFileSync(path.join(folder, 'empty.md'), '\n');
	const nextStep = "For an empty text, use: --prompt '' --yes\n";
	assert.deepEqual(
		[
			await run(['agents', 'edit', 'Hearth', '--prompt-file', '-'], {stdin: ''}),
			await run(['agents', 'edit', 'Hearth', '--prompt', '-'], {stdin: ' \n'}),
			await run(['agents', 'edit', 'Hearth', '--prompt-file', 'empty.md']),
		],
		[
			ended(2, '', `Standard input is empty. Nothing was done.\n${nextStep}`),
			ended(2, '', `Standard input is empty. Nothing was done.\n${nextStep}`),
			ended(2, '', `“empty.md” is empty. Nothing was done.\n${nextStep}`),
		],
	);
	assert.deepEqual(service.requests.filter(isWrite), []);
	assert.equal((service.agents[0] as Described).description, before);
});

test('a prompt is emptied only with --yes', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	for (const words of [['--prompt', ''], ['--prompt= \n'], ['--description', '', '--name', 'Hob']]) {
		assert.deepEqual(
			await run(['agents', 'edit', 'hearth', ...words]),
			ended(2, '', 'The new prompt of Hearth is empty. Nothing was done.\nUse --yes to empty it anyway.\n'),
		);
	}

	assert.deepEqual(service.requests.filter(isWrite), []);
	assert.equal((await run(['agents', 'edit', 'Hearth', '--prompt', '', '--dry-run'])).stderr, 'Nothing was changed: this was a dry run.\n');
	assert.deepEqual(
		await run(['agents', 'edit', 'Hearth', '--prompt', '', '--yes']),
		ended(0, '1\tHearth\t\t\n', 'The earlier prompt is kept. To bring it back: switchboard agents restore Hearth\n'),
	);
	assert.equal((service.agents[0] as Described).description, '');
	// An empty text is nothing to keep.
	assert.deepEqual(await run(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.']), ended(0, '1\tHearth\t\tBe brief.\n'));
});

test('a state with an empty prompt is applied only with --yes, unless the prompt is empty already', async (t: TestContext) => {
	const {
		run,
		service,
		home: {folder},
	} = await startLiveLike(t);
	const file = path.join(folder, 'home.yaml');
	writeFileSync(file, 'version: 1\nagents:\n  Hearth: {prompt: ""}\n  Porch: {prompt: Be brief.}\n');
	assert.equal((await run(['plan', file])).exitCode, 0);
	assert.equal((await run(['apply', file, '--dry-run'])).exitCode, 0);
	assert.deepEqual(service.requests.filter(isWrite), []);
	assert.equal((await run(['apply', file, '--yes'])).exitCode, 0);
	assert.deepEqual(
		service.agents.map(agent => (agent as Described).description),
		['', 'Be brief.'],
	);
	assert.deepEqual(await run(['apply', file, '--yes']), ended(0, 'Nothing to do: 2 unchanged.\n'));
});

test('a name that another agent has is refused in any case, unless --yes is given', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	const names = (): readonly string[] => service.agents.map(agent => (agent as {readonly name: string}).name);
	for (const words of [
		['--name', 'porch'],
		['--name', 'PORCH', '--dry-run'],
		['--name', ' Por\u{200B}ch ', '--prompt', 'Be brief.'],
	]) {
		assert.deepEqual(
			await run(['agents', 'edit', 'Hearth', ...words]),
			ended(2, '', 'The name “Porch” is taken by agent 2. Nothing was done.\nChoose another name, or use --yes to give it to both.\n'),
		);
	}

	assert.equal(lastError(await run(['agents', 'edit', 'Hearth', '--name', 'porch', '--json'])).kind, 'conflict');
	assert.equal((await run(['agents', 'edit', 'Hearth', '--name', ' '])).exitCode, 2);
	assert.deepEqual([names(), service.requests.filter(({method}) => method !== 'GET')], [['Hearth', 'Porch'], []]);
	assert.equal((await run(['agents', 'edit', 'Hearth', '--name', 'HEARTH'])).exitCode, 0);
	assert.equal((await run(['agents', 'edit', 'Hearth', '--name', 'porch', '--yes'])).exitCode, 0);
	// Another spelling of the name that both have makes nothing worse: each is found by its own.
	assert.deepEqual(
		await run(['agents', 'edit', '1', '--name', 'PORCH', '--prompt', 'Be brief.']),
		ended(0, '1\tPORCH\t\tBe brief.\n', 'The earlier prompt is kept. To bring it back: switchboard agents restore PORCH\n'),
	);
	assert.deepEqual(names(), ['PORCH', 'Porch']);
});

type Uploaded = {readonly name: string; readonly category: string; readonly trigger_words: readonly string[]};

test('uploading a skill without trigger phrases warns; other categories do not', async (t: TestContext) => {
	const {
		run,
		service,
		home: {folder},
	} = await startLiveLike(t);
	writeCellar(folder);
	rmSync(path.join(folder, 'cellar', 'config.json'));
	const warning = 'Warning: cellar is a skill without trigger phrases, so nothing starts it. Add some with --triggers.\n';
	assert.deepEqual(await run(['abilities', 'upload', 'cellar']), ended(0, '25\tcellar\tCapability uploaded\n', warning));
	assert.deepEqual(
		await run(['abilities', 'upload', 'cellar', '--name', 'attic', '--triggers', '']),
		ended(0, '26\tattic\tCapability uploaded\n', `${warning.replace('cellar', 'attic')}“cellar” belongs to cellar (25).\n`),
	);
	assert.deepEqual(
		await run(['abilities', 'upload', 'cellar', '--name', 'loft', '--category', 'brain']),
		ended(0, '27\tloft\tCapability uploaded\n', '“cellar” belongs to attic (26).\n'),
	);
	assert.deepEqual(
		(service.abilities as readonly Uploaded[]).slice(-3).map(({name, category, trigger_words: phrases}) => [name, category, phrases]),
		[
			['cellar', 'skill', []],
			['attic', 'skill', []],
			['loft', 'brain_skill', []],
		],
	);
});
