import {assert, existsSync, mkdirSync, path, readdirSync, readFileSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {presetAccountOfProfile} from '../../../source/settings/account.ts';
import {openJournal} from '../../../source/settings/journal.ts';
import {sessionFoldersOf} from '../../../source/settings/remote-session.ts';
import {setVariables} from '../../helpers/set-variables.ts';
import type {Folders} from '../../helpers/temporary-folder.ts';
import {startServer, type OpenSession} from '../helpers/remote.ts';
import {fingerprintOf, waitUntil} from '../helpers/kit.ts';

/** Opens the prompt of the first agent. */
const editPrompt = async (session: OpenSession): Promise<void> => {
	await session.waitFor('live');
	session.press('1');
	await session.waitFor('[1 Agents]');
	await session.waitFor('live');
	session.press('e');
	await session.waitFor('Prompt of ');
};

/** Cuts the line of a session that edits a prompt. On a busy machine its editor is closed a moment after it has ended. */
const cutWhileEditing = async (session: OpenSession, folders: Folders): Promise<void> => {
	session.cut();
	assert.equal(await session.exitCode, 129);
	const drafts = path.join(sessionFoldersOf(session.session.fingerprint, folders).configFolder, 'prompts');
	await waitUntil(() =>
		readdirSync(drafts)
			.filter(name => name.endsWith('.json'))
			.every(name => !readFileSync(path.join(drafts, name), 'utf8').includes('"processId"')),
	);
};

test('a prompt is edited on the screen, whatever editor the server has', async t => {
	// An editor on the machine of the server, which must not be started.
	setVariables(t, {VISUAL: 'false'});
	const {
		open,
		folders,
		relay: {baseAddress},
	} = await startServer(t);
	const session = open();
	await editPrompt(session);
	session.write('Speak softly. ');
	await session.waitFor('Speak softly.');
	session.press('ctrl+s');
	await session.waitFor('Saved: the prompt of');
	session.press('escape', 'enter');
	await session.waitFor('Speak softly.');
	// The text before is kept for all who use the profile.
	const kept = openJournal(presetAccountOfProfile({baseAddress, profileName: 'home'}), folders).list();
	assert.deepEqual(
		kept.map(({version, via}) => [version, via]),
		[[1, 'screen']],
	);
});

test('a text that was not saved when the line was cut is offered to the same key, and to no other', async t => {
	const {open, folders} = await startServer(t);
	const lost = open();
	await editPrompt(lost);
	lost.write('Half a sentence');
	await lost.waitFor('Half a sentence');
	await cutWhileEditing(lost, folders);
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

/** Two sessions of one key: the first edits a prompt, and the second is told so. */
const openTwice = async (t: TestContext) => {
	const {open, folders} = await startServer(t);
	const [first, second] = [open(), open()];
	await editPrompt(first);
	first.write('Half a sentence');
	await first.waitFor('Half a sentence');
	await second.waitFor('live');
	second.press('1');
	await second.waitFor('[1 Agents]');
	await second.waitFor('live');
	second.press('e');
	await second.waitFor(/is being edited in another session of yours\./);
	return {open, folders, first, second};
};

test('a prompt that is edited in one session cannot be opened in another one of the same key, until that one is gone', async t => {
	const {folders, first, second} = await openTwice(t);
	await cutWhileEditing(first, folders);
	second.press('e');
	await second.waitFor('Half a sentence');
	second.write('Now: ');
	await second.waitFor('Now: Half a sentence');
	second.press('ctrl+s');
	await second.waitFor('Saved: the prompt of');
	second.press('e');
	const lines = await second.waitFor('Prompt of ');
	assert.ok(lines.some(line => line.includes('Now: Half a sentence')));
});

test('of two sessions of one key that are cut, the text of the one that edited is kept', async t => {
	const {open, folders, first, second} = await openTwice(t);
	second.cut();
	assert.equal(await second.exitCode, 129);
	first.write(' and more');
	await first.waitFor('Half a sentence and more');
	await cutWhileEditing(first, folders);
	const again = open();
	await again.waitFor('Your unsaved text for the prompt of');
	again.press('e');
	await again.waitFor('Half a sentence and more');
});

test('who comes back with a key that may only read is told of the kept text, and not how to edit it', async t => {
	const {open} = await startServer(t);
	const session = open({columns: 200});
	await editPrompt(session);
	session.write('Half a sentence');
	await session.waitFor('Half a sentence');
	session.end(new SwitchboardError('forbidden', 'Your key may only read from now on.'));
	assert.equal(await session.exitCode, 3);
	await session.waitFor(
		/Your text is kept in your drafts, not saved: Switchboard ended before you saved it\. Switchboard reminds you of it at the next start\./,
	);
	const again = open({isReadOnly: true, columns: 200});
	await again.waitFor(/Your unsaved text for the prompt of \S.* is kept\. You can go on with it once changes are allowed\./);
});
