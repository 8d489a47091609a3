import {assert, path, process, readdirSync, readFileSync, symlinkSync, test, writeFileSync} from '../helpers/node.ts';
import {openLastSeen} from '../../source/settings/last-seen.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';

const account = {baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'};

/** The undo of an account that has a list stored, as after a first look at it. */
const open = () => {
	const cacheFolder = path.join(temporaryFolder(), 'switchboard');
	const folder = path.join(cacheFolder, 'last-seen');
	const lastSeen = openLastSeen({...account, cacheFolder});
	lastSeen.save('installed', {records: [{id: 1}], fetchedAt: 1_700_000_000_000});
	return {
		cacheFolder,
		lastSeen,
		folder,
		openUndo: lastSeen.openUndo,
		files: () =>
			readdirSync(folder)
				.filter(name => name.includes('-undo-'))
				.map(name => path.join(folder, name)),
	};
};

const step = (number: number, at = Date.now() - 1000) => ({at, kind: 'switch', number});

test('what a session left is given to the next one, once, and the file is private and does not name the key', () => {
	const {openUndo, files, folder} = open();
	const first = openUndo();
	first.save({steps: [step(1), step(2)], marks: {installed: []}});
	const [file] = files();
	assert.deepEqual([modeOf(file!), modeOf(folder)], ['600', '700']);
	assert.doesNotMatch(file! + readFileSync(file!, 'utf8'), /sk-work|voice/);
	first.close();
	assert.doesNotMatch(path.basename(files()[0]!), new RegExp(`-${process.pid}-`), 'its process may still be ending');
	const second = openUndo();
	assert.deepEqual(
		second.earlier.steps.map(({number}) => number),
		[1, 2],
	);
	assert.deepEqual(second.earlier.marks, {installed: []});
	assert.deepEqual(openUndo().earlier, {steps: [], marks: {}});
	second.close();
	assert.equal(openUndo().earlier.steps.length, 2, 'it is kept on until it is undone');
});

test('a session does not take over what one that still runs has done, in this process or another', () => {
	const {openUndo, files} = open();
	const running = openUndo();
	running.save({steps: [step(1)], marks: {}});
	assert.deepEqual(openUndo().earlier.steps, []);
	const [file] = files();
	const text = readFileSync(file!, 'utf8');
	const name = path.basename(file!);
	for (const pid of [process.ppid, 2 ** 30]) {
		writeFileSync(path.join(path.dirname(file!), name.replace(`-${process.pid}-`, `-${pid}-`)), text);
	}

	assert.equal(openUndo().earlier.steps.length, 1, 'only that of the process that has ended');
	running.save({steps: [step(1), step(2)], marks: {}});
	assert.ok(files().includes(file!));
});

test('a file that is half-written, too large, of another version, old, from the future or a link is ignored', () => {
	const {openUndo, files, folder} = open();
	const before = openUndo();
	before.save({steps: [step(1)], marks: {}});
	before.close();
	const [file] = files();
	const text = readFileSync(file!, 'utf8');
	const day = 25 * 60 * 60 * 1000;
	const value = JSON.parse(text) as object;
	const wrong = [
		text.slice(0, -5),
		'[]',
		text.replace('"version":1', '"version":2'),
		JSON.stringify({...value, at: Date.now() - day}),
		JSON.stringify({...value, at: Date.now() + day}),
		JSON.stringify({...value, steps: [step(1, Date.now() - day), step(1, Date.now() + day), 7, null]}),
		`${text}${' '.repeat(300 * 1024)}`,
	];
	for (const content of wrong) {
		writeFileSync(file!, content);
		assert.deepEqual(openUndo().earlier.steps, [], content.slice(0, 80));
	}

	const elsewhere = path.join(folder, 'elsewhere');
	writeFileSync(elsewhere, text);
	symlinkSync(elsewhere, file!);
	assert.deepEqual(openUndo().earlier.steps, []);
	assert.equal(readFileSync(elsewhere, 'utf8'), text);
});

test('at most 200 steps and 256 KB are kept: the newest', () => {
	const {openUndo, files} = open();
	const undo = openUndo();
	undo.save({steps: Array.from({length: 300}, (_, index) => step(index)), marks: {}});
	undo.close();
	const next = openUndo();
	assert.deepEqual([next.earlier.steps.length, next.earlier.steps.at(-1)!['number']], [200, 299]);
	next.save({
		steps: [
			{...step(1), text: 'x'.repeat(200_000)},
			{...step(2), text: 'x'.repeat(200_000)},
		],
		marks: {installed: ['x'.repeat(100_000)]},
	});
	next.close();
	assert.equal(files().length, 1);
	const last = openUndo();
	assert.deepEqual(
		last.earlier.steps.map(({number}) => number),
		[2],
	);
	last.save({steps: [], marks: {}});
	assert.deepEqual(files(), [], 'nothing to keep leaves no file');
});

test('signing out removes it, and a session that goes on does not store it again', async () => {
	const {cacheFolder, openUndo, files, folder} = open();
	const settings = await openSettings({configFolder: path.join(cacheFolder, 'config'), cacheFolder});
	await settings.saveProfile({name: 'work', ...account});
	const [written, empty] = [openUndo(), openUndo()];
	written.save({steps: [step(1)], marks: {}});
	assert.equal(files().length, 1);
	await settings.forgetKey('work');
	assert.deepEqual(readdirSync(folder), []);
	written.save({steps: [step(1), step(2)], marks: {}});
	empty.save({steps: [step(1)], marks: {}});
	assert.deepEqual(files(), []);
});
