import {assert, path, test} from '../helpers/node.ts';
import {chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {openAccountRecords} from '../../source/changes/account-records.ts';
import {presetAccountOfProfile} from '../../source/settings/account.ts';
import type {NewChange} from '../../source/changes/log-lines.ts';
import {openLog} from '../../source/changes/log.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {modeOf, temporaryFolder, temporaryFolders} from '../helpers/temporary-folder.ts';
import {runTogether} from '../helpers/run-together.ts';

const account = 'https://voice.example.com work';

function openIn(stateFolder: string, name = account, limits?: {readonly fileBytes: number; readonly changeBytes: number}) {
	const journal = openLog(name, {stateFolder, limits});
	const folder = path.join(stateFolder, 'journal');
	return {
		...journal,
		folder,
		/** The file, once there is one. */
		file: () => path.join(folder, readdirSync(folder).find(each => each.endsWith('.jsonl'))!),
		keepText: async (text: string, agentId = 1) => journal.keep({agentId, name: `agent ${agentId}`, via: 'agents edit', text}),
		texts: (agentId = 1) =>
			journal
				.list()
				.filter(kept => kept.agentId === agentId)
				.map(({version, text}) => [version, text]),
	};
}

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
	for (const [text, agentId] of [
		['a', 1],
		['a', 1],
		['a', 2],
		['b', 1],
		['a', 1],
	] as const) {
		await journal.keepText(text, agentId);
	}

	assert.deepEqual(
		[journal.texts(1), journal.texts(2)],
		[
			[
				[3, 'a'],
				[2, 'b'],
				[1, 'a'],
			],
			[[1, 'a']],
		],
	);
});

test('of more than twenty texts of an agent the oldest go, and the numbers go on', async () => {
	const journal = openIn(newFolder());
	await journal.keepText('of another', 2);
	for (let index = 1; index <= 23; index++) {
		await journal.keepText(`text ${index}`);
	}

	assert.deepEqual(
		journal.texts(),
		Array.from({length: 20}, (_, index) => [23 - index, `text ${23 - index}`]),
	);
	assert.deepEqual([journal.texts(2), modeOf(journal.file()), readdirSync(journal.folder).length], [[[1, 'of another']], '600', 1]);
});

/** A hundredth of those by default. */
const smallLimits = {fileBytes: 0.5 * 1024 * 1024, changeBytes: 0.08 * 1024 * 1024};

test('a file stays below its limit, and a text that does not fit is refused', async () => {
	const journal = openIn(newFolder(), account, smallLimits);
	const large = 'x'.repeat(0.26 * 1024 * 1024);
	await journal.keepText(large, 1);
	await journal.keepText(large, 2);
	assert.deepEqual(
		journal.list().map(({agentId}) => agentId),
		[2],
	);
	await assert.rejects(
		journal.keepText(large + large),
		/^SwitchboardError: The present prompt of agent 1 cannot be kept: it takes more than 0\.5 MB\.$/,
	);
	assert.ok(statSync(journal.file()).size < smallLimits.fileBytes);
});

test('a line that was cut off is skipped, and lines of other kinds and later formats stay', async () => {
	const journal = openIn(newFolder());
	await journal.keepText('first');
	const line = (fields: object): string =>
		JSON.stringify({
			format: 1,
			kind: 'prompt',
			at: '2026-01-02T03:04:05.000Z',
			via: 'apply',
			agent_id: 1,
			name: 'Hearth',
			version: 9,
			text: 'mine',
			...fields,
		});
	const others = [
		line({kind: 'installed', enabled: true}),
		line({format: 2}),
		line({version: 0}),
		line({version: 1.5}),
		line({agent_id: '1'}),
		line({at: 'never'}),
		line({at: undefined}),
		line({text: 7}),
		line({name: null}),
	];
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
		[file => symlinkSync(elsewhere, file), 'is not a regular file'],
		[file => linkSync(elsewhere, file), 'has a second name'],
		[file => mkdirSync(file), 'is not a regular file'],
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
		const hidden = openLog(account, {stateFolder, arePathsShown: false});
		assert.throws(() => journal.changes(), {message: `The history on this machine cannot be read: ${file} ${problem}`});
		await assert.rejects(journal.note([change]), {message: `The history on this machine misses changes: ${file} ${problem}.`});
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
	const prompt = {agentId: 1, name: 'Hearth', via: 'screen', text: 'first'};
	const stateFolder = '/proc/nobody';
	await assert.rejects(
		openLog(account, {stateFolder}).keep(prompt),
		/^SwitchboardError: The present prompt of Hearth cannot be kept: no such file or directory: \/proc\/nobody.*\.$/,
	);
	await assert.rejects(
		openLog(account, {stateFolder, arePathsShown: false}).keep(prompt),
		/^SwitchboardError: The present prompt of Hearth cannot be kept: ENOENT\.$/,
	);
	assert.deepEqual(openLog(account, {stateFolder}).list(), []);
});

