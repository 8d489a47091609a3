import {assert, Buffer, mkdirSync, path, test, type TestContext} from '../helpers/node.ts';
import {htmlAnswer} from '../helpers/answers.ts';
import type {LiveLikeServiceOptions} from '../helpers/live-like-service.ts';
import {formTexts, readForm} from '../helpers/request-bodies.ts';
import {codeFiles, spokenFiles, writeFolder} from './source-folders.ts';
import {ended, isWrite, lastError, parseJson, type RequestFilter, startLiveLike} from './kit.ts';

/*
`abilities push` against the live-like service, where everything can go wrong.
*/

const isRelease: RequestFilter = ({path: place}) => place.includes('/release-code/');
const isUpload: RequestFilter = ({path: place}) => place.includes('/add-capability/');
const isSource: RequestFilter = ({path: place}) => place.includes('/template-file/');
const isReleaseLookup: RequestFilter = ({path: place}) => place.includes('/by-capability/');

async function start(t: TestContext, options: LiveLikeServiceOptions = {}) {
	const live = await startLiveLike(t, options);
	const {
		home: {folder},
		service,
	} = live;
	return {
		...live,
		/** Writes the folder of an ability, and returns its name. */
		write(name: string, files: Readonly<Record<string, string | Uint8Array>>) {
			writeFolder(path.join(folder, name), files);
			return name;
		},
		/** The paths that were asked for, without their common beginning. */
		askedPaths: () => service.requests.map(({method, path: place}) => `${method} ${place.replace(/^\/api\/capabilities\//, '')}`),
		sourceOf: (id: number) =>
			Object.fromEntries(service.sources.get(id)!.map(({path: place, bytes}) => [place, Buffer.from(bytes).toString()])),
	};
}

function hideVersions({abilities}: {readonly abilities: readonly unknown[]}): void {
	for (const ability of abilities as Array<{capability_versions?: unknown}>) {
		delete ability.capability_versions;
	}
}

const lampsFiles = codeFiles('print(21)\n');

test('a source that is the same is not sent, whatever junk lies on either side', async (t: TestContext) => {
	const {run, service, write, askedPaths} = await start(t);
	service.sources.set(21, [...service.sources.get(21)!, {path: '__pycache__/main.pyc', bytes: Buffer.from('x')}]);
	write('lamps', {...lampsFiles, '.DS_Store': 'y'});
	const result = await run(['abilities', 'push', 'lamps']);
	assert.deepEqual(result, ended(0, '21\tlamps\tunchanged\t1.0.0\n', 'Skipped: .DS_Store\n'));
	assert.deepEqual(askedPaths(), ['GET get-all-capability/', 'GET get-all-capabilities/', 'GET get/template-file/21/']);
});

test('a source that differs is released, committed, with its files at the root and a message', async (t: TestContext) => {
	const {run, service, write, sourceOf, askedPaths} = await start(t);
	write('lamps', {...codeFiles('print("new")\r\n'), 'sounds/bell.txt': 'ding'});
	const before = structuredClone([service.installed, [...service.ties]]);
	const result = await run(['abilities', 'push', 'lamps', '--json']);
	assert.deepEqual([result.exitCode, result.stderr], [0, '']);
	assert.deepEqual(parseJson(result.stdout), [{capability_id: 21, name: 'lamps', action: 'updated', version: '1.0.1'}]);
	assert.deepEqual(sourceOf(21), {'__init__.py': '', 'main.py': 'print("new")\r\n', 'sounds/bell.txt': 'ding'});
	const released = service.requests.find(request => isRelease(request))!;
	assert.equal(released.path, '/api/capabilities/validate/release-code/9021/');
	const {committed, commit_message: message} = formTexts((await readForm(released))!);
	assert.deepEqual([committed, message], [['true'], ['Update main.py, sounds/bell.txt']]);
	assert.deepEqual([service.installed, [...service.ties]], before);
	assert.deepEqual(askedPaths(), [
		'GET get-all-capability/',
		'GET get-all-capabilities/',
		'GET get/template-file/21/',
		'GET get/installed-capability/by-capability/21/',
		'POST validate/release-code/9021/',
		// The answer does not contain the new version.
		'GET get-all-capabilities/',
	]);

	write('lamps', codeFiles('print("newer")'));
	assert.equal((await run(['abilities', 'push', 'lamps', '--message', 'Say please'])).stdout, '21\tlamps\tupdated\t1.0.2\n');
	assert.deepEqual(formTexts((await readForm(service.requests.filter(request => isRelease(request))[1]!))!)['commit_message'], [
		'Say please',
	]);
});

