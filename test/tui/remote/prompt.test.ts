import {after, assert, path, test, type TestContext} from '../../helpers/node.ts';
import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {presetAccountOfProfile} from '../../../source/settings/account.ts';
import {openLog} from '../../../source/changes/log.ts';
import {sessionFoldersOf} from '../../../source/settings/remote-session.ts';
import {setVariables} from '../../helpers/set-variables.ts';
import {fingerprintOf, includes, type OpenSession, startServer, waitUntil} from '../helpers/kit.ts';

const {enter, open, folders, relay} = await startServer({after});

async function openAgents(session: OpenSession): Promise<void> {
	await session.press('1').waitFor('[1 Agents]');
	await session.waitFor('live');
}

/** Opens the prompt of the first agent, and types a text before it. */
async function editPrompt(session: OpenSession, text: string): Promise<void> {
	await openAgents(session);
	await session.press('e').waitFor('Prompt of ');
	await session.write(text).waitFor(text.trimEnd());
}

async function savePrompt(session: OpenSession): Promise<void> {
	await session.press('ctrl+s').waitFor('Saved: the prompt of');
}

/** Cuts the line of a session that edits a prompt. On a busy machine its editor is closed a moment after it has ended. */
async function cutWhileEditing(session: OpenSession): Promise<void> {
	session.cut();
	assert.equal(await session.exitCode, 129);
	const drafts = path.join(sessionFoldersOf(session.session.fingerprint, folders).configFolder, 'prompts');
	await waitUntil(() => readdirSync(drafts).every(name => !name.endsWith('.lock')));
}

test('a prompt is edited on the screen, whatever editor the server has', async t => {
	// An editor on the machine of the server, which must not be started.
	setVariables(t, {VISUAL: 'false'});
	const session = await enter(t);
	await editPrompt(session, 'Speak softly. ');
	await savePrompt(session);
	await session.press('escape', 'enter').waitFor('Speak softly.');
	// The text before is kept for all who use the profile.
	const kept = openLog(presetAccountOfProfile({baseAddress: relay.baseAddress, profileName: 'home'}), folders).list();
	assert.deepEqual(
		kept.map(({version, via}) => [version, via]),
		[[1, 'screen']],
	);
});

test('a text that was not saved when the line was cut is offered to the same key, and to no other', async t => {
	const lost = await enter(t);
	await editPrompt(lost, 'Lost on the way. ');
	await cutWhileEditing(lost);
	const {configFolder} = sessionFoldersOf(lost.session.fingerprint, folders);
	assert.equal(readdirSync(path.join(configFolder, 'prompts')).filter(name => name.endsWith('.md')).length, 1);
	assert.equal(existsSync(path.join(folders.configFolder, 'prompts')), false);

	const again = open(t);
	await again.waitFor('Your unsaved text for the prompt of');
	await again.press('e').waitFor('Lost on the way.');
	await savePrompt(again);
	assert.doesNotMatch(again.output.text, new RegExp(folders.configFolder));

	const other = await enter(t, {fingerprint: fingerprintOf('somebody else')});
	assert.doesNotMatch(other.output.text, /unsaved/);
});

test('a prompt that cannot be kept says so without naming a path', async t => {
	const session = await enter(t, {columns: 100});
	const {configFolder} = sessionFoldersOf(session.session.fingerprint, folders);
	mkdirSync(configFolder, {recursive: true});
	// Instead of the folder.
	writeFileSync(path.join(configFolder, 'prompts'), '');
	await openAgents(session);
	await session.press('e').waitFor('your drafts');
	assert.doesNotMatch(session.output.text, new RegExp(folders.configFolder));
});

/** Two sessions of one key: the first edits a prompt, and the second is told so. */
async function openTwice(t: TestContext, text: string) {
	const [first, second] = await Promise.all([enter(t), enter(t)]);
	await editPrompt(first, text);
	await openAgents(second);
	await second.press('e').waitFor(/is being edited in another session of yours\./);
	return {first, second};
}

test('a prompt that is edited in one session cannot be opened in another one of the same key, until that one is gone', async t => {
	const {first, second} = await openTwice(t, 'Half a sentence');
	await cutWhileEditing(first);
	await second.press('e').waitFor('Half a sentence');
	await second.write('Now: ').waitFor('Now: Half a sentence');
	await savePrompt(second);
	assert.ok(includes('Now: Half a sentence')(await second.press('e').waitFor('Prompt of ')));
});

test('of two sessions of one key that are cut, the text of the one that edited is kept', async t => {
	const {first, second} = await openTwice(t, 'In the middle');
	second.cut();
	assert.equal(await second.exitCode, 129);
	await first.write(' and more').waitFor('In the middle and more');
	await cutWhileEditing(first);
	const again = open(t);
	await again.waitFor('Your unsaved text for the prompt of');
	await again.press('e').waitFor('In the middle and more');
});

test('who comes back with a key that may only read is told of the kept text, and not how to edit it', async t => {
	const session = await enter(t, {columns: 200});
	await editPrompt(session, 'Never saved. ');
	session.end(new SwitchboardError('forbidden', 'Your key may only read from now on.'));
	assert.equal(await session.exitCode, 3);
	await session.waitFor(
		/Your text is kept in your drafts, not saved: Switchboard ended before you saved it\. Switchboard reminds you of it at the next start\./,
	);
	const again = open(t, {isReadOnly: true, columns: 200});
	await again.waitFor(/Your unsaved text for the prompt of \S.* is kept\. You can go on with it once changes are allowed\./);
});
