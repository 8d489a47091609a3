import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	chmodSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {test, type TestContext} from 'node:test';
import type {Client} from '../../source/client/client.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {presetAccountOfProfile} from '../../source/settings/account.ts';
import {keepPrompts, openJournal} from '../../source/settings/journal.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {modeOf, temporaryFolder, temporaryFolders} from '../helpers/temporary-folder.ts';

const account = 'https://voice.example.com work';

const openIn = (stateFolder: string, name = account) => {
	const journal = openJournal(name, {stateFolder});
	const folder = path.join(stateFolder, 'journal');
	return {
		...journal,
		folder,
		/** The file, once there is one. */
		file: () => path.join(folder, readdirSync(folder).find(each => each.endsWith('.jsonl'))!),
		keepText: async (text: string, agentId = 1) => journal.keep({
			agentId, name: `agent ${agentId}`, via: 'agents edit', text,
		}),
		texts: (agentId = 1) => journal.list().filter(kept => kept.agentId === agentId).map(({version, text}) => [version, text]),
	};
};

const newFolder = (): string => path.join(temporaryFolder(), 'switchboard');

test('a text is kept whole in a private file, and the newest is listed first', async () => {
	const journal = openIn(newFolder());
	assert.deepEqual(journal.list(), []);
	const text = '\tA\u{200D}B\u{1B}[31m \u{D800}\r\nend  \r\n\n"\\';
	await journal.keepText('first');
	await journal.keepText(text);
	const [newest, first] = journal.list();
	assert.deepEqual([newest!.text, newest!.version, newest!.agentId, newest!.name, newest!.via], [text, 2, 1, 'agent 1', 'agents edit']);
	assert.ok(newest!.at >= first!.at);
	assert.ok(newest!.at <= Date.now());
	assert.deepEqual([modeOf(journal.file()), modeOf(journal.folder), readdirSync(journal.folder).length], ['600', '700', 1]);
});

test('a text that is the newest of its agent already is not kept twice', async () => {
	const journal = openIn(newFolder());
	for (const [text, agentId] of [['a', 1], ['a', 1], ['a', 2], ['b', 1], ['a', 1]] as const) {
		await journal.keepText(text, agentId);
	}

	assert.deepEqual([journal.texts(1), journal.texts(2)], [[[3, 'a'], [2, 'b'], [1, 'a']], [[1, 'a']]]);
});

test('of more than twenty texts of an agent the oldest go, and the numbers go on', async () => {
	const journal = openIn(newFolder());
	await journal.keepText('of another', 2);
	for (let index = 1; index <= 23; index++) {
		await journal.keepText(`text ${index}`);
	}

	assert.deepEqual(journal.texts(), Array.from({length: 20}, (_, index) => [23 - index, `text ${23 - index}`]));
	assert.deepEqual([journal.texts(2), modeOf(journal.file()), readdirSync(journal.folder).length], [[[1, 'of another']], '600', 1]);
});

test('a file stays below 50 MB, and a text that does not fit is refused', async () => {
	const journal = openIn(newFolder());
	const large = 'x'.repeat(26 * 1024 * 1024);
	await journal.keepText(large, 1);
	await journal.keepText(large, 2);
	assert.deepEqual(journal.list().map(({agentId}) => agentId), [2]);
	await assert.rejects(journal.keepText(large + large), /^SwitchboardError: The present prompt of agent 1 cannot be kept: it takes more than 50 MB\.$/);
	assert.ok(statSync(journal.file()).size < 50 * 1024 * 1024);
});

test('a line that was cut off is skipped, and lines of other kinds and later formats stay', async () => {
	const journal = openIn(newFolder());
	await journal.keepText('first');
	const line = (fields: object): string => JSON.stringify({
		format: 1, kind: 'prompt', at: '2026-01-02T03:04:05.000Z', via: 'apply', agent_id: 1, name: 'Hearth', version: 9, text: 'mine', ...fields,
	});
	const others = [line({kind: 'installed', enabled: true}), line({format: 2}), line({version: 0}), line({version: 1.5}), line({agent_id: '1'}), line({at: 'never'}), line({at: undefined}), line({text: 7}), line({name: null})];
	const broken = ['', 'null', '[]', '7', '{"kind":', '\u{0}'];
	const first = readFileSync(journal.file(), 'utf8').trimEnd();
	writeFileSync(journal.file(), [...others, first, ...broken, first.slice(0, -4)].join('\n'));
	assert.deepEqual(journal.texts(), [[1, 'first']]);
	for (let index = 2; index <= 22; index++) {
		await journal.keepText(`text ${index}`);
		assert.deepEqual(journal.texts()[0], [index, `text ${index}`]);
	}

	const lines = readFileSync(journal.file(), 'utf8').split('\n');
	assert.deepEqual(lines.slice(0, others.length), others);
	assert.equal(lines.length, others.length + 20 + 1);
});