test('several folders have a line each, and one that is missing on the service is created', async (t: TestContext) => {
	const {run, service, write, sourceOf} = await start(t);
	write('lamps', lampsFiles);
	write('pantry', codeFiles('new'));
	write('cellar', {...codeFiles('cellar'), 'config.json': '{"unique_name": "attic", "matching_hotwords": ["to the attic"]}'});
	const result = await run(['abilities', 'push', 'lamps', 'pantry', 'cellar']);
	assert.deepEqual(result, ended(0, '21\tlamps\tunchanged\t1.0.0\n22\tpantry\tupdated\t1.0.1\n25\tattic\tcreated\t1.0.0\n'));
	assert.equal(sourceOf(25)['main.py'], 'cellar');
	assert.deepEqual((service.abilities.at(-1) as {readonly trigger_words: unknown}).trigger_words, ['to the attic']);
	assert.equal(
		(await run(['abilities', 'push', 'lamps', 'pantry', 'cellar'])).stdout,
		'21\tlamps\tunchanged\t1.0.0\n22\tpantry\tunchanged\t1.0.1\n25\tattic\tunchanged\t1.0.0\n',
	);
});

test('a new skill that no phrase starts is created with a warning', async (t: TestContext) => {
	const {run, write} = await start(t);
	write('cellar', codeFiles('cellar'));
	const result = await run(['abilities', 'push', 'cellar']);
	assert.deepEqual(
		result,
		ended(
			0,
			'25\tcellar\tcreated\t1.0.0\n',
			'Warning: cellar is a skill without trigger phrases, so nothing starts it. Add some with --triggers.\n',
		),
	);
});

test('a dry run compares everything and sends nothing, with --read-only too', async (t: TestContext) => {
	const {run, service, write} = await start(t);
	write('lamps', codeFiles('new'));
	write('pantry', codeFiles('print(22)\n'));
	write('cellar', spokenFiles('cellar'));
	for (const more of [[], ['--read-only']]) {
		const result = await run(['abilities', 'push', 'lamps', 'pantry', 'cellar', '--dry-run', '--json', ...more]);
		assert.deepEqual([result.exitCode, result.stderr], [0, 'Nothing was changed: this was a dry run.\n']);
		assert.deepEqual(parseJson(result.stdout), [
			{capability_id: 21, name: 'lamps', action: 'updated', version: '1.0.0'},
			{capability_id: 22, name: 'pantry', action: 'unchanged', version: '1.0.0'},
			{capability_id: null, name: 'cellar', action: 'created', version: null},
		]);
	}

	assert.deepEqual([...new Set(service.requests.map(({method}) => method))], ['GET']);
});

test('a folder that is given twice is pushed once', async (t: TestContext) => {
	const {run, write} = await start(t);
	const folder = write('lamps', codeFiles('new'));
	const {stdout, exitCode} = await run(['abilities', 'push', 'lamps', './lamps/', folder, '--dry-run']);
	assert.deepEqual([exitCode, stdout.split('\n').length], [0, 2]);
	assert.deepEqual(
		await run(['abilities', 'push', 'lamps/main.py']),
		ended(2, '', '“lamps/main.py” is neither a folder nor a zip.\nUse the folder of an ability, or a zip of it.\n'),
	);
});

test('nothing is sent unless every folder is an ability, and of a name of its own', async (t: TestContext) => {
	const {run, service, write, home} = await start(t);
	write('lamps', codeFiles('new'));
	write('other', {...codeFiles('x'), 'config.json': '{"unique_name": "LAMPS"}'});
	mkdirSync(path.join(home.folder, 'empty'));
	const twice = await run(['abilities', 'push', 'lamps', 'other']);
	assert.deepEqual(twice, ended(2, '', '“other” and “lamps” are both for lamps. Nothing was done.\nLeave one out.\n'));
	const broken = await run(['abilities', 'push', 'lamps', 'empty']);
	assert.deepEqual([broken.exitCode, broken.stdout], [2, '']);
	assert.match(broken.stderr, /^“empty”: It contains no files\. Nothing was done\.\n/);
	const missing = await run(['abilities', 'push', 'nowhere', '--json']);
	assert.deepEqual([missing.exitCode, lastError(missing).message], [2, '“nowhere” does not exist. Check the path.']);
	assert.deepEqual(service.requests.filter(isWrite), []);
	assert.equal((await run(['abilities', 'push'])).exitCode, 2);
});

