import {assert, path, readFileSync, rmSync, test, type TestContext} from '../helpers/node.ts';
import {createRandom} from '../helpers/terminal/random.ts';
import {startServedHome} from './served-home.ts';
import {startWithState, writeAbility, writeState} from './state-file.ts';
import {type CommandResult, ended} from './kit.ts';

type Run = (words: readonly string[]) => Promise<CommandResult>;

/** Exports, lets the account be changed by other means, and brings it back: once, because a second run has nothing to do. */
async function goRound(run: Run, folder: string, change: () => Promise<void>): Promise<void> {
	const file = path.join(folder, 'exported.yaml');
	const words = (command: string): readonly string[] => [command, file, ...(command === 'apply' ? ['--yes'] : ['--exit-code'])];
	assert.equal((await run(['export', file])).exitCode, 0);
	const exported = readFileSync(file, 'utf8');
	assert.equal((await run(words('plan'))).exitCode, 0);
	await change();
	const plan = await run([...words('plan'), '--no-diff']);
	assert.equal(plan.exitCode, 10, plan.stderr);
	const applied = await run(words('apply'));
	assert.equal(applied.exitCode, 0, applied.stderr);
	assert.equal(applied.stdout.replaceAll(/^done\t/gm, ''), plan.stdout.replace(/^\d+ to change, .*\n/m, ''));
	const after = await run(words('plan'));
	assert.equal(after.exitCode, 0, after.stdout);
	assert.match(after.stdout, /^Nothing to do: \d+ unchanged\.\n$/);
	assert.deepEqual(await run(words('apply')), after);
	rmSync(file);
	assert.equal((await run(['export', file])).exitCode, 0);
	assert.equal(readFileSync(file, 'utf8'), exported);
}

/** Runs commands that other people would. */
const others = (run: Run, lines: readonly string[]) => async (): Promise<void> => {
	for (const line of lines) {
		const {exitCode, stderr} = await run(line.split(' '));
		assert.equal(exitCode, 0, `${line}: ${stderr}`);
	}
};

test('the bundled service goes back to an exported state, and stays there', async () => {
	await using served = await startServedHome();
	await goRound(
		served.run,
		served.home.folder,
		others(served.run, [
			'disable pantry guestwifi',
			'enable nightwatch',
			'installed edit morninglights --triggers raise-the-sun',
			'agents edit Hearth --prompt Nothing. --abilities pantry',
			'agents edit Pepper --no-abilities',
			'uninstall goodnight --yes',
		]),
	);
});

test('a release in a state comes once, and what it does not name stays', async () => {
	await using served = await startServedHome();
	const {
		home: {folder},
	} = served;
	const run: Run = async words => served.run(words.map(word => (word === 'home.yaml' ? path.join(folder, word) : word)));
	writeAbility(folder, 'lamplighter', 'print(1)\n');
	writeState(
		folder,
		'abilities: {lamplighter: {source: ./lamplighter, triggers: [light the lamps]}}\nagents: {Desk: {abilities: [lamplighter]}}',
	);
	assert.deepEqual(
		await run(['apply', 'home.yaml', '--yes']),
		ended(
			0,
			'done\t+ lamplighter: upload ./lamplighter\ndone\t~ agent Desk abilities: deskmusic, printerqueue → lamplighter\n',
			'2 done, 0 unchanged.\n',
		),
	);
	assert.equal((await served.run(['disable', 'lamplighter'])).exitCode, 0);
	writeAbility(folder, 'lamplighter', 'print(2)\n');
	assert.deepEqual(
		await run(['apply', 'home.yaml', '--yes']),
		ended(0, 'done\t~ lamplighter: release ./lamplighter in place of version 1\n', '1 done, 1 unchanged.\n'),
	);
	assert.deepEqual(await run(['apply', 'home.yaml', '--yes']), ended(0, 'Nothing to do: 2 unchanged.\n'));
	const installed = (await served.runJson(['installed'])) as ReadonlyArray<{
		readonly name: string;
		readonly enabled: boolean;
		readonly trigger_words: readonly string[];
	}>;
	assert.deepEqual(
		installed.filter(({name}) => name === 'lamplighter').map(({enabled, trigger_words: phrases}) => [enabled, phrases]),
		[[false, ['light the lamps']]],
	);
});

/** More runs than a failing service needs, by far. */
const maximumRuns = 30;

test('under a service that fails three times out of ten, apply is run until nothing is left to do', {
	timeout: 60_000,
}, async (t: TestContext) => {
	const {run, service, folder} = await startWithState(
		t,
		[
			'installed: {lamps: {enabled: off, triggers: [see the lamps]}, pantry: off, nightwatch: on, desk: off, porch: {enabled: off}}',
			'abilities: {porch: {source: ./porch}, pantry: {source: ./pantry}}',
			'agents: {Hearth: {name: Hob, prompt: Be brief.}, Porch: {prompt: Be kind.}}',
		].join('\n'),
	);
	writeAbility(folder, 'porch', 'print("porch")\n');
	writeAbility(folder, 'pantry', 'print("new")\n');
	const random = createRandom(11);
	// One is refused, one is lost before it is carried out, and one after that.
	const lost = {cut: 'connection'} as const;
	for (const [index, failure] of [{status: 503}, lost, {...lost, isCarriedOut: true}].entries()) {
		service.failNext({...failure, times: Infinity, when: () => random(10 - index) === 0});
	}

	const codes: Array<number | null> = [];
	let last: CommandResult | undefined;
	while (codes.length < maximumRuns && last?.stdout !== 'Nothing to do: 9 unchanged.\n') {
		last = await run(['apply', 'home.yaml', '--yes']);
		codes.push(last.exitCode);
	}

	t.diagnostic(`exit codes: ${codes.join(', ')}`);
	assert.equal(last?.stdout, 'Nothing to do: 9 unchanged.\n', `${codes.join(', ')}\n${last?.stderr}`);
	type Loose = Readonly<Record<string, unknown>>;
	assert.deepEqual(
		Object.fromEntries(
			(service.installed as readonly Loose[]).map(({name, enabled, trigger_words: phrases}) => [name, [enabled, phrases]]),
		),
		{lamps: [false, ['see the lamps']], pantry: [false, []], nightwatch: [true, []], desk: [false, ['open the desk']], porch: [false, []]},
	);
	// A lost answer to an upload makes no second ability.
	assert.equal((service.abilities as readonly Loose[]).filter(({name}) => name === 'porch').length, 1);
	assert.deepEqual(
		(service.agents as readonly Loose[]).map(({name, description}) => [name, description]),
		[
			['Hob', 'Be brief.'],
			['Porch', 'Be kind.'],
		],
	);
	assert.equal(String(service.sources.get(22)?.find(file => file.path === 'main.py')?.bytes), 'print("new")\n');
});
