import {after, assert, path, readFileSync, test, type TestContext} from '../helpers/node.ts';
import {filesIn} from '../helpers/files-in.ts';
import {formTexts, readForm} from '../helpers/request-bodies.ts';
import {ended, isWrite, lastError, parseJson, runOnTerminal, shareServedHome, startLiveLike, startDocumented} from './kit.ts';

type Loose = Record<string, unknown>;

const linkedKeys = [{provider: 'weather', value: 'linked-secret-1'}];

/** A service whose list shows the linked keys of its abilities, unless told otherwise. */
async function start(t: TestContext, {isShown = true} = {}) {
	const started = await startLiveLike(t, {renamesInstalled: false});
	const [lamps] = started.service.abilities as [Loose];
	if (isShown) {
		lamps['selected_keys'] = linkedKeys;
	}

	return {
		...started,
		lamps,
		/** The texts of each form that was sent. */
		sent: async () =>
			Promise.all(
				started.service.requests
					.filter(isWrite)
					.map(async request =>
						Object.fromEntries(Object.entries(formTexts((await readForm(request))!)).map(([field, texts]) => [field, texts.join('|')])),
					),
			),
	};
}

test('a rename sends the rest back as it is listed, tells of the installed record that kept its name, and shows no linked key', async t => {
	const {home, run, sent, lamps} = await start(t);
	const {exitCode, stdout, stderr} = await run(['abilities', 'edit', 'lamps', '--name', 'Living room', '--json', '--debug']);
	assert.equal(exitCode, 0, stderr);
	assert.deepEqual(await sent(), [
		{
			name: 'Living room',
			category: 'skill',
			description: 'What lamps does',
			trigger_words: 'lamps please,it is dark',
			selected_keys: JSON.stringify(linkedKeys),
		},
	]);
	const {selected_keys: keys, ...record} = lamps;
	assert.deepEqual(keys, linkedKeys);
	assert.deepEqual(parseJson(stdout), {...record, capability_id: 21});
	assert.match(stderr, /The installed ability 301 is still called lamps\./);
	const told = await run(['history', '--json']);
	assert.deepEqual(
		(parseJson(told.stdout) as readonly Loose[]).map(({via, name, field, from, to}) => [via, name, field, from, to]),
		[['abilities edit', 'lamps', 'name', 'lamps', 'Living room']],
	);
	const texts = [stdout, stderr, told.stdout, ...filesIn(home.folder).map(file => readFileSync(path.join(home.folder, file), 'latin1'))];
	assert.ok(texts.length > 4);
	assert.deepEqual(
		texts.filter(text => text.includes('linked-secret')),
		[],
	);
});

test('each field is changed alone, nothing is sent where it is so already, and a lost answer is looked up', async t => {
	const {run, service, sent, lamps} = await start(t);
	const edits: ReadonlyArray<readonly [words: readonly string[], field: string, value: unknown]> = [
		[['--description', 'Light\nand dark'], 'description', 'Light\nand dark'],
		[['--category', 'daemon'], 'category', 'background_daemon'],
		[['--triggers', 'more light, less light'], 'trigger_words', ['more light', 'less light']],
		[['--no-triggers'], 'trigger_words', []],
	];
	for (const [words, field, value] of edits) {
		const before = structuredClone(lamps);
		const result = await run(['abilities', 'edit', 'LAMPS', ...words]);
		assert.equal(result.exitCode, 0, result.stderr);
		assert.deepEqual(lamps, {...before, [field]: value});
	}

	assert.equal((await run(['abilities', 'edit', '21', '--no-triggers', '--category', 'daemon'])).exitCode, 0);
	assert.equal((await sent()).length, edits.length);
	service.failNext({cut: 'connection', times: 2, when: isWrite, isCarriedOut: true});
	assert.equal((await run(['abilities', 'edit', '21', '--description', ''])).exitCode, 0);
	assert.equal(lamps['description'], '');
	service.failNext({status: 400, body: JSON.stringify({detail: 'No: linked-secret-1'}), when: isWrite});
	const refused = await run(['abilities', 'edit', '21', '--description', 'Dark']);
	assert.equal(refused.exitCode, 2);
	assert.match(refused.stderr, /No: \[linked key\]/);
});

