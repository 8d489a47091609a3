import {assert, path, writeFileSync} from '../helpers/node.ts';
import {after, beforeEach, test} from 'node:test';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {shareServedHome} from './kit.ts';

const served = await shareServedHome({after});

const file = path.join(temporaryFolder(), 'home.yaml');

beforeEach(async () => {
	await served.run(['timers', 'cancel', '--all']);
	await served.run(['enable', 'pantry', 'guestwifi']);
	await served.run(['disable', 'pantry', '--until', 'tomorrow 07:00']);
});

async function told(...args: readonly string[]) {
	const {stdout, stderr, exitCode} = await served.run(args);
	return [exitCode, ...[stdout, stderr].map(text => text.replaceAll(/(?:at |tomorrow )*\d\d:\d\d/g, 'TIME').trimEnd())];
}

const pantryTimed = 'pantry: off, on TIME by key 1';

test('a state file leaves alone what a timer decides, whichever of both states it names', async () => {
	for (const state of ['on', 'off']) {
		writeFileSync(file, `version: 1\ninstalled:\n  pantry: ${state}\n`);
		assert.deepEqual(await told('plan', file, '--exit-code'), [0, 'Nothing to do: 1 unchanged.', pantryTimed], state);
		assert.deepEqual(await told('apply', file, '--yes'), [0, 'Nothing to do: 1 unchanged.', pantryTimed], state);
	}

	assert.equal(((await served.runJson(['timers'])) as readonly unknown[]).length, 1);
});

test('with --now a state file compares with the present states, and cancels the timers of what it switches', async () => {
	writeFileSync(file, 'version: 1\ninstalled:\n  pantry: on\n');
	assert.deepEqual((await told('plan', file, '--now', '--exit-code'))[0], 10);
	const [exitCode, , stderr] = await told('apply', file, '--now', '--yes');
	assert.deepEqual([exitCode, stderr], [0, 'pantry: its timer (on TIME by key 1) will be cancelled.\n1 done, 0 unchanged.']);
	assert.deepEqual(await served.runJson(['timers']), []);
	assert.equal((await told('plan', '--now', '--at', '1h'))[0], 2);
});

test('a timer that is set again as it is changes nothing', async () => {
	const before = await served.runJson(['history']);
	const [exitCode, stdout, stderr] = await told('disable', 'pantry', '--until', 'tomorrow 07:00');
	assert.deepEqual([exitCode, stdout, stderr], [0, '10\toff\tpantry\tunchanged', '']);
	await served.run(['timers', 'set', 'pantry', 'on', '--until', 'tomorrow 07:00']);
	assert.deepEqual(await served.runJson(['history']), before);
});

test('a phrase is set for an ability whose state a timer decides', async () => {
	writeFileSync(file, 'version: 1\ninstalled:\n  pantry: {enabled: on, triggers: [what is left]}\n');
	const [exitCode, , stderr] = await told('apply', file, '--yes');
	assert.deepEqual([exitCode, String(stderr).includes(pantryTimed)], [0, true]);
	assert.equal(((await served.runJson(['timers'])) as readonly unknown[]).length, 1);
});

test('--prune leaves alone what a timer decides', async () => {
	await served.run(['enable', 'guestwifi', '--note', 'guests', '--for', '2h']);
	const {records, names} = await installedNames();
	writeFileSync(
		file,
		`version: 1\ninstalled:\n${names
			.filter(name => name !== 'pantry')
			.map(name => `  ${name}: ${records.get(name) === true ? 'on' : 'off'}\n`)
			.join('')}`,
	);
	const [, stdout, stderr] = await told('plan', file, '--prune');
	assert.deepEqual([stdout, stderr], ['Nothing to do: 11 unchanged.', pantryTimed]);
});

async function installedNames() {
	const list = (await served.runJson(['installed'])) as ReadonlyArray<{readonly name: string; readonly enabled: boolean}>;
	return {names: list.map(({name}) => name), records: new Map(list.map(({name, enabled}) => [name, enabled]))};
}

test('an export has the states after the timers, and says which', async () => {
	const {stdout, stderr} = await served.run(['export']);
	assert.match(stdout, /^ {2}pantry:\n {4}enabled: on$/m);
	assert.match(stderr, /^Exported as their timers will leave them: pantry: off, on .* by key 1\.$/m);
});

test('a preset compares with now, and cancels the timers of what it switches', async () => {
	await served.run(['enable', 'pantry']);
	await served.run(['presets', 'save', 'day']);
	await served.run(['disable', 'pantry', '--for', '2h']);
	const [exitCode, , stderr] = await told('presets', 'apply', 'day', '--yes');
	assert.equal(exitCode, 0);
	assert.match(String(stderr), /pantry: its timer .* will be cancelled\./);
	assert.deepEqual(await served.runJson(['timers']), []);
});
