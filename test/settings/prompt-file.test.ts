import {assert, createHash, mkdirSync, path, readdirSync, test, writeFileSync} from '../helpers/node.ts';
import {keptPromptsText, promptFileOf, renameKeptPrompts} from '../../source/settings/prompt-file.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

function openDraft() {
	const options = {account: 'https://voice.example.com\nwork', agentId: 7, configFolder: temporaryFolder()};
	const folder = path.join(options.configFolder, 'prompts');
	return {options, folder, draft: promptFileOf(options), offered: () => keptPromptsText(options, () => 'Hearth', 'e')};
}

test('a text that an earlier version kept is offered, is of an unknown prompt, and goes with what lies beside it', () => {
	const {options, folder, draft, offered} = openDraft();
	const name = `agent-7-${createHash('sha256').update(options.account).digest('hex').slice(0, 6)}.md`;
	mkdirSync(folder);
	writeFileSync(path.join(folder, name), 'Be brief.\n');
	writeFileSync(path.join(folder, `${name}.json`), '{"version":1,"agentName":"Hearth","prompt":"Be kind."}');
	assert.equal(offered(), 'Your unsaved text for the prompt of Hearth is kept. On Agents, e edits it again.');
	assert.deepEqual([draft.path(), draft.unsaved('Be kind.'), draft.isFrom('Be kind.')], [path.join(folder, name), 'Be brief.', false]);
	draft.remove();
	assert.deepEqual(readdirSync(folder), []);
});

test('a text is offered while no editor has it open, and follows its account to another name', () => {
	const {options, folder, draft, offered} = openDraft();
	assert.equal(draft.lock(), true);
	draft.open({text: 'Be brief.', prompt: 'Be kind.'});
	assert.deepEqual([offered(), promptFileOf(options).lock()], [undefined, false]);
	promptFileOf(options).remove();
	draft.unlock();
	assert.match(offered()!, /Hearth is kept/);
	renameKeptPrompts(options, 'https://voice.example.com\nhome');
	const renamed = promptFileOf({...options, account: 'https://voice.example.com\nhome'});
	assert.deepEqual([offered(), renamed.unsaved('Be kind.'), renamed.isFrom('Be kind.')], [undefined, 'Be brief.', true]);
	renamed.open({text: 'Be kind.', prompt: 'Be kind.'});
	assert.equal(renamed.keepsText('Be kind.'), false);
	assert.deepEqual(readdirSync(folder), []);
});
