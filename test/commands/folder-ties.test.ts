import {Buffer, execFileSync, mkdirSync, path, readFileSync, test, type TestContext, assert} from '../helpers/node.ts';
import {rawZip} from '../interface/ability-package/raw-zip.ts';
import {chmodSync, existsSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {codeFiles, ended, isWrite, lastError, parseJson, runOnTerminal, startLiveLike, writeFolder} from './kit.ts';

/*
The file by which a folder belongs to an ability (`.openhome.json`), as the vendor's Python client writes and reads it too.
*/

type Fields = Readonly<Record<string, unknown>>;

async function start(t: TestContext) {
	const live = await startLiveLike(t);
	const {home, service} = live;
	const place = (...parts: readonly string[]) => path.join(home.folder, ...parts);
	const tiePlace = (folder: string) => place(folder, '.openhome.json');
	return {
		...live,
		place,
		tiePlace,
		readTie: (folder: string) => JSON.parse(readFileSync(tiePlace(folder), 'utf8')) as Fields,
		/** Writes a folder with the file that the client wrote of the ability `lamps`, and these fields in it. */
		writeTied(folder: string, fields: Fields = {}, code = 'print(21)\n') {
			writeFolder(place(folder), codeFiles(code));
			writeFileSync(tiePlace(folder), JSON.stringify({capability_id: '21', name: 'lamps', ...fields}, undefined, 2));
		},
		here: {base_address: service.baseAddress},
		sourceOf: (id: number) => Buffer.from(service.sources.get(id)!.find(file => file.path === 'main.py')!.bytes).toString(),
		/** What was sent that changes anything. */
		written: () => service.requests.filter(isWrite).map(({path: sent}) => sent.replace('/api/capabilities/', '')),
	};
}

test('pull says in the folder which ability it is, and does not list that file', async (t: TestContext) => {
	const {run, readTie, service, here} = await start(t);
	const result = await run(['abilities', 'pull', 'lamps', 'work', '--json']);
	assert.deepEqual(parseJson(result.stdout), {capability_id: 21, name: 'lamps', folder: 'work', files: ['main.py', '__init__.py']});
	assert.deepEqual(readTie('work'), {
		capability_id: '21',
		name: 'lamps',
		category: 'skill',
		trigger_words: ['lamps please', 'it is dark'],
		description: 'What lamps does',
		version: '1.0.0',
		release_id: 9021,
		...here,
	});
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('fields that are not known stay, in their order, and a file that says the same is not touched', async (t: TestContext) => {
	const {run, place, tiePlace, writeTied, readTie, here} = await start(t);
	writeTied('work', {last_synced: 'today', releases: [{id: 1}]});
	assert.equal((await run(['abilities', 'pull', 'lamps', 'work'])).exitCode, 0);
	assert.deepEqual(Object.keys(readTie('work')).slice(0, 4), ['capability_id', 'name', 'last_synced', 'releases']);
	assert.deepEqual([readTie('work')['base_address'], readTie('work')['releases']], [here.base_address, [{id: 1}]]);
	chmodSync(tiePlace('work'), 0o600);
	const before = readdirSync(place('work'));
	const text = readFileSync(tiePlace('work'), 'utf8');
	assert.equal((await run(['abilities', 'pull', 'lamps', 'work'])).exitCode, 0);
	assert.deepEqual([readdirSync(place('work')), readFileSync(tiePlace('work'), 'utf8')], [before, text]);
});

test('a folder of another ability, or of another service, is pulled over with --force only', async (t: TestContext) => {
	const {run, writeTied, readTie, here} = await start(t);
	for (const [fields, named] of [
		[{capability_id: '22', name: 'pan\u{1B}[2Jtry', ...here}, 'pantry (22)'],
		[{base_address: 'https://elsewhere.example'}, 'lamps (21)'],
	] as const) {
		writeTied('work', fields);
		const refused = await run(['abilities', 'pull', 'lamps', 'work']);
		assert.deepEqual([refused.exitCode, refused.stderr.split('\n')[1]], [2, `“.openhome.json” says that it belongs to ${named}.`]);
		assert.equal(readTie('work')['capability_id'], 'capability_id' in fields ? fields.capability_id : '21');
		assert.equal((await run(['abilities', 'pull', 'lamps', 'work', '--force'])).exitCode, 0);
		assert.deepEqual(
			[readTie('work')['capability_id'], readTie('work')['name'], readTie('work')['base_address']],
			['21', 'lamps', here.base_address],
		);
	}
});

for (const [what, make, reason] of [
	['a link', (file: string) => symlinkSync('/etc/hostname', file), 'is a symbolic link'],
	['a pipe', (file: string) => execFileSync('mkfifo', [file]), 'is not a regular file'],
	['half-written', (file: string) => writeFileSync(file, '{"capability_id": "2'), 'is not a JSON object'],
	['a list', (file: string) => writeFileSync(file, '[21]'), 'is not a JSON object'],
	['nested without end', (file: string) => writeFileSync(file, `{"a":${'['.repeat(50_000)}`), 'is not a JSON object'],
	['huge', (file: string) => writeFileSync(file, `{"a": "${'x'.repeat(300_000)}"}`), 'is far too large'],
] as const) {
	test(`a file that is ${what} is left as it is, with a note`, async (t: TestContext) => {
		const {run, place, tiePlace} = await start(t);
		mkdirSync(place('work'));
		make(tiePlace('work'));
		const result = await run(['abilities', 'pull', 'lamps', 'work']);
		assert.deepEqual(
			result,
			ended(
				0,
				'main.py\tadded\n__init__.py\tadded\n',
				`“work/.openhome.json” ${reason}, so it was left as it is. Remove it to have it written again.\n`,
			),
		);
	});
}

test('a folder that was pulled is pushed to its ability, whatever it is called', async (t: TestContext) => {
	const {run, place, readTie, service, sourceOf, written} = await start(t);
	assert.equal((await run(['abilities', 'pull', 'lamps', 'work'])).exitCode, 0);
	writeFileSync(place('work/main.py'), 'print("new")\n');
	const count = service.abilities.length;
	assert.deepEqual(await run(['abilities', 'push', 'work']), ended(0, '21\tlamps\tupdated\t1.0.1\n'));
	assert.deepEqual([service.abilities.length, sourceOf(21), written()], [count, 'print("new")\n', ['validate/release-code/9021/']]);
	assert.equal(readTie('work')['capability_id'], '21');
});

test('a file without an address counts at the address of the vendor alone', async (t: TestContext) => {
	const {run, env, service, writeTied, sourceOf, written} = await start(t);
	writeTied('work', {base_address: undefined}, 'new');
	const elsewhere = await run(['abilities', 'push', 'work']);
	assert.equal(lastError(await run(['abilities', 'push', 'work', '--json'])).kind, 'conflict');
	assert.equal(
		elsewhere.stderr,
		[
			'“work/.openhome.json” is for lamps (21), of another service, so it is ignored. There is no ability work either.',
			'Name the ability with --ability, or create work: switchboard abilities push work --create',
			'',
		].join('\n'),
	);
	assert.deepEqual(written(), []);
	Object.assign(env, {OPENHOME_API_BASE: `${service.baseAddress}/`});
	assert.equal((await run(['abilities', 'push', 'work'])).stdout, '21\tlamps\tupdated\t1.0.1\n');
	assert.equal(sourceOf(21), 'new');
});

test('an ability that got another name is refused in a pipe, with --yes too, and is named by its id', async (t: TestContext) => {
	const {run, writeTied, readTie, here, written} = await start(t);
	writeTied('work', {name: 'lights', ...here}, 'new');
	for (const more of [[], ['--yes'], ['--create'], ['--dry-run']]) {
		const result = await run(['abilities', 'push', 'work', ...more]);
		assert.deepEqual(
			[result.exitCode, result.stdout, result.stderr],
			[
				2,
				'',
				[
					'“work” belongs to the ability 21, which was lights and is now lamps.',
					'If that is right: switchboard abilities push work --ability 21',
					'',
				].join('\n'),
			],
		);
	}

	assert.deepEqual(written(), []);
	assert.equal((await run(['abilities', 'push', 'work', '--ability', '21'])).exitCode, 0);
	assert.equal(readTie('work')['name'], 'lamps');
});

test('on a terminal it is asked whether that is the ability, and what changed meanwhile is not overwritten', async (t: TestContext) => {
	const {env, home, service, writeTied, readTie, here, written} = await start(t);
	writeTied('work', {name: 'lights', ...here}, 'new');
	const question = '“work” belongs to the ability 21, which was lights and is now lamps. Release it there? [y/N]';
	const push = async (typed: string, meanwhile?: () => void) =>
		runOnTerminal(['abilities', 'push', 'work'], {env, cwd: home.folder, typed, meanwhile});
	assert.deepEqual(await push('n\r'), [2, `${question} n`, 'Nothing was pushed.']);
	const changed = await push('y\r', () => {
		service.sources.set(21, [...service.sources.get(21)!, {path: 'more.py', bytes: Buffer.from('x')}]);
	});
	assert.deepEqual(changed.slice(0, 3), [2, `${question} y`, 'The abilities were changed in the meantime. Nothing was done.']);
	assert.deepEqual([written(), readTie('work')['name']], [[], 'lights']);
	assert.deepEqual((await push('y\r'))[0], 0);
	assert.equal(readTie('work')['name'], 'lamps');
});

test('an id that is not listed does not count: another name is found, and nothing is created without --create', async (t: TestContext) => {
	const {run, writeTied, readTie, here, written} = await start(t);
	writeTied('work', {capability_id: 99, ...here, category: 'brain_skill', description: 'Works'}, 'new');
	writeTied('pantry', {capability_id: 99, ...here}, 'new');
	const failure = (folder: string) => `“${folder}/.openhome.json” is for lamps (99), which the service does not list, so it is ignored.`;
	const refused = await run(['abilities', 'push', 'work', '--yes']);
	assert.deepEqual([refused.exitCode, refused.stderr.split('\n')[0]], [2, `${failure('work')} There is no ability work either.`]);
	assert.deepEqual(written(), []);
	assert.deepEqual(await run(['abilities', 'push', 'pantry']), ended(0, '22\tpantry\tupdated\t1.0.1\n', `${failure('pantry')}\n`));
	assert.equal(readTie('pantry')['capability_id'], '22');
	// Its other fields are defaults for the new ability.
	assert.deepEqual(await run(['abilities', 'push', 'work', '--create']), ended(0, '25\twork\tcreated\t1.0.0\n', `${failure('work')}\n`));
	assert.deepEqual(
		[readTie('work')['capability_id'], readTie('work')['category'], readTie('work')['description']],
		['25', 'brain_skill', 'Works'],
	);
});

test('only the file of the folder that was named counts', async (t: TestContext) => {
	const {run, place, tiePlace, writeTied, here, written} = await start(t);
	writeTied('shed/inner', here);
	writeFolder(place('shed'), {...codeFiles('new'), 'config.json': '{"matching_hotwords": ["open sesame"]}'});
	const tie = {name: 'shed2/.openhome.json', content: readFileSync(tiePlace('shed/inner'), 'utf8')};
	writeFileSync(place('any.zip'), rawZip([tie, {name: 'shed2/main.py', content: 'new'}, {name: 'shed2/__init__.py'}]));
	assert.deepEqual(
		parseJson((await run(['abilities', 'push', 'shed', 'any.zip', '--dry-run', '--json'])).stdout),
		['shed', 'shed2'].map(name => ({capability_id: null, name, action: 'created', version: null})),
	);
	assert.deepEqual(written(), []);
});

test('--ability and --name are for one folder, and not for each other', async (t: TestContext) => {
	const {run, place, writeTied, here, written} = await start(t);
	writeFolder(place('a'), codeFiles('new'));
	writeFolder(place('b'), codeFiles('new'));
	for (const [words, message] of [
		[['a', 'b', '--name', 'x'], /^--name is for one folder, and there are 2\./],
		[['a', 'b', '--ability', '21'], /^--ability is for one folder/],
		[['a', '--ability', '21', '--name', 'x'], /cannot be used with/],
		[['a', '--name', ''], /^The name is needed\./],
	] as const) {
		const {exitCode, stderr} = await run(['abilities', 'push', ...words]);
		assert.equal(exitCode, 2);
		assert.match(stderr, message);
	}

	assert.equal((await run(['abilities', 'push', 'a', '--ability', 'nothing'])).exitCode, 4);
	assert.deepEqual(written(), []);
	assert.equal((await run(['abilities', 'push', 'a', '--name', 'Lamps'])).stdout, '21\tlamps\tupdated\t1.0.1\n');
	assert.equal((await run(['abilities', 'push', 'b', '--ability', 'PANTRY'])).stdout, '22\tpantry\tupdated\t1.0.1\n');
	// The file beats the name, and that is said.
	writeTied('work', here, 'newest');
	const result = await run(['abilities', 'push', 'work', '--name', 'pantry']);
	assert.deepEqual(
		[result.stdout, result.stderr],
		['21\tlamps\tupdated\t1.0.2\n', '“work” belongs to lamps (21), so --name is ignored. To push it to another ability, use --ability.\n'],
	);
});

test('upload says in the folder which ability it made, and names the one that it may repeat', async (t: TestContext) => {
	const {run, place, tiePlace, readTie, service, written} = await start(t);
	writeFolder(place('Pan-Try'), {...codeFiles('new'), 'config.json': '{"matching_hotwords": ["open sesame"]}'});
	assert.equal((await run(['abilities', 'upload', 'Pan-Try', '--dry-run'])).exitCode, 0);
	assert.deepEqual([existsSync(tiePlace('Pan-Try')), written()], [false, []]);
	const result = await run(['abilities', 'upload', 'Pan-Try']);
	assert.equal(result.exitCode, 0, result.stderr);
	assert.deepEqual(result.stderr.split('\n'), [
		'The name is PanTry: “Pan-Try” without hyphens and underscores.',
		'There is an ability with nearly the same name: 22 (pantry).',
		'',
	]);
	assert.deepEqual([readTie('Pan-Try')['capability_id'], readTie('Pan-Try')['trigger_words']], ['25', ['open sesame']]);
	assert.equal((await run(['abilities', 'push', 'Pan-Try'])).stdout, '25\tPanTry\tunchanged\t1.0.0\n');
	const again = await run(['abilities', 'upload', 'Pan-Try', '--name', 'other']);
	assert.match(again.stderr, /^“Pan-Try” belongs to PanTry \(25\)\.$/m);
	assert.equal(readTie('Pan-Try')['capability_id'], '26');
	// A service that refuses the name is answered with the way to release it there.
	service.failNext({
		status: 400,
		headers: {'content-type': 'application/json'},
		body: '{"detail": "Ability with same name already exists"}',
		when: isWrite,
	});
	const taken = await run(['abilities', 'upload', 'Pan-Try']);
	assert.match(taken.stderr, /\nTo release a new version of it: switchboard abilities push Pan-Try --ability PanTry\n$/);
});

test('a folder that cannot be written is no failure', async (t: TestContext) => {
	const {run, place, tiePlace} = await start(t);
	writeFolder(place('shed'), {...codeFiles('new'), 'config.json': '{"matching_hotwords": ["open sesame"]}'});
	// Root may write everywhere.
	mkdirSync(tiePlace('shed'));
	const result = await run(['abilities', 'push', 'shed', '--create']);
	const place_ = '“shed/.openhome.json” is not a regular file';
	assert.deepEqual(
		result,
		ended(
			0,
			'25\tshed\tcreated\t1.0.0\n',
			`${place_}, so it is ignored.\n${place_}, so it was left as it is. Remove it to have it written again.\n`,
		),
	);
});

test('a name that is nearly that of an ability creates nothing, until --create says so', async (t: TestContext) => {
	const {run, place, service, written} = await start(t);
	for (const folder of ['Lamp_s', 'l-amps', 'pan-try', 'new-thing']) {
		writeFolder(place(folder), {...codeFiles('new'), 'config.json': '{"matching_hotwords": ["what’s up"]}'});
	}

	writeFolder(place('named'), {...codeFiles('new'), 'config.json': '{"unique_name": "Pan Try"}'});
	const refused = await run(['abilities', 'push', 'named', 'new-thing']);
	assert.deepEqual(
		refused,
		ended(
			2,
			'',
			[
				'“named”: There is no ability Pan Try, but one with nearly the same name: 22 (pantry). Nothing was done.',
				'To release it there: switchboard abilities push named --ability 22',
				'To create another one, add --create.',
				'',
			].join('\n'),
		),
	);
	assert.equal(lastError(await run(['abilities', 'push', 'named', '--json'])).kind, 'conflict');
	assert.deepEqual(written(), []);
	// A folder's name without hyphens and underscores is what the vendor's client makes of it.
	assert.equal(
		(await run(['abilities', 'push', 'l-amps', 'pan-try', '--dry-run'])).stdout,
		'21\tlamps\tupdated\t1.0.0\n22\tpantry\tupdated\t1.0.0\n',
	);
	assert.deepEqual(
		await run(['abilities', 'push', 'new-thing']),
		ended(
			0,
			'25\tnewthing\tcreated\t1.0.0\n',
			"The name is newthing: “new-thing” without hyphens and underscores.\nThe trigger phrase is sent as “what's up”, with ' for ’.\n",
		),
	);
	assert.deepEqual((service.abilities.at(-1) as {readonly trigger_words: unknown}).trigger_words, ["what's up"]);
	// A name that an ability has is not derived from.
	service.abilities.push({id: 40, name: 'new-thing', category: 'skill'});
	service.sources.set(40, service.sources.get(21)!);
	assert.match((await run(['abilities', 'push', 'Lamp_s', 'new-thing', '--dry-run'])).stdout, /^21\tlamps\t.*\n25\t/);
});

test('messages name the path that was given', async (t: TestContext) => {
	const {run, place} = await start(t);
	writeFolder(place('hot-take/inner'), {'main.py': ''});
	symlinkSync(place('hot-take'), place('link'));
	for (const [words, message] of [
		[['upload', './hot-take/inner/'], '“./hot-take/inner/”: __init__.py is missing.\nAdd it; it may be empty.\n'],
		[['push', 'link/inner', '--create'], '“link/inner”: __init__.py is missing.\nAdd it; it may be empty.\n'],
		[['upload', 'link'], '“link”: main.py is missing.\nThere is one in “link/inner”: use that folder.\n'],
	] as const) {
		assert.deepEqual(await run(['abilities', ...words]), ended(2, '', message));
	}
});

test('all problems of several folders are named at once', async (t: TestContext) => {
	const {run, place, writeTied, here, written} = await start(t);
	mkdirSync(place('empty'));
	writeTied('one', here, 'new');
	writeTied('two', here, 'new');
	writeFolder(place('named'), {...codeFiles('new'), 'config.json': '{"unique_name": "Pan Try"}'});
	writeFolder(place('bad'), {...codeFiles('new'), 'config.json': '{"matching_hotwords": ["a!", "b?"]}'});
	writeTied('old', {capability_id: 22, name: 'larder', ...here}, 'new');
	const {exitCode, stdout, stderr} = await run(['abilities', 'push', 'empty', 'one', 'named', 'bad', 'nowhere', 'two', 'old']);
	assert.deepEqual([exitCode, stdout], [2, '']);
	assert.deepEqual(
		stderr.split('\n').map(line => /^“[^”]+”/.exec(line)?.[0] ?? line),
		['“empty”', '“named”', '“bad”', '“nowhere”', '“two”', '“old”', 'Nothing was done.', ''],
	);
	assert.match(stderr, /^“bad”: .*“a!”.*“b\?”/m);
	assert.deepEqual(written(), []);
});
