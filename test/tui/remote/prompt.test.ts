import assert from 'node:assert/strict';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {sessionFoldersOf} from '../../../source/settings/session-folders.ts';
import {fingerprintOf} from '../../helpers/remote-terminal.ts';
import {setVariables} from '../../helpers/set-variables.ts';
import {startServer, type OpenSession} from '../helpers/remote.ts';

/** Opens the prompt of the first agent. */
const editPrompt = async (session: OpenSession): Promise<void> => {
	await session.waitFor('live');
	session.press('1');
	await session.waitFor('[1 Agents]');
	await session.waitFor('live');
	session.press('e');
	await session.waitFor('Prompt of ');
};

test('a prompt is edited on the screen, whatever editor the server has', async t => {
	// An editor on the machine of the server, which must not be started.
	setVariables(t, {VISUAL: 'false'});
	const {open} = await startServer(t);
	const session = open();
	await editPrompt(session);
	session.write('Speak softly. ');
	await session.waitFor('Speak softly.');
	session.press('ctrl+s');
	await session.waitFor('Saved: the prompt of');
	session.press('escape', 'enter');
	await session.waitFor('Speak softly.');
});

test('a text that was not saved when the line was cut is offered to the same key, and to no other', async t => {
	const {open, folders} = await startServer(t);
	const lost = open();
	await editPrompt(lost);
	lost.write('Half a sentence');
	await lost.waitFor('Half a sentence');
	lost.cut();
	assert.equal(await lost.exitCode, 129);
	const {configFolder} = sessionFoldersOf(lost.session.fingerprint, folders);
	assert.equal(readdirSync(path.join(configFolder, 'prompts')).filter(name => name.endsWith('.md')).length, 1);
	assert.equal(existsSync(path.join(folders.configFolder, 'prompts')), false);

	const again = open();
	await again.waitFor('Your unsaved text for the prompt of');
	again.press('e');
	await again.waitFor('Half a sentence');
	again.press('ctrl+s');
	await again.waitFor('Saved: the prompt of');
	assert.doesNotMatch(again.output.text, new RegExp(folders.configFolder));

	const other = open({fingerprint: fingerprintOf('z')});
	await other.waitFor('live');
	assert.doesNotMatch(other.output.text, /unsaved/);
});

test('a prompt that cannot be kept says so without naming a path', async t => {
	const {open, folders} = await startServer(t);
	const session = open({columns: 100});
	const {configFolder} = sessionFoldersOf(session.session.fingerprint, folders);
	await session.waitFor('live');
	mkdirSync(configFolder, {recursive: true});
	// Instead of the folder.
	writeFileSync(path.join(configFolder, 'prompts'), '');
	session.press('1');
	await session.waitFor('[1 Agents]');
	session.press('e');
	await session.waitFor('your drafts');
	assert.doesNotMatch(session.output.text, new RegExp(folders.configFolder));
});
