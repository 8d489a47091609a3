import {assert, existsSync, mkdirSync, path, readdirSync, rmSync, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {accountNameOf, presetAccountOfProfile} from '../../source/settings/account.ts';
import {openAccountRecords} from '../../source/changes/account-records.ts';
import {openLog} from '../../source/changes/log.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {promptFileOf} from '../../source/settings/prompt-file.ts';
import {createIsolatedHome, ended, lastError, runOnTerminal, parseJson, runCommand, startLiveLike} from './kit.ts';

const baseAddress = 'https://voice.example.com';

/** A home with two profiles on one address, each with a text that was edited and not saved. */
async function openWithDrafts() {
	const {env} = createIsolatedHome();
	const configFolder = path.join(env['XDG_CONFIG_HOME']!, 'switchboard');
	const settings = await openSettings({configFolder, cacheFolder: path.join(env['XDG_CACHE_HOME']!, 'switchboard')});
	const drafts = [];
	for (const name of ['work', 'home']) {
		await settings.saveProfile({name, baseAddress, apiKey: `sk-${name}-0123456789`});
		const draft = promptFileOf({account: accountNameOf({baseAddress, profileName: name}), agentId: 1, configFolder});
		draft.open({text: 'You are Hearth, and this is not saved.', prompt: 'You are Hearth.'});
		// Beside it an editor leaves a text, and earlier versions left where it was from.
		writeFileSync(`${draft.path()}.save`, 'rescued');
		writeFileSync(`${draft.path()}.json`, '{}');
		writeFileSync(path.join(path.dirname(draft.path()), `.${path.basename(draft.path())}.swp`), 'recovery');
		drafts.push(draft.path());
	}

	return {env, drafts: drafts as [string, string], folder: path.dirname(drafts[0]!)};
}

for (const words of [
	['logout', '--profile', 'work'],
	['profiles', 'remove', 'work'],
]) {
	test(`switchboard ${words[0]} removes the unsaved texts of its account, and no others`, async () => {
		const {env, drafts, folder} = await openWithDrafts();
		const [work, home] = drafts;
		const {exitCode, stderr} = await runCommand(words, {env});
		assert.equal(exitCode, 0, stderr);
		assert.equal(existsSync(work), false);
		assert.deepEqual(
			readdirSync(folder).filter(name => name.includes(path.basename(work))),
			[],
		);
		assert.ok(existsSync(home));
		assert.equal(readdirSync(folder).length, 4);
	});
}

/** A signed-in profile whose agent had three other prompts before. */
async function openWithPrompts() {
	const {env} = createIsolatedHome();
	const folders = {
		configFolder: path.join(env['XDG_CONFIG_HOME']!, 'switchboard'),
		cacheFolder: path.join(env['XDG_CACHE_HOME']!, 'switchboard'),
		stateFolder: path.join(env['XDG_STATE_HOME']!, 'switchboard'),
	};
	const settings = await openSettings({...folders, records: openAccountRecords(folders.stateFolder)});
	await settings.saveProfile({name: 'work', baseAddress, apiKey: 'sk-work-0123456789'});
	const journal = openLog(presetAccountOfProfile({baseAddress, profileName: 'work'}), folders);
	for (const text of ['a', 'b', 'c']) {
		await journal.keep({agentId: 1, name: 'Hearth', via: 'agents edit', text});
	}

	return {env, settings, left: () => settings.earlierPrompts('work').count};
}

const value = (kept: number, deleted: number) => ({profile: 'work', base_url: baseAddress, prompts: {kept, deleted}});

test('signing out says how many earlier prompts go, and goes on in a pipe', async () => {
	const {env, left} = await openWithPrompts();
	const done = ' the key of the profile “work”.\n';
	assert.deepEqual(
		await runCommand(['logout', '--dry-run'], {env}),
		ended(0, `Would sign out: remove${done}`, 'Would delete 3 earlier prompts of 1 agent.\nNothing was changed: this was a dry run.\n'),
	);
	const preview = await runCommand(['logout', '--dry-run', '--json'], {env});
	assert.deepEqual([parseJson(preview.stdout), left()], [value(0, 3), 3]);
	assert.deepEqual(await runCommand(['logout'], {env}), ended(0, `Signed out: removed${done}`, 'Deleted 3 earlier prompts of 1 agent.\n'));
	assert.equal(left(), 0);
	assert.deepEqual(parseJson((await runCommand(['logout', '--json'], {env})).stdout), value(0, 0));
});

test('with --keep-prompts they stay, and profiles remove counts them too', async () => {
	const {env, left} = await openWithPrompts();
	const kept = await runCommand(['logout', '--keep-prompts', '--json'], {env});
	assert.deepEqual(
		[kept.exitCode, parseJson(kept.stdout), kept.stderr],
		[0, value(3, 0), 'Kept 3 earlier prompts of 1 agent for the next sign-in to the same address.\n'],
	);
	assert.equal(left(), 3);
	const preview = await runCommand(['profiles', 'remove', 'work', '--dry-run'], {env});
	assert.match(preview.stderr, /^Would delete 3 earlier prompts of 1 agent\.\n/);
	assert.match((await runCommand(['profiles', 'remove', 'work', '--keep-prompts'], {env})).stderr, /^Kept 3 earlier prompts/);
	assert.equal(lastError(await runCommand(['logout', '--json', '--profile', 'work'], {env})).kind, 'not-found');
});

test('on a terminal with something to lose it asks, and removes nothing without a yes', async () => {
	const {env, settings, left} = await openWithPrompts();
	const [, ...removal] = await runOnTerminal(['profiles', 'remove', 'work'], {env, typed: 'n\r'});
	assert.deepEqual(removal, [
		'Remove the profile “work”? Its key (…6789), its presets, its unsaved texts and 3 earlier prompts of 1 agent are deleted; this cannot be undone. --keep-prompts keeps the prompts. [y/N] n',
		'Nothing was removed.',
	]);
	assert.deepEqual([left(), settings.profiles()[0]?.apiKey], [3, 'sk-work-0123456789']);
	assert.equal((await runCommand(['logout', '--yes'], {env})).exitCode, 0);
	assert.equal(left(), 0);
});

test('login says if prompts that were kept at the sign-out could not be taken over', async (t: TestContext) => {
	const {home, service} = await startLiveLike(t);
	const run = async (...words: readonly string[]) => runCommand([...words, '--profile', 'work'], {env: home.env, stdin: service.apiKey});
	const login = ['login', '--base-url', service.baseAddress, '--api-key-stdin'];
	await run(...login);
	await run('agents', 'edit', 'Hearth', '--prompt', 'Be brief.');
	await run('logout', '--keep-prompts');
	const folder = path.join(home.env['XDG_STATE_HOME']!, 'switchboard', 'journal');
	for (const name of readdirSync(folder)) {
		rmSync(path.join(folder, name));
		mkdirSync(path.join(folder, name));
	}

	const {exitCode, stderr} = await run(...login);
	assert.equal(exitCode, 0);
	assert.match(stderr, /^The texts that the prompts of the profile “work” had stay where they were: /);
});
