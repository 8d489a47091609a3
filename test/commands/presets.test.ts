import {assert, mkdirSync, path, rmSync, statSync, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {ended, isWrite, json, jsonError, openTerminal, runCommand, startLiveLike} from './kit.ts';

const day = {name: 'day', on: ['lamps', 'pantry'], off: ['nightwatch']};

const switched = (name: string, from: boolean | null, to: boolean) => ({kind: 'installed', name, field: 'enabled', from, to});

/** A preset of lamps and pantry on, nightwatch off; then lamps off and nightwatch on. */
async function startWithPreset(t: TestContext) {
	const started = await startLiveLike(t);
	const {run, service} = started;
	assert.deepEqual(await run(['presets', 'save', 'day']), ended(0, 'day\tlamps,pantry\tnightwatch\n'));
	const [lamps, , nightwatch] = service.installed as ReadonlyArray<{enabled: boolean}>;
	lamps!.enabled = false;
	nightwatch!.enabled = true;
	return started;
}

test('presets are saved, listed and deleted', async (t: TestContext) => {
	const {run, home} = await startLiveLike(t);
	assert.deepEqual(
		await run(['presets']),
		ended(
			0,
			'',
			'There are no presets for this key: a key from the environment has its own. Save one with: switchboard presets save NAME\n',
		),
	);
	assert.match((await run(['presets', '--help'])).stdout, /with a key from the environment, to that key/);
	assert.deepEqual(await run(['presets', '--json']), ended(0, '[]\n'));
	assert.deepEqual(await run(['presets', 'save', 'day', '--json']), ended(0, json(day)));
	assert.deepEqual(await run(['presets', '--json']), ended(0, json([day])));
	assert.deepEqual(await run(['presets']), ended(0, 'day\tlamps,pantry\tnightwatch\n'));
	assert.deepEqual(await run(['presets', '--columns', 'name']), ended(0, 'day\n'));
	assert.deepEqual(await run(['presets', '--format', 'jsonl']), ended(0, `${JSON.stringify(day)}\n`));
	assert.equal(statSync(path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard', 'presets.json')).mode % 0o1000, 0o600);
	assert.deepEqual(await run(['presets', 'delete', 'DAY', '--json']), ended(0, json({name: 'day', deleted: true})));
	assert.deepEqual(
		await run(['presets', 'delete', 'day']),
		ended(4, '', 'There is no preset “day”. Nothing was done.\nList them with: switchboard presets\n'),
	);
});

test('a preset that is saved again is replaced, and the one before is kept', async (t: TestContext) => {
	const {run, states} = await startWithPreset(t);
	const note = 'The earlier one is kept as previous-Day. To go back to it: switchboard presets apply previous-Day\n';
	assert.deepEqual(
		await run(['presets', 'save', 'Day', '--json']),
		ended(0, json({name: 'Day', on: ['nightwatch', 'pantry'], off: ['lamps']}), note),
	);
	assert.deepEqual(await run(['presets']), ended(0, 'Day\tnightwatch,pantry\tlamps\nprevious-Day\tlamps,pantry\tnightwatch\n'));
	// With nothing new, the one that is kept stays.
	assert.deepEqual(await run(['presets', 'save', 'day']), ended(0, 'day\tnightwatch,pantry\tlamps\n'));
	assert.equal((await run(['presets', 'apply', 'previous-day', '--yes'])).exitCode, 0);
	assert.deepEqual(states(), [true, true, false]);
});

test('a name may hold spaces, in quotation marks or without', async (t: TestContext) => {
	const {run} = await startWithPreset(t);
	assert.deepEqual(
		await run(['presets', 'save', ' good', 'night ', '--json']),
		ended(0, json({name: 'good night', on: ['nightwatch', 'pantry'], off: ['lamps']})),
	);
	assert.equal((await run(['presets', 'apply', 'day', '--yes'])).exitCode, 0);
	assert.equal((await run(['presets', 'diff', 'Good', 'Night'])).stdout, (await run(['presets', 'diff', 'good night'])).stdout);
	assert.match((await run(['presets', 'apply', 'good', 'night', '--yes'])).stdout, /^done\t~ /m);
	assert.deepEqual(await run(['presets', 'delete', 'good  night', '--json']), ended(0, json({name: 'good night', deleted: true})));
});

test('a dry run neither saves nor deletes a preset', async (t: TestContext) => {
	const {run} = await startWithPreset(t);
	const note = 'Nothing was changed: this was a dry run.\n';
	assert.deepEqual(await run(['presets', 'save', 'night', '--dry-run']), ended(0, 'night\tnightwatch,pantry\tlamps\n', note));
	assert.deepEqual(await run(['presets', 'delete', 'day', '--dry-run', '--json']), ended(0, json({name: 'day', deleted: true}), note));
	assert.deepEqual(await run(['presets']), ended(0, 'day\tlamps,pantry\tnightwatch\n'));
});

test('--read-only forbids no change of presets themselves', async (t: TestContext) => {
	const {run} = await startWithPreset(t);
	assert.equal((await run(['presets', 'save', 'night', '--read-only'])).exitCode, 0);
	assert.equal((await run(['presets', 'delete', 'day', '--read-only'])).exitCode, 0);
	assert.deepEqual(await run(['presets']), ended(0, 'night\tnightwatch,pantry\tlamps\n'));
});

test('a name that is none, or names no preset, is refused before anything is asked', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	assert.deepEqual(
		await run(['presets', 'save', 'a/b', '--json']),
		ended(
			2,
			'',
			jsonError(
				'usage',
				'The name of a preset must be 1 to 64 letters, digits, “_”, “-” and spaces, with no “-” first. Choose another name.',
			),
		),
	);
	assert.equal((await run(['presets', 'save', '--', '-night'])).exitCode, 2);
	assert.deepEqual(service.requests, []);
	await run(['presets', 'save', 'night']);
	const {length} = service.requests;
	for (const words of [
		['apply', 'nigth', '--yes'],
		['diff', 'nigth'],
		['delete', 'nigth'],
	]) {
		assert.deepEqual(
			await run(['presets', ...words]),
			ended(4, '', 'There is no preset “nigth”. Nothing was done.\nDid you mean: night\n'),
		);
	}

	assert.equal(service.requests.length, length);
});

test('a preset leaves out what it cannot hold, and says so', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	service.installed.push({id: 304, name: 'lamps', enabled: true}, {id: 305, name: 'porch'});
	assert.deepEqual(
		await run(['presets', 'save', 'day']),
		ended(
			0,
			'day\tpantry\tnightwatch\n',
			'lamps is left out: several have this name (301, 304).\nporch is left out: the service does not show whether it is on (305).\n',
		),
	);
});

test('diff shows what a preset would switch, and exits with 10 only if --exit-code asks for it', async (t: TestContext) => {
	const {run, service} = await startWithPreset(t);
	assert.deepEqual(
		await run(['presets', 'diff', 'day', '--read-only']),
		ended(0, '~ lamps: off → on\n~ nightwatch: on → off\n2 to change, 1 unchanged.\n'),
	);
	assert.deepEqual(
		await run(['presets', 'diff', 'day', '--json', '--exit-code']),
		ended(10, json({changes: [switched('lamps', false, true), switched('nightwatch', true, false)], unchanged: 1})),
	);
	assert.equal((await run(['presets', 'save', 'now'])).exitCode, 0);
	assert.deepEqual(await run(['presets', 'diff', 'now', '--exit-code']), ended(0, 'Nothing to do: 3 unchanged.\n'));
	assert.deepEqual(
		service.requests.filter(request => isWrite(request)),
		[],
	);
});

test('apply switches what differs, says how to go back, and changes nothing the second time', async (t: TestContext) => {
	const {run, states} = await startWithPreset(t);
	const before = states();
	assert.deepEqual(
		await run(['presets', 'apply', 'DAY', '--yes']),
		ended(0, 'done\t~ lamps: off → on\ndone\t~ nightwatch: on → off\n', '2 done, 1 unchanged.\nTo go back: switchboard undo\n'),
	);
	assert.deepEqual(states(), [true, true, false]);
	assert.deepEqual(await run(['presets', 'apply', 'day', '--yes', '--json']), ended(0, json({changes: [], unchanged: 3})));
	assert.deepEqual(await run(['presets']), ended(0, 'day\tlamps,pantry\tnightwatch\n'));
	assert.equal((await run(['undo', '--yes'])).exitCode, 0);
	assert.deepEqual(states(), before);
});

test('the way back leads to the same service', async (t: TestContext) => {
	const {
		home: {env},
		service,
	} = await startWithPreset(t);
	const words = ['--profile', 'work'];
	assert.equal(
		(await runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin', ...words], {env, stdin: service.apiKey})).exitCode,
		0,
	);
	assert.equal((await runCommand(['presets', 'save', 'night', ...words], {env})).exitCode, 0);
	assert.equal((await runCommand(['toggle', 'pantry', ...words], {env})).exitCode, 0);
	const {stderr} = await runCommand(['presets', 'apply', 'night', '--yes', ...words, '--base-url', service.baseAddress], {env});
	assert.equal(stderr, `1 done, 2 unchanged.\nTo go back: switchboard undo --profile work --base-url ${service.baseAddress}\n`);
});

test('a state that is not shown cannot be switched back, which is said; where none is shown there is no way back', async (t: TestContext) => {
	const {run, service} = await startWithPreset(t);
	const {enabled: _hidden, ...lamps} = service.installed[0] as Readonly<Record<string, unknown>>;
	service.installed[0] = {...lamps};
	const unknown = 'lamps cannot be switched back: the service does not show whether it is on.\n';
	assert.equal((await run(['presets', 'apply', 'day', '--yes'])).stderr, `${unknown}2 done, 1 unchanged.\nTo go back: switchboard undo\n`);
	service.installed[0] = lamps;
	assert.equal((await run(['presets', 'apply', 'day', '--yes'])).stderr, `${unknown}1 done, 2 unchanged.\n`);
});

test('where the way back cannot be noted, only --yes goes on', async (t: TestContext) => {
	const {run, env, home, states} = await startWithPreset(t);
	const before = states();
	const folder = path.join(home.env['XDG_STATE_HOME']!, 'switchboard');
	rmSync(folder, {recursive: true, force: true});
	mkdirSync(folder);
	writeFileSync(path.join(folder, 'journal'), '');
	await using terminal = openTerminal(['presets', 'apply', 'day'], {env, cwd: home.folder, columns: 400});
	await terminal.waitFor('[y/N]');
	terminal.write('y\r');
	assert.equal((await terminal.exited).exitCode, 2);
	const [sentence, nextStep] = terminal.lines().slice(-2);
	assert.match(sentence!, /^Changes cannot be noted: .*journal.* Nothing was switched\.$/);
	assert.equal(nextStep, 'Use --yes to apply the preset although it cannot be undone.');
	assert.deepEqual(states(), before);
	const {exitCode, stderr} = await run(['presets', 'apply', 'day', '--yes']);
	assert.equal(exitCode, 0);
	assert.match(stderr, /^Changes cannot be noted: .* This cannot be undone\.\n/);
	assert.doesNotMatch(stderr, /To go back/);
	assert.deepEqual(states(), [true, true, false]);

	const off = {...env, SWITCHBOARD_JOURNAL: 'off'};
	await run(['toggle', 'pantry']);
	const unnoted = await runCommand(['presets', 'apply', 'day', '--yes'], {env: off});
	assert.deepEqual(
		[unnoted.exitCode, unnoted.stderr],
		[0, 'Changes are not noted with SWITCHBOARD_JOURNAL=off. This cannot be undone.\n1 done, 2 unchanged.\n'],
	);
});

test('a replaced preset is kept under a name that is no longer than others', async (t: TestContext) => {
	const {run} = await startWithPreset(t);
	const long = 'd'.repeat(64);
	await run(['presets', 'save', long]);
	await run(['toggle', 'pantry']);
	assert.match((await run(['presets', 'save', long])).stderr, new RegExp(`^The earlier one is kept as previous-${'d'.repeat(55)}\\. `));
});

test('what a preset names and is not installed any more fails; the rest goes on', async (t: TestContext) => {
	const {run, service} = await startWithPreset(t);
	service.installed.splice(1, 1);
	assert.deepEqual(
		await run(['presets', 'diff', 'day']),
		ended(0, '~ lamps: off → on\n~ nightwatch: on → off\n2 to change, 0 unchanged.\n', 'pantry is not installed.\n'),
	);
	const result = await run(['presets', 'apply', 'day', '--yes']);
	assert.deepEqual(
		[result.exitCode, result.stdout],
		[6, 'done\t~ lamps: off → on\ndone\t~ nightwatch: on → off\nfailed\t~ pantry: ? → on\n'],
	);
	const error = {kind: 'not-found', message: 'pantry is not installed. Install it, or save the preset again.'};
	assert.deepEqual(
		await run(['presets', 'apply', 'day', '--yes', '--json']),
		ended(
			4,
			json({changes: [{...switched('pantry', null, true), done: false, error}], unchanged: 2}),
			jsonError(error.kind, error.message),
		),
	);
	// It is there to be installed, which no preset does.
	assert.equal(
		service.requests.some(request => request.path.includes('install-capability')),
		false,
	);
});

test('a failed switch of a preset is told, and where nothing was switched there is no way back', async (t: TestContext) => {
	const {run, service} = await startWithPreset(t);
	service.failNext({status: 500, times: 5, when: ({path: requested}) => requested.endsWith('/301/')});
	const {exitCode, stdout, stderr} = await run(['presets', 'apply', 'day', '--yes']);
	assert.deepEqual([exitCode, stdout], [6, 'failed\t~ lamps: off → on\ndone\t~ nightwatch: on → off\n']);
	assert.match(stderr, /^lamps: The service failed \(HTTP 500\)\.\nTo go back: switchboard undo\n1 of 2 failed\.\n/);
	service.failNext({status: 403, times: 5, when: ({path: requested}) => requested.endsWith('/301/')});
	assert.doesNotMatch((await run(['presets', 'apply', 'day', '--yes'])).stderr, /To go back/);
});