test('kept texts follow the new name of their profile, and go with its key and with the profile', async () => {
	const folders = temporaryFolders();
	const {stateFolder} = folders;
	const settings = await openSettings({...folders, records: openAccountRecords(folders.stateFolder)});
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

test('texts that were kept while signing out go to the next profile of the address, and with the profile that is signed out', async () => {
	const folders = temporaryFolders();
	const {stateFolder} = folders;
	const settings = await openSettings({...folders, records: openAccountRecords(folders.stateFolder)});
	const profile = {name: 'work', baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'};
	const journalOf = (profileName: string) => openIn(stateFolder, presetAccountOfProfile({...profile, profileName}));
	await settings.saveProfile(profile);
	await journalOf('work').keepText('first');
	await journalOf('work').keepText('second');
	assert.deepEqual(settings.earlierPrompts('work'), {count: 2, text: '2 earlier prompts of 1 agent'});
	assert.equal(await settings.forgetKey('work', {arePromptsKept: true}), true);
	assert.deepEqual([journalOf('work').texts(), settings.earlierPrompts('work').count], [[], 2]);
	await settings.saveProfile({...profile, name: 'elsewhere', baseAddress: 'https://other.example.com'});
	await journalOf('new').keepText('third');
	await settings.saveProfile({...profile, name: 'new'});
	assert.deepEqual(journalOf('new').texts(), [
		[3, 'third'],
		[2, 'second'],
		[1, 'first'],
	]);
	assert.equal(await settings.removeProfile('new', {arePromptsKept: true}), true);
	assert.equal(settings.earlierPrompts('work').count, 3, 'Nobody else would delete them');
	await settings.forgetKey('work');
	assert.equal(settings.earlierPrompts('work').count, 0);
	await settings.saveProfile(profile);
	assert.deepEqual([journalOf('work').texts(), settings.notices], [[], []]);
});

test('signing out says so where kept texts cannot be removed', async () => {
	const folders = temporaryFolders();
	const settings = await openSettings({...folders, records: openAccountRecords(folders.stateFolder)});
	await settings.saveProfile({name: 'work', baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'});
	const journal = openIn(folders.stateFolder, account);
	await journal.keepText('first');
	mkdirSync(`${journal.file()}.lock`);
	await settings.forgetKey('work');
	assert.match(
		settings.notices.join('\n'),
		/^The texts that the prompts of the profile “work” had stay where they were: .*\.lock is not a regular file; remove it$/,
	);
});

const change: NewChange = {
	by: 'you',
	via: 'disable',
	kind: 'installed',
	name: 'pantry',
	record: 7,
	field: 'enabled',
	from: true,
	to: false,
	at: Date.UTC(2026, 0, 2),
	since: Date.UTC(2026, 0, 2),
};

test('changes are numbered in their order whatever the clock says, and texts stay beside them', async () => {
	const journal = openIn(newFolder());
	await journal.keepText('first');
	await journal.note([change, {...change, from: false, to: true, at: change.at - 86_400_000}]);
	await journal.keepText('second');
	await journal.note([{...change, name: 'n'.repeat(2000), to: 'x'.repeat(200_000), from: 'y'.repeat(100_000)}]);
	const [long, second, first] = journal.changes();
	assert.deepEqual(first, {
		id: 1,
		at: '2026-01-02T00:00:00.000Z',
		by: 'you',
		key: null,
		via: 'disable',
		kind: 'installed',
		name: 'pantry',
		record: 7,
		field: 'enabled',
		from: true,
		to: false,
	});
	assert.deepEqual(
		[second!.id, second!.at, long!.id, long!.name.length, JSON.stringify(long!.from).length],
		[2, '2026-01-01T00:00:00.000Z', 3, 1000, 100_002],
	);
	assert.match(JSON.stringify(long!.to), /^\{"characters":200000,"sha256":"[\da-f]{64}","start":"x{200}"\}$/);
	assert.deepEqual(
		[journal.texts(), modeOf(journal.file())],
		[
			[
				[2, 'second'],
				[1, 'first'],
			],
			'600',
		],
	);
});

test('thousands of changes push out no text, and of more than 10,000 the oldest go while the numbers go on', async () => {
	const journal = openIn(newFolder());
	await journal.keepText('kept');
	for (let count = 0; count < 3; count++) {
		await journal.note(
			Array.from({length: 4000}, (_, index) => ({...change, record: index, at: change.at + count, since: change.at + count})),
		);
	}

	const ids = journal.changes().map(({id}) => id);
	assert.deepEqual([ids[0], journal.texts()], [12_000, [[1, 'kept']]]);
	assert.ok(ids.length >= 9000, `${ids.length} are left`);
	assert.ok(ids.length <= 10_000, `${ids.length} are left`);
	assert.equal(ids.at(-1), 12_001 - ids.length);
});

test('changes take their share at most and no room that texts need, and the last number is not lost with them', async () => {
	const journal = openIn(newFolder(), account, smallLimits);
	const long = Array.from({length: 90}, (_, index) => ({
		...change,
		to: `${index}${'x'.repeat(900)}`,
		at: change.at + index,
		since: change.at + index,
	}));
	await journal.note(long);
	const bytes = statSync(journal.file()).size;
	assert.ok(bytes > 0.06 * 1024 * 1024, `it has ${bytes} bytes`);
	assert.ok(bytes <= smallLimits.changeBytes, `it has ${bytes} bytes`);
	await journal.keepText('x'.repeat(0.26 * 1024 * 1024), 1);
	await journal.keepText('x'.repeat(0.238 * 1024 * 1024), 2);
	assert.deepEqual([journal.list().length, journal.changes().map(({id}) => id)], [2, [90]]);
	assert.ok(statSync(journal.file()).size <= smallLimits.fileBytes);
	await journal.note([{...change, to: true}]);
	assert.equal(journal.changes()[0]!.id, 91);
});

test('a change that was seen is noted once, by whichever program saw it, and not beside the one that was made here', async () => {
	const stateFolder = newFolder();
	const [made, first, second] = [openIn(stateFolder), openIn(stateFolder), openIn(stateFolder)];
	const seen = {...change, by: 'elsewhere', via: 'watch'};
	const {at} = change;
	const told = () =>
		made
			.changes()
			.map(({id, by, field, from, to}) => `${id} ${by} ${field} ${JSON.stringify(from)} ${JSON.stringify(to)}`)
			.toReversed();

	// Two programs see the same, in lists that one has read before the other.
	await first.note([{...seen, at: at + 10, since: at}]);
	await second.note([{...seen, at: at + 20, since: at - 5}]);
	// The same again, later: in the list between it was on.
	await second.note([{...seen, at: at + 40, since: at + 30}]);
	assert.deepEqual(told(), ['1 elsewhere enabled true false', '2 elsewhere enabled true false']);

	// Made here: one sees it before it is noted, the other one after.
	await first.note([{...seen, from: false, to: true, at: at + 52, since: at + 45}]);
	await made.note([{...change, from: false, to: true, at: at + 55, since: at + 50}]);
	await second.note([{...seen, from: false, to: true, at: at + 60, since: at + 48}]);
	assert.deepEqual(told().slice(2), ['4 you enabled false true']);

	// Made here, and changed once more elsewhere before a list is read. A service may trim a text.
	const name = {...change, field: 'triggers', from: ['a'], to: ['b', 'c'], at: at + 70, since: at + 69};
	await made.note([name, {...name, field: 'prompt', from: 'old', to: ' new\r\n'}]);
	await first.note([
		{...name, by: 'elsewhere', to: ['c', 'b'], since: at + 65},
		{...name, field: 'prompt', by: 'elsewhere', from: 'old', to: 'new', since: at + 65},
	]);
	await first.note([{...name, by: 'elsewhere', to: ['d'], since: at + 65}]);
	assert.deepEqual(told().slice(3), [
		'5 you triggers ["a"] ["b","c"]',
		String.raw`6 you prompt "old" " new\r\n"`,
		'7 elsewhere triggers ["b","c"] ["d"]',
	]);

	// With an ability that is deleted here goes what is installed of it.
	await made.note([{...change, kind: 'ability', record: 2, field: 'exists', from: true, to: false, at: at + 80, since: at + 79}]);
	await first.note([{...seen, field: 'installed', at: at + 85, since: at + 75}]);
	assert.equal(told().length, 7);
});

test('broken lines, lines of other programs and numbers that go backwards do no harm to the changes', async () => {
	const journal = openIn(newFolder());
	await journal.note([change]);
	const line = readFileSync(journal.file(), 'utf8').trimEnd();
	const withFields = (fields: object): string => JSON.stringify({...(JSON.parse(line) as object), ...fields});
	const others = [
		withFields({id: 9}),
		withFields({id: 5, name: 'later'}),
		withFields({id: 5, name: 'latest'}),
		withFields({format: 2, id: 70}),
		withFields({kind: 'note', id: 70}),
		withFields({id: Number.MAX_SAFE_INTEGER}),
		withFields({id: -70}),
		withFields({id: 'x'}),
		withFields({id: 70, at: 'never'}),
		withFields({id: 70, record_kind: 'prompt'}),
		withFields({id: 70, record: null}),
		withFields({id: 70, field: 7}),
	];
	writeFileSync(journal.file(), [line, ...others, 'null', '{"id":', line.slice(0, -4)].join('\n'));
	const again = openIn(path.dirname(journal.folder));
	await again.note([{...change, to: true}]);
	assert.deepEqual(
		again.changes().map(({id, name}) => `${id} ${name}`),
		['10 pantry', '9 pantry', '5 latest', '1 pantry'],
	);
	// What is not understood stays as it is.
	assert.deepEqual(
		readFileSync(journal.file(), 'utf8')
			.split('\n')
			.slice(1, others.length + 1),
		others,
	);
});

test('no change and no text is lost, and no number given twice, when several processes note some at the same time', async () => {
	const stateFolder = newFolder();
	await runTogether(
		'changes/log.ts',
		`
		const journal = opened.openLog('a', {stateFolder: ${JSON.stringify(stateFolder)}});
		for (let index = 0; index < 20; index++) {
			await journal.note([{...${JSON.stringify(change)}, by: process.argv[1], to: index}]);
			if (index % 2 === 0) {
				await journal.keep({agentId: 1, name: 'Hearth', via: 'apply', text: \`\${process.argv[1]}-\${index}\`});
			}
		}`,
	);
	const journal = openIn(stateFolder, 'a');
	const changes = journal.changes();
	assert.deepEqual(
		changes.map(({id}) => id),
		Array.from({length: 40}, (_, index) => 40 - index),
	);
	assert.equal(new Set(changes.map(({by, to}) => `${by} ${JSON.stringify(to)}`)).size, 40);
	assert.deepEqual(
		journal.texts().map(([version]) => version),
		Array.from({length: 20}, (_, index) => 20 - index),
	);
	assert.equal(new Set(journal.texts().map(([, text]) => text)).size, 20);
	assert.equal(readdirSync(journal.folder).length, 1);
});
