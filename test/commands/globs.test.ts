import {assert, path, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {ended, installedRecord, isWrite, runOnTerminal, startLiveLike} from './kit.ts';

async function start(t: TestContext, names: readonly string[] = ['lamp1', 'Lamp2', 'lamp3', 'porch', 'desk lamp']) {
	const place = await startLiveLike(t, {home: {installed: names.map((name, index) => installedRecord(index + 1, name, true))}});
	const {service} = place;
	service.abilities = names.map((name, index) => ({id: index + 21, name}));
	return {...place, writes: () => service.requests.filter(isWrite).length};
}

const three = 'lamp* matches 3: lamp1, Lamp2, lamp3\n';

test('a glob stands for the installed abilities that fit, which are printed first; each is switched once', async (t: TestContext) => {
	const {run, states, asked} = await start(t);
	assert.deepEqual(
		await run(['disable', 'LAMP?', 'lamp2', 'lamp[3-9]']),
		ended(
			0,
			'1\toff\tlamp1\tchanged\n2\toff\tLamp2\tchanged\n3\toff\tlamp3\tchanged\n',
			'LAMP? matches 3: lamp1, Lamp2, lamp3\nlamp[3-9] matches 1: lamp3\n',
		),
	);
	assert.deepEqual(states(), [false, false, false, true, true]);
	assert.deepEqual(
		await run(['toggle', 'lamp*', 'porch']),
		ended(0, '1\ton\tlamp1\tchanged\n2\ton\tLamp2\tchanged\n3\ton\tlamp3\tchanged\n4\toff\tporch\tchanged\n', three),
	);
	assert.equal(asked().filter(line => line === 'GET').length, 2);
});

test('an id and a name are taken as they are, also where they look like a glob', async (t: TestContext) => {
	const {run} = await start(t, ['lamp*', 'lamp1', 'What?', '?']);
	assert.deepEqual(
		await run(['disable', 'LAMP*', 'what?', '?']),
		ended(0, '1\toff\tlamp*\tchanged\n3\toff\tWhat?\tchanged\n4\toff\t?\tchanged\n'),
	);
	assert.deepEqual(await run(['disable', 'lamp[*]']), ended(0, '1\toff\tlamp*\tunchanged\n', 'lamp[*] matches 1: lamp*\n'));
});

test('a glob that nothing fits, or everything, changes nothing', async (t: TestContext) => {
	const {run, writes} = await start(t);
	for (const [words, exitCode, problem, nextStep] of [
		[
			['disable', 'porch', 'attic*'],
			4,
			'No installed ability matches “attic*”. Nothing was done.',
			'List them with: switchboard installed',
		],
		[['install', 'attic*'], 4, 'No ability matches “attic*”. Nothing was done.', 'List them with: switchboard abilities'],
		[['disable', '**'], 2, '“**” is everything: nothing was done.', 'Use --all if you mean that.'],
		[['install', '*'], 2, '“*” is everything: nothing was done.', 'Add a part of the names.'],
	] as const) {
		assert.deepEqual(await run(words), ended(exitCode, '', `${problem}\n${nextStep}\n`));
	}

	assert.equal(writes(), 0);
});

const noLampStar = (what: string) => ended(4, '', `There is no ${what} “lamp*”. Nothing was done.\nDid you mean: lamp1, Lamp2, lamp3\n`);

test('a star on standard input is a part of a name', async (t: TestContext) => {
	const {run, writes} = await start(t);
	assert.deepEqual(await run(['disable', '-'], {stdin: 'lamp*\n'}), noLampStar('installed ability'));
	assert.deepEqual(await run(['install', '-'], {stdin: 'lamp*\n'}), noLampStar('ability'));
	assert.equal(writes(), 0);
	assert.equal((await run(['disable', 'lamp*', '-'], {stdin: 'porch\n'})).stdout.split('\n').length, 5);
});

test('other commands take no globs', async (t: TestContext) => {
	const {run, writes} = await start(t);
	for (const words of [
		['uninstall', 'lamp*', '--yes'],
		['installed', 'edit', 'lamp*', '--no-triggers'],
	]) {
		assert.deepEqual(await run(words), noLampStar('installed ability'));
	}

	assert.deepEqual(await run(['abilities', 'delete', 'lamp*', '--yes']), noLampStar('ability'));
	assert.equal(writes(), 0);
});

test('--except takes globs too', async (t: TestContext) => {
	const {run} = await start(t);
	assert.deepEqual(await run(['disable', '--all', '--except', 'lamp*,porch']), ended(0, '5\toff\tdesk lamp\tchanged\n', three));
	assert.equal((await run(['disable', '--all', '--except', 'attic*'])).exitCode, 4);
});

test('names with escape sequences are printed clean, and of many the first fifty', async (t: TestContext) => {
	const {run} = await start(
		t,
		Array.from({length: 1060}, (_, index) => `la\u{1B}[31mmp${index}`),
	);
	const {stderr} = await run(['enable', 'lamp*\u{1B}[2J', '--dry-run']);
	const [line] = stderr.split('\n', 1);
	assert.match(line!, /^lamp\* matches 1,060: lamp0, lamp1, .*, lamp49 and 1,010 more$/);
});

test('on a terminal what a glob fits is shown above the question, and after a yes those are switched, as they are by then', async (t: TestContext) => {
	const {env, service, asked} = await start(t);
	const meanwhile = (): void => {
		service.installed = [
			...service.installed.slice(0, 1),
			{...installedRecord(2, 'Lamp2', false)},
			...service.installed.slice(2),
			installedRecord(9, 'lamp9', true),
		];
	};

	const lines = await runOnTerminal(['disable', 'lamp*'], {env, typed: 'y\r', meanwhile});
	assert.deepEqual(lines, [
		0,
		three.trimEnd(),
		'Switch off 3 abilities? [y/N] y',
		'lamp1 is off.',
		'Lamp2 was already off.',
		'lamp3 is off.',
	]);
	assert.deepEqual(
		asked().filter(line => line !== 'GET'),
		['PUT 1 off', 'PUT 3 off'],
	);
});

test('--yes, and a glob that changes nothing, ask no question on a terminal', async (t: TestContext) => {
	const {env} = await start(t);
	for (const words of [
		['enable', 'lamp*'],
		['install', 'lamp*'],
		['disable', 'lamp*', '-y'],
		['install', 'lamp*', '--yes'],
	]) {
		const [exitCode, ...lines] = await runOnTerminal(words, {env});
		assert.deepEqual([exitCode, lines[0], lines.length], [0, three.trimEnd(), 4]);
	}
});

test('where the shell has put files in place of a glob, the error says how to quote it', async (t: TestContext) => {
	const {run, home} = await start(t);
	for (const file of ['lamp.txt', 'lamps.txt']) {
		writeFileSync(path.join(home.folder, file), '');
	}

	const hint = "All these words are names of files here. A glob needs quotes, as in 'lamp*'.\n";
	assert.match(
		(await run(['enable', 'lamp.txt', 'lamps.txt'])).stderr,
		new RegExp(`“lamp\\.txt”\\. Nothing was done\\.\n.*\n${hint.replaceAll(/[*.]/g, String.raw`\$&`)}$`),
	);
	assert.match((await run(['install', 'lamp.txt', 'lamps.txt'])).stderr, /A glob needs quotes/);
	assert.doesNotMatch((await run(['enable', 'lamp.txt'])).stderr, /quotes/);
	assert.doesNotMatch((await run(['enable', 'lamp.txt', 'attic'])).stderr, /quotes/);
});