test('a file that is a link, has a second name or is a folder is neither read nor written', async () => {
	const elsewhere = path.join(temporaryFolder(), 'victim');
	const problems: ReadonlyArray<readonly [make: (file: string) => void, problem: string]> = [
		[file => {
			symlinkSync(elsewhere, file);
		}, 'is not a regular file'],
		[file => {
			linkSync(elsewhere, file);
		}, 'has a second name'],
		[file => {
			mkdirSync(file);
		}, 'is not a regular file'],
	];
	for (const [make, problem] of problems) {
		writeFileSync(elsewhere, 'mine\n');
		const stateFolder = newFolder();
		const journal = openIn(stateFolder);
		await journal.keepText('first');
		const file = journal.file();
		await journal.remove();
		make(file);
		assert.throws(() => journal.list(), {message: `The texts that prompts had cannot be read: ${file} ${problem}`});
		await assert.rejects(journal.keepText('second'), {message: `The present prompt of agent 1 cannot be kept: ${file} ${problem}.`});
		const hidden = openJournal(account, {stateFolder, arePathsShown: false});
		assert.throws(() => hidden.list(), {message: `The texts that prompts had cannot be read: its file ${problem}`});
		assert.equal(readFileSync(elsewhere, 'utf8'), 'mine\n');
	}
});

test('a file that others may read is closed to them', async () => {
	const journal = openIn(newFolder());
	await journal.keepText('first');
	chmodSync(journal.file(), 0o644);
	await journal.keepText('second');
	assert.equal(modeOf(journal.file()), '600');
});

test('where the folder cannot be made, a text is not kept, and the reason names no path that must not be shown', async () => {
	const prompt = {
		agentId: 1, name: 'Hearth', via: 'screen', text: 'first',
	};
	const stateFolder = '/proc/nobody';
	await assert.rejects(openJournal(account, {stateFolder}).keep(prompt), /^SwitchboardError: The present prompt of Hearth cannot be kept: ENOENT: no such file or directory, mkdir '\/proc\/nobody.*'\.$/);
	await assert.rejects(openJournal(account, {stateFolder, arePathsShown: false}).keep(prompt), /^SwitchboardError: The present prompt of Hearth cannot be kept: ENOENT\.$/);
	assert.deepEqual(openJournal(account, {stateFolder}).list(), []);
});

test('no text is lost when several processes keep one at the same time', async () => {
	const stateFolder = newFolder();
	const script = `
		const {openJournal} = await import(${JSON.stringify(new URL('../../source/settings/journal.ts', import.meta.url).href)});
		const journal = openJournal('a', {stateFolder: ${JSON.stringify(stateFolder)}});
		for (let index = 0; index < 10; index++) {
			await journal.keep({agentId: 1, name: 'Hearth', via: 'apply', text: \`\${process.argv[1]}-\${index}\`});
		}`;
	const children = ['1', '2'].map(name =>
		spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script, name], {stdio: ['ignore', 'inherit', 'inherit']}));
	const exits = await Promise.all(children.map(async child => once(child, 'exit')));
	assert.deepEqual(exits.map(([code]) => code as number), [0, 0]);
	const journal = openIn(stateFolder, 'a');
	assert.deepEqual(journal.texts().map(([version]) => version), Array.from({length: 20}, (_, index) => 20 - index));
	assert.equal(new Set(journal.texts().map(([, text]) => text)).size, 20);
	assert.equal(readdirSync(journal.folder).length, 1);
});