test('an ability keeps its category, and with it the files that it needs', async (t: TestContext) => {
	const {run, service, write} = await start(t);
	write('nightwatch', codeFiles('new'));
	const result = await run(['abilities', 'push', 'nightwatch', '--json']);
	assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'refused']);
	assert.match(lastError(result).message, /^“nightwatch”: background\.py is missing/);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('an ability that is not installed, and listed without its versions, is exit 4 with the way to install it, and nothing else is sent', async (t: TestContext) => {
	const {run, service, write} = await start(t);
	hideVersions({abilities: service.abilities.slice(-1)});
	write('lamps', codeFiles('new'));
	write('desk', codeFiles('new'));
	const result = await run(['abilities', 'push', 'lamps', 'desk']);
	assert.deepEqual([result.exitCode, result.stdout], [4, '']);
	assert.equal(
		result.stderr,
		'“desk”: desk is not installed, so the service does not show the release that new code would replace. Nothing was done.\nInstall it first: switchboard install desk\n',
	);
	assert.deepEqual(service.requests.filter(isWrite), []);
	// What is the same needs no release.
	write('desk', codeFiles('print(24)\n'));
	assert.equal((await run(['abilities', 'push', 'desk'])).stdout, '24\tdesk\tunchanged\t\n');
});

for (const [what, when, message] of [
	['sources', isSource, 'The service does not send the source of lamps (HTTP 404).'],
	['releases', isReleaseLookup, 'The service does not show the release of lamps, so its code cannot be replaced.'],
	['new code', isRelease, 'The service does not take new code for lamps (HTTP 404).'],
] as const) {
	test(`a service without the path for ${what} is exit 4 and another way`, async (t: TestContext) => {
		const {run, service, write, sourceOf} = await start(t);
		if (what === 'releases') {
			hideVersions(service);
		}

		write('lamps', codeFiles('new'));
		service.failNext({...htmlAnswer('<h1>Not found</h1>', 404), when, times: 5});
		const result = await run(['abilities', 'push', 'lamps', '--json']);
		assert.deepEqual([result.exitCode, lastError(result)], [4, {kind: 'not-found', message: `${message} Replace it in the dashboard.`}]);
		assert.deepEqual(sourceOf(21), lampsFiles);
		assert.ok(service.requests.every(({method, path: place}) => method !== 'DELETE' && !place.includes('delete')));
	});
}

test('a name that several abilities have is refused with their ids', async (t: TestContext) => {
	const {run, service, write} = await start(t);
	service.abilities.push({id: 30, name: 'Lamps', category: 'skill'});
	write('lamps', {...codeFiles('new'), 'config.json': '{"unique_name": "LAMPS"}'});
	const result = await run(['abilities', 'push', 'lamps']);
	assert.deepEqual(
		[result.exitCode, result.stderr],
		[2, 'Several abilities are named LAMPS: 21, 30.\nChoose one: switchboard abilities push lamps --ability ID\n'],
	);
});

test('a comparison that fails ends the push before anything is sent', async (t: TestContext) => {
	const {run, service, write} = await start(t);
	write('lamps', codeFiles('new'));
	write('pantry', codeFiles('new'));
	service.failNext({
		status: 500,
		headers: {'content-type': 'application/json', 'retry-after': '0'},
		body: '{"detail": "no"}',
		times: 5,
		when: request => isSource(request) && request.path.includes('/22/'),
	});
	const result = await run(['abilities', 'push', 'lamps', 'pantry']);
	assert.deepEqual([result.exitCode, result.stdout], [5, '']);
	assert.match(result.stderr, /^“pantry”: The service answered “no”\. Nothing was done\.\n/);
	assert.deepEqual(
		service.requests.filter(request => isRelease(request) || isUpload(request)),
		[],
	);
});

test('a source that breaks the rules of packages is not replaced blindly', async (t: TestContext) => {
	const {run, service, write} = await start(t);
	service.sources.set(21, [{path: 'lamps/main.py', bytes: Buffer.from('x')}]);
	service.sources.set(22, [
		{path: 'main.py', bytes: Buffer.from('x')},
		{path: '.env', bytes: Buffer.from('KEY=1')},
	]);
	write('lamps', codeFiles('new'));
	write('pantry', codeFiles('new'));
	const nested = await run(['abilities', 'push', 'lamps']);
	assert.deepEqual(
		[nested.exitCode, nested.stderr],
		[2, 'The source of lamps on the service is in a folder, not at the root of the zip.\nLook at it in the dashboard.\n'],
	);
	const secret = await run(['abilities', 'push', 'pantry']);
	assert.deepEqual(
		secret,
		ended(
			2,
			'',
			[
				'The source of pantry on the service breaks the rules of packages: “.env” may contain a key or a password.',
				'Look at it in the dashboard.',
				'',
			].join('\n'),
		),
	);
	assert.deepEqual(
		service.requests.filter(request => isRelease(request)),
		[],
	);
});
