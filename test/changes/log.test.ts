import {assert, path, test, type TestContext} from '../helpers/node.ts';
import {
	appendFileSync,
	chmodSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {ChangeLog, openLog, type NewEntry} from '../../source/changes/log.ts';
import {runTogether} from '../helpers/run-together.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';

const account = 'https://voice.example.com work';
const at = Date.UTC(2026, 0, 2);

const change: NewEntry = {
	by: 'you',
	via: 'disable',
	session: 'a',
	group: 'a',
	begun: at,
	kind: 'installed',
	name: 'pantry',
	record: 7,
	field: 'enabled',
	from: true,
	to: false,
	at,
	since: at,
};

const prompt: NewEntry = {...change, kind: 'agent', name: 'Hearth', record: 1, field: 'prompt', from: 'first', to: 'after'};

const newFolder = (): string => path.join(temporaryFolder(), 'switchboard');

const openIn = (stateFolder: string, options: ConstructorParameters<typeof ChangeLog>[1] = {}) => {
	const log = new ChangeLog(account, {stateFolder, ...options});
	const folder = path.join(stateFolder, 'changes');
	const names = () => readdirSync(folder).map(name => name.slice(24));
	let time = at;
	return {
		log,
		folder,
		names,
		file: () => path.join(folder, readdirSync(folder).find(name => name.endsWith('.jsonl'))!),
		lines: () => readFileSync(path.join(folder, readdirSync(folder).find(name => name.endsWith('.jsonl'))!), 'utf8').split('\n'),
		keepText: async (text: string, agentId = 1) => log.append([{...prompt, at: ++time, since: time, record: agentId, from: text}]),
		texts: (agentId = 1) => log.prompts(agentId).map(({version, text}) => [version, text]),
		/** The changes, oldest first. */
		told: () =>
			[...log.newestFirst()]
				.map(({id, by, field, from, to, state}) => [id, by, field, JSON.stringify(from), JSON.stringify(to), state].join(' ').trim())
				.toReversed(),
	};
};

test('a text is kept whole in a private file, a long one beside the log, and the newest is listed first', async () => {
	const {log, folder, file, names, keepText} = openIn(newFolder());
	assert.deepEqual(log.prompts(), []);
	const odd = '\tA\u{200D}B\u{1B}[31m \u{D800}\r\nend  \r\n\n"\\';
	const long = `${'x'.repeat(1000)}é\u{1F600}`;
	await keepText(odd);
	await keepText(long);
	await keepText(long + odd);
	assert.deepEqual(
		log.prompts().map(({text, version, agentId, name, via}) => [text, version, agentId, name, via]),
		[
			[long + odd, 3, 1, 'Hearth', 'disable'],
			[long, 2, 1, 'Hearth', 'disable'],
			[odd, 1, 1, 'Hearth', 'disable'],
		],
	);
	assert.deepEqual([modeOf(file()), modeOf(folder), names().toSorted()], ['600', '700', ['.jsonl', '.texts']]);
	const [text] = readdirSync(file().replace('.jsonl', '.texts'));
	assert.equal(modeOf(path.join(file().replace('.jsonl', '.texts'), text!)), '600');
	// Two long values of a field are told apart.
	await log.append([
		{...prompt, isSeen: true, at: at + 90, since: at + 80, to: `${long}a`},
		{...prompt, isSeen: true, at: at + 91, since: at + 80, to: `${long}b`},
	]);
	assert.deepEqual(
		[...log.newestFirst().take(2)].map(({to}) => log.whole(to)),
		[`${long}b`, `${long}a`],
	);
});

test('a text that is the newest of its agent already is not kept twice', async () => {
	const {keepText, texts} = openIn(newFolder());
	for (const [text, agentId] of [
		['a', 1],
		['a', 1],
		['a', 2],
		['b', 1],
		[' \n', 1],
		['a', 1],
	] as const) {
		await keepText(text, agentId);
	}

	assert.deepEqual(
		[texts(1), texts(2)],
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
	const {keepText, texts} = openIn(newFolder());
	await keepText('of another', 2);
	for (let index = 1; index <= 23; index++) {
		await keepText(`text ${index}`);
	}

	assert.deepEqual(
		texts(),
		Array.from({length: 20}, (_, index) => [23 - index, `text ${23 - index}`]),
	);
	assert.deepEqual(texts(2), [[1, 'of another']]);
});

/** A hundredth of those by default. */
const limits = {fileBytes: 0.08 * 1024 * 1024, textBytes: 0.5 * 1024 * 1024};

test('the texts stay below their limit, the last ones of an agent the longest, and a text that does not fit is refused', async () => {
	const {log, file, keepText, texts} = openIn(newFolder(), {limits});
	const large = 'x'.repeat(0.2 * 1024 * 1024);
	await log.append([{...prompt, record: 3, isSeen: true, from: '', to: `${large}seen`}]);
	await keepText(`${large}1`, 1);
	await keepText(`${large}2`, 2);
	assert.deepEqual([texts(1).length, texts(2).length], [1, 1]);
	await keepText(`${large}3`, 2);
	assert.deepEqual([texts(1).length, texts(2).length], [0, 2]);
	await assert.rejects(
		log.append([{...prompt, from: large + large + large}], 'The present prompt of Hearth cannot be kept'),
		/^SwitchboardError: The present prompt of Hearth cannot be kept: it takes more than 0\.5 MB\.$/,
	);
	assert.equal(readdirSync(file().replace('.jsonl', '.texts')).length, 2);
});

test('a line that was cut off is skipped, and lines of other kinds and later formats stay', async () => {
	const {log, file, lines, keepText, texts, told} = openIn(newFolder(), {limits});
	await keepText('first');
	const first = lines()[0]!;
	const line = (fields: object): string => JSON.stringify({...(JSON.parse(first) as object), id: 70, ...fields});
	const others = [
		line({format: 2}),
		line({id: Number.MAX_SAFE_INTEGER}),
		line({id: -70}),
		line({id: 'x'}),
		line({at: 'never'}),
		line({kind: 'room'}),
		line({record: null}),
		line({field: 7}),
		'{"format":1,"settles":1,"outcome":"lost"}',
		'{"format":1,"settles":"1","outcome":"failed"}',
	];
	writeFileSync(file(), ['', 'null', '[]', '7', '{"kind":', '\u{0}', ...others, first, first.slice(0, -4)].join('\n'));
	const again = openIn(path.dirname(path.dirname(file())), {limits});
	assert.deepEqual(again.texts(), [[1, 'first']]);
	await again.keepText('second');
	assert.deepEqual([again.told().length, again.texts()[0], texts()[0]], [2, [2, 'second'], [2, 'second']]);
	await log.append(Array.from({length: 400}, (_, index) => ({...change, group: `${index}`, record: index})));
	assert.deepEqual([lines().slice(0, others.length), texts().length], [others, 2]);
	assert.deepEqual([told().length > 100, told().at(-1)!.split(' ')[0]], [true, '402']);
});

test('a file that is a link, has a second name or is a folder is neither read nor written', async () => {
	const elsewhere = path.join(temporaryFolder(), 'victim');
	const problems: ReadonlyArray<readonly [make: (file: string) => void, problem: string]> = [
		[
			file => {
				symlinkSync(elsewhere, file);
			},
			'is not a regular file',
		],
		[
			file => {
				linkSync(elsewhere, file);
			},
			'has a second name',
		],
		[
			file => {
				mkdirSync(file);
			},
			'is not a regular file',
		],
	];
	for (const [make, problem] of problems) {
		writeFileSync(elsewhere, 'mine\n');
		const stateFolder = newFolder();
		const first = openIn(stateFolder);
		await first.keepText('first');
		const file = first.file();
		await first.log.remove();
		make(file);
		const {log} = openIn(stateFolder);
		const hidden = openIn(stateFolder, {arePathsShown: false});
		assert.throws(() => log.prompts(), {message: `The texts that prompts had cannot be read: ${file} ${problem}`});
		assert.throws(() => [...log.newestFirst()], {message: `The history on this machine cannot be read: ${file} ${problem}`});
		assert.throws(() => hidden.log.prompts(), {message: `The texts that prompts had cannot be read: its file ${problem}`});
		await assert.rejects(log.append([change]), {message: `The history on this machine misses changes: ${file} ${problem}.`});
		assert.equal(readFileSync(elsewhere, 'utf8'), 'mine\n');
	}
});

test('a file that others may read is closed to them', async () => {
	const {file, keepText} = openIn(newFolder());
	await keepText('first');
	chmodSync(file(), 0o644);
	await keepText('second');
	assert.equal(modeOf(file()), '600');
});

test('where the folder cannot be made, nothing is noted, and the reason names no path that must not be shown', async () => {
	const {log} = openIn('/proc/nobody');
	const hidden = openIn('/proc/nobody', {arePathsShown: false});
	await assert.rejects(
		log.append([change]),
		/^SwitchboardError: The history on this machine misses changes: ENOENT: no such file or directory, mkdir '\/proc\/nobody.*'\.$/,
	);
	await assert.rejects(hidden.log.append([change]), /^SwitchboardError: The history on this machine misses changes: ENOENT\.$/);
	assert.deepEqual([log.prompts(), [...log.newestFirst()]], [[], []]);
});

test('changes are numbered in their order whatever the clock says', async () => {
	const {log, told} = openIn(newFolder());
	await log.append([change, {...change, from: false, to: true, at: at - 86_400_000}]);
	await log.append([{...change, name: 'n'.repeat(2000), from: 'y'.repeat(100_000), undoes: 'b', before: {on: true}}]);
	const [long, second, first] = log.newestFirst();
	const {since: _, ...given} = change;
	assert.deepEqual(first, {...given, id: 1, at: '2026-01-02T00:00:00.000Z', key: null});
	assert.deepEqual(
		[second!.id, second!.at, long!.id, long!.name.length, long!.undoes, long!.before],
		[2, '2026-01-01T00:00:00.000Z', 3, 1000, 'b', {on: true}],
	);
	assert.match(JSON.stringify(long!.from), /^\{"characters":100000,"sha256":"[\da-f]{64}","start":"y{200}"\}$/);
	assert.equal(log.whole(long!.from), 'y'.repeat(100_000));
	assert.equal(told().length, 3);
});

test('thousands of changes push out no text, and of more than 10,000 the oldest go while the numbers go on', async () => {
	const {log, keepText, texts} = openIn(newFolder());
	await keepText('kept');
	for (let count = 0; count < 3; count++) {
		await log.append(Array.from({length: 4000}, (_, index) => ({...change, group: `${index % 400} ${count}`, record: index})));
	}

	const entries = [...log.newestFirst()];
	assert.deepEqual([entries[0]!.id, texts()], [12_001, [[1, 'kept']]]);
	assert.ok(entries.length >= 8990, `${entries.length} are left`);
	assert.ok(entries.length <= 10_000, `${entries.length} are left`);
	const groups = Map.groupBy(entries.slice(0, -1), ({group}) => group);
	assert.ok(
		groups.values().every(({length}) => length === 10),
		'whole groups go',
	);
	// The newest group stays, whatever it takes.
	await log.append(Array.from({length: 10_500}, (_, index) => ({...change, record: index})));
	assert.deepEqual([[...log.newestFirst()].length, texts().length], [10_501, 1]);
});

test('a log is read backwards in pieces and goes on from its last byte, also once another process has written it anew', async () => {
	const stateFolder = newFolder();
	const [log, other] = [openIn(stateFolder), openIn(stateFolder)];
	const entries = (count: number) =>
		Array.from({length: count}, (_, index) => ({...change, record: index, name: 'é'.repeat(500), group: `${index}`}));
	await log.log.append(entries(2000));
	await log.log.append([{...change, name: 'x', before: {text: 'y'.repeat(700_000)}}]);
	await log.log.append(entries(10));
	assert.deepEqual(
		[...other.log.newestFirst()].map(({id}) => id),
		Array.from({length: 2011}, (_, index) => 2011 - index),
	);
	await log.log.append(entries(1));
	assert.equal([...other.log.newestFirst().take(1)][0]!.id, 2012);
	await log.log.append(entries(9000));
	assert.equal([...other.log.newestFirst()].length, [...log.log.newestFirst()].length);
	assert.equal((await other.log.append(entries(1)))[0]!.id, 11_013);
});

test('a change that was seen is noted once, by whichever program saw it, and not beside the one that was made here', async () => {
	const stateFolder = newFolder();
	const [made, first, second] = [openIn(stateFolder), openIn(stateFolder).log, openIn(stateFolder).log];
	const seen: NewEntry = {...change, isSeen: true, by: 'elsewhere', via: 'watch', session: ''};
	const {told} = made;

	// Two programs see the same, in lists that one has read before the other.
	await first.append([{...seen, at: at + 10, since: at}]);
	await second.append([{...seen, at: at + 20, since: at - 5}]);
	// The same again, later: in the list between it was on.
	await second.append([{...seen, at: at + 40, since: at + 30}]);
	assert.deepEqual(told(), ['1 elsewhere enabled true false', '2 elsewhere enabled true false']);

	// Made here: one sees it before it is noted, the other one after.
	await first.append([{...seen, from: false, to: true, at: at + 52, since: at + 45}]);
	await made.log.append([{...change, from: false, to: true, at: at + 55, since: at + 50}]);
	await second.append([{...seen, from: false, to: true, at: at + 60, since: at + 48}]);
	assert.deepEqual(told().slice(2), ['4 you enabled false true']);

	// Made here, and changed once more elsewhere before a list is read. A service may trim a text.
	const name: NewEntry = {...change, field: 'triggers', from: ['a'], to: ['b', 'c'], at: at + 70, since: at + 69};
	await made.log.append([name, {...name, field: 'prompt', from: 'old', to: ' new\r\n'}]);
	const later: NewEntry = {...name, isSeen: true, by: 'elsewhere', since: at + 65};
	await first.append([
		{...later, to: ['c', 'b']},
		{...later, field: 'prompt', from: 'old', to: 'new'},
	]);
	await first.append([{...later, to: ['d']}]);
	assert.deepEqual(told().slice(3), [
		'5 you triggers ["a"] ["b","c"]',
		String.raw`6 you prompt "old" " new\r\n"`,
		'7 elsewhere triggers ["b","c"] ["d"]',
	]);

	// With an ability that is deleted here goes what is installed of it.
	await made.log.append([{...change, kind: 'ability', record: 2, field: 'exists', from: true, to: false, at: at + 80, since: at + 79}]);
	await first.append([{...seen, field: 'installed', at: at + 85, since: at + 75}]);
	assert.equal(told().length, 7);

	// Sent, and not answered yet.
	await made.log.append([{...prompt, state: 'sent', at: at + 90, since: at + 90}]);
	await first.append([{...prompt, isSeen: true, at: at + 99, since: at + 95}]);
	assert.deepEqual(told().slice(7), ['9 you prompt "first" "after" sent']);
});

test('an outcome is known by a line of its own: a change that failed is none, but a prompt that was kept for it stays kept', async () => {
	const stateFolder = newFolder();
	const {log, told, texts} = openIn(stateFolder);
	const [sent, lost, made] = await log.append([
		{...prompt, state: 'sent'},
		{...change, state: 'sent'},
		{...change, field: 'installed', record: 0, state: 'sent'},
	]);
	await log.settle([
		{id: sent!.id, outcome: 'failed'},
		{id: lost!.id, outcome: 'unknown'},
		{id: made!.id, outcome: 'done', record: 9, to: true},
	]);
	assert.deepEqual(told(), ['2 you enabled true false unknown', '3 you installed true true']);
	await log.settle([{id: lost!.id, outcome: 'done'}]);
	for (const each of [log, openIn(stateFolder).log]) {
		assert.deepEqual(
			[...each.newestFirst()].map(({id, state, record}) => [id, state, record]),
			[
				[3, undefined, 9],
				[2, undefined, 7],
			],
		);
	}

	assert.deepEqual(texts(), [[1, 'first']]);
});

test('where nothing is kept, the log is in memory, and what was there before is still read', async (t: TestContext) => {
	const stateFolder = newFolder();
	const before = openIn(stateFolder);
	await before.keepText('kept');
	setVariables(t, {SWITCHBOARD_JOURNAL: 'off'});
	const {log, told, texts, names} = openIn(stateFolder);
	const long = 'x'.repeat(2000);
	const [entry] = await log.append([{...prompt, from: long, state: 'sent'}]);
	await log.settle([{id: entry!.id, outcome: 'done'}]);
	assert.deepEqual([told().length, texts(), log.keepZip(new Uint8Array(3)), names()], [2, [[1, 'kept']], undefined, ['.jsonl']]);
	assert.deepEqual([...log.newestFirst()][0]!.from, long);
	assert.equal([...openIn(stateFolder).log.newestFirst()].length, 1);
});

test('a session of another process that finds its log gone does not make it again', async () => {
	const stateFolder = newFolder();
	const [log, other] = [openIn(stateFolder), openIn(stateFolder)];
	await log.keepText('x'.repeat(2000));
	log.log.keepZip(new Uint8Array(3));
	assert.equal(other.told().length, 1);
	mkdirSync(path.join(log.folder, 'mine'));
	await log.log.remove();
	assert.deepEqual(readdirSync(log.folder), ['mine']);
	await other.log.append([change]);
	assert.deepEqual([readdirSync(log.folder), other.told().length], [['mine'], 1]);
	assert.equal((await openIn(stateFolder).log.append([change]))[0]!.id, 1);
});

test('a log with its texts and zips follows the new name of its account', async () => {
	const stateFolder = newFolder();
	const {log, keepText} = openIn(stateFolder);
	const long = 'x'.repeat(2000);
	await keepText(long);
	const zip = log.keepZip(new Uint8Array([1, 2]))!;
	await log.rename('other');
	const other = openLog('other', {stateFolder});
	assert.deepEqual([other.prompts()[0]!.text, other.zipOf(zip)], [long, Buffer.from([1, 2])]);
	assert.equal(openLog('other', {stateFolder}), other);
	assert.deepEqual(openIn(stateFolder).log.prompts(), []);
});

test('the newest twenty zips are kept, and one that somebody changed is none', async () => {
	const {log, folder} = openIn(newFolder());
	const names = Array.from({length: 22}, (_, index) => log.keepZip(new Uint8Array([index]))!);
	assert.equal(names.filter(name => log.zipOf(name) !== undefined).length, 20);
	const zips = path.join(folder, readdirSync(folder)[0]!);
	appendFileSync(path.join(zips, readdirSync(zips)[0]!), 'x');
	assert.equal(names.filter(name => log.zipOf(name) !== undefined).length, 19);
	assert.equal(modeOf(path.join(zips, readdirSync(zips)[0]!)), '600');
	assert.equal(log.zipOf('../../x'), undefined);
});

test('no change and no text is lost, and no number given twice, when several processes note some at the same time', async () => {
	const stateFolder = newFolder();
	await runTogether(
		'changes/log.ts',
		`
		const log = new opened.ChangeLog(${JSON.stringify(account)}, {stateFolder: ${JSON.stringify(stateFolder)}});
		for (let index = 0; index < 20; index++) {
			const at = Date.now();
			await log.append([{...${JSON.stringify(change)}, by: process.argv[1], to: index, at, since: at}]);
			if (index % 2 === 0) {
				await log.append([{...${JSON.stringify(prompt)}, from: process.argv[1] + index, at, since: at}]);
			}
		}`,
	);
	const {log, folder, texts} = openIn(stateFolder);
	const entries = [...log.newestFirst()];
	assert.deepEqual(
		entries.map(({id}) => id),
		Array.from({length: 60}, (_, index) => 60 - index),
	);
	assert.equal(new Set(entries.map(({by, to, from}) => `${by} ${JSON.stringify([from, to])}`)).size, 60);
	assert.deepEqual(
		texts().map(([version]) => version),
		Array.from({length: 20}, (_, index) => 20 - index),
	);
	assert.deepEqual([readdirSync(folder).length, existsSync(`${folder}.lock`)], [1, false]);
	assert.ok(statSync(folder).isDirectory());
});