test('kept texts follow the new name of their profile, and go with its key and with the profile', async () => {
	const folders = temporaryFolders();
	const {stateFolder} = folders;
	const settings = await openSettings(folders);
	const profile = {name: 'work', baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'};
	const journalOf = (profileName: string) => openIn(stateFolder, presetAccountOfProfile({...profile, profileName}));
	await settings.saveProfile(profile);
	await settings.saveProfile({...profile, name: 'other'});
	await journalOf('other').keepText('of the other');
	await journalOf('work').keepText('first');
	writeFileSync(`${journalOf('work').file()}.unfinished.tmp`, 'first');
	await settings.saveProfile({...profile, apiKey: 'sk-new-0123456789'});
	assert.deepEqual(journalOf('work').texts(), [[1, 'first']]);
	await settings.renameProfile('work', 'office');
	assert.deepEqual([journalOf('work').texts(), journalOf('office').texts()], [[], [[1, 'first']]]);
	await settings.forgetKey('office');
	assert.deepEqual(journalOf('office').texts(), []);
	await journalOf('office').keepText('second');
	await settings.removeProfile('office');
	assert.deepEqual([journalOf('office').texts(), journalOf('other').texts(), settings.notices], [[], [[1, 'of the other']], []]);
});

test('signing out says so where kept texts cannot be removed', async () => {
	const folders = temporaryFolders();
	const settings = await openSettings(folders);
	await settings.saveProfile({name: 'work', baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'});
	const journal = openIn(folders.stateFolder, account);
	await journal.keepText('first');
	mkdirSync(`${journal.file()}.lock`);
	await settings.forgetKey('work');
	assert.match(settings.notices.join('\n'), /^The texts that the prompts of the profile “work” had stay where they were: .*\.lock is not a regular file; remove it$/);
});

/** A client whose edits are told, on a journal in a folder of its own. */
const openKeeper = (stateFolder = newFolder()) => {
	const [sent, notes]: [unknown[], string[]] = [[], []];
	const journal = openIn(stateFolder);
	const client = keepPrompts({
		async editAgent(agent, changes) {
			sent.push([changes.prompt, journal.texts(agent.id)]);
			return agent;
		},
	} as Client, {
		openJournal: () => journal,
		via: 'apply',
		note(text) {
			notes.push(text);
		},
	});
	return {
		client, journal, sent, notes,
	};
};

const agentWith = (fields: object) => decodeRecord('agents', {id: 1, name: 'Hearth', ...fields})!;

test('a client keeps a prompt before it sends another one', async () => {
	const {client, journal, sent} = openKeeper();
	await client.editAgent(agentWith({description: ' before\r\n'}), {prompt: 'after'});
	assert.deepEqual([sent, journal.list().map(({name, via}) => [name, via])], [[['after', [[1, ' before\r\n']]]], [['Hearth', 'apply']]]);
});

test('nothing is kept of a prompt that stays, is empty or is not shown, nor where the journal is off', async (t: TestContext) => {
	const {client, journal, sent} = openKeeper();
	const before = agentWith({description: 'before'});
	await client.editAgent(before, {prompt: 'before'});
	await client.editAgent(before, {name: 'Hob'});
	await client.editAgent(agentWith({description: ' \n'}), {prompt: 'after'});
	await client.editAgent(agentWith({}), {prompt: 'after'});
	setVariables(t, {SWITCHBOARD_JOURNAL: 'off'});
	await client.editAgent(before, {prompt: 'after'});
	assert.deepEqual([sent.length, journal.list()], [5, []]);
	assert.throws(() => readdirSync(journal.folder), {code: 'ENOENT'});
});

test('a prompt that cannot be kept is not changed, unless it may be lost', async () => {
	const {client, sent, notes} = openKeeper('/proc/nobody');
	const agent = agentWith({description: 'before'});
	const problem = 'The present prompt of Hearth cannot be kept: ENOENT: no such file or directory, mkdir \'/proc/nobody\'.';
	await assert.rejects(client.editAgent(agent, {prompt: 'after'}), {kind: 'not-kept', message: `${problem} It was not changed.`, nextStep: 'Use --yes to change it all the same.'});
	assert.deepEqual([sent, notes], [[], []]);
	await client.editAgent(agent, {prompt: 'after', canLosePrompt: true});
	assert.deepEqual([sent, notes], [[['after', []]], [problem]]);
});
