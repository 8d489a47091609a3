import assert from 'node:assert/strict';
import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {openSettings} from '../../source/settings/settings.ts';
import {accountOf} from '../../source/tui/hooks/service-session.ts';
import {promptFileOf} from '../../source/tui/screens/agent/prompt-file.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-in-process.ts';

const baseAddress = 'https://voice.example.com';

/** A home with two profiles on one address, each with a text that was edited and not saved. */
const openWithDrafts = async () => {
	const {env} = createIsolatedHome();
	const configFolder = path.join(env['XDG_CONFIG_HOME']!, 'switchboard');
	const settings = await openSettings({configFolder, cacheFolder: path.join(env['XDG_CACHE_HOME']!, 'switchboard')});
	const drafts = [];
	for (const name of ['work', 'home']) {
		await settings.saveProfile({name, baseAddress, apiKey: `sk-${name}-0123456789`});
		const draft = promptFileOf({account: accountOf({client: {baseAddress}, profileName: name}), agentId: 1, configFolder});
		draft.open('You are Hearth, and this is not saved.', {agentName: 'Hearth', prompt: 'You are Hearth.'});
		writeFileSync(`${draft.path}.save`, 'rescued');
		writeFileSync(path.join(path.dirname(draft.path), `.${path.basename(draft.path)}.swp`), 'recovery');
		drafts.push(draft.path);
	}

	return {env, drafts: drafts as [string, string], folder: path.dirname(drafts[0]!)};
};

for (const words of [['logout', '--profile', 'work'], ['profiles', 'remove', 'work']]) {
	test(`switchboard ${words[0]} removes the unsaved texts of its account, and no others`, async () => {
		const {env, drafts, folder} = await openWithDrafts();
		const [work, home] = drafts;
		const {exitCode, stderr} = await runCommand(words, {env});
		assert.equal(exitCode, 0, stderr);
		assert.equal(existsSync(work), false);
		assert.deepEqual(readdirSync(folder).filter(name => name.includes(path.basename(work))), []);
		assert.ok(existsSync(home));
		assert.equal(readdirSync(folder).length, 4);
	});
}