test('what the list does not show is asked about, and refused in a pipe without --yes', async t => {
	const {env, run, sent, lamps} = await start(t, {isShown: false});
	const words = ['abilities', 'edit', 'lamps', '--description', 'Light'];
	const inPipe = await run([...words, '--json']);
	assert.deepEqual([inPipe.exitCode, lastError(inPipe).kind], [2, 'usage']);
	const question = 'The service does not show what lamps has of these: linked keys. Change it anyway and lose them? [y/N]';
	assert.deepEqual(await runOnTerminal(words, {env, typed: 'n\r'}), [2, `${question} n`, 'Nothing was changed.']);
	const meanwhile = await runOnTerminal(words, {
		env,
		typed: 'y\r',
		meanwhile() {
			delete lamps['trigger_words'];
		},
	});
	assert.match(meanwhile.join('\n'), /^2\n.*\nlamps was changed in the meantime\. Nothing was done\.\n/);
	assert.equal((await sent()).length, 0);
	lamps['trigger_words'] = ['lamps please'];
	assert.deepEqual(await runOnTerminal(words, {env, typed: 'y\r'}), [0, `${question} y`, 'Changed lamps.']);
	lamps['selected_keys'] = null;
	assert.equal((await run([...words.slice(0, 3), '--no-triggers'])).exitCode, 0);
	assert.deepEqual(
		(await sent()).map(fields => Object.keys(fields)),
		Array.from({length: 2}, () => ['name', 'category', 'description', 'trigger_words']),
	);
});

test('a service without the path does not offer it', async t => {
	const {run} = await startDocumented(t);
	const [ability] = parseJson((await run(['abilities', '--json'])).stdout) as readonly Loose[];
	const result = await run(['abilities', 'edit', String(ability!['capability_id']), '--description', 'x', '--yes', '--json']);
	assert.deepEqual([result.exitCode, lastError(result).kind], [4, 'not-found']);
	assert.match(lastError(result).message, /^Not offered: /);
});

const served = await shareServedHome({after});

test('a bundled service asks nothing, and each change of an edit can be reverted', async () => {
	const {run} = served;
	const read = async (): Promise<Loose> => {
		const {last_updated: _, ...record} = parseJson((await run(['abilities', 'get', '8', '--json'])).stdout) as Loose;
		return record;
	};

	const before = await read();
	const words = [
		'abilities',
		'edit',
		'pantry',
		'--name',
		'larder',
		'--category',
		'skill',
		'--description',
		'x',
		'--triggers',
		'what is left',
	];
	assert.deepEqual((await run([...words, '--dry-run'])).stderr, 'Nothing was changed: this was a dry run.\n');
	assert.deepEqual(await read(), before);
	const edited = await run(words);
	assert.equal(edited.exitCode, 0);
	assert.match(edited.stderr, /^The installed ability keeps its own trigger phrases\. To change them: switchboard installed edit \d+\n$/);
	assert.deepEqual((await run(['abilities', 'edit', 'larder', '--name', 'NightWatch'])).exitCode, 2);
	const entries = parseJson((await run(['history', 'larder', 'pantry', '--json', '--limit', '4'])).stdout) as readonly Loose[];
	for (const {id} of entries) {
		const reverted = await run(['history', 'revert', String(id), '--yes']);
		assert.equal(reverted.exitCode, 0, reverted.stderr);
	}

	assert.deepEqual(await read(), before);
	// The last change was reverted; reverting it again finds it so.
	assert.deepEqual(
		await run(['history', 'revert', String(entries[0]!['id']), '--yes', '--json']),
		ended(0, '{\n  "changes": [],\n  "unchanged": 1\n}\n'),
	);
});

test('slips are refused before anything is sent', async () => {
	const cases: ReadonlyArray<readonly [words: readonly string[], message: RegExp]> = [
		[[], /^Nothing to change\./],
		[['--name', ' '], /^An ability needs a name\./],
		[['--triggers', ','], /^The list after --triggers is empty\./],
		[['--triggers', 'x'], /four letters/],
		[['--triggers', 'what is left', '--no-triggers'], /cannot be used together/],
		[['--category', 'other'], /Invalid value/],
	];
	for (const [words, message] of cases) {
		const result = await served.run(['abilities', 'edit', 'pantry', ...words, '--json']);
		assert.equal(result.exitCode, 2, words.join(' '));
		assert.match(lastError(result).message, message);
	}
});
