import {after, assert, test} from '../helpers/node.ts';
import {ended, shareServedHome} from './kit.ts';

const served = await shareServedHome({after});

async function names(...words: readonly string[]): Promise<readonly string[]> {
	const {stdout, stderr, exitCode} = await served.run([...words, '--columns', 'name']);
	assert.equal(exitCode, 0, stderr);
	return stdout.split('\n').filter(line => line !== '');
}

test('installed abilities are narrowed by state, agent, category and words, which all must fit', async () => {
	assert.deepEqual(await names('installed', '--off'), ['nightwatch', 'deskmusic', 'printerqueue']);
	assert.deepEqual(await names('installed', '--off', '--agent', 'hearth'), ['nightwatch']);
	for (const category of ['daemon', 'background_daemon', 'Background daemon']) {
		assert.deepEqual(await names('installed', '--on', '--category', category), ['medicinetime', 'laundrywatch']);
	}

	assert.deepEqual(await names('installed', '--search', 'HOUSE wake'), ['morninglights']);
	assert.deepEqual(await served.run(['installed', '--on', '--search', 'nightwatch']), ended(0, '', 'No installed ability matches.\n'));
});

test('all three lists take a filter as the screens do', async () => {
	assert.deepEqual(await names('installed', '--filter', 'is:off agent:hearth'), ['nightwatch']);
	assert.deepEqual(await names('abilities', '--filter', 'is:off category:local'), ['deskmusic', 'printerqueue']);
	assert.deepEqual(await names('agents', '--filter', 'agent:hearth'), ['Hearth']);
	assert.deepEqual(await names('installed', '--filter', 'changed:<1d'), ['shoppinglist']);
	// Letters apart count only where the words occur nowhere.
	assert.deepEqual(await names('installed', '--filter', 'mlt'), ['morninglights']);
});

test('a filter that means nothing is refused with the terms that there are', async () => {
	for (const filter of ['foo:bar', 'is:lit', 'is:of', 'agent:', '!is:marked', 'is:off foo:\u{1B}[31mx']) {
		const {exitCode, stdout, stderr} = await served.run(['installed', '--filter', filter]);
		assert.equal(exitCode, 2, filter);
		assert.equal(stdout, '');
		assert.match(stderr, /is:on, is:off, is:timed, category:NAME, agent:NAME/);
		assert.doesNotMatch(stderr, /\u{1B}/u);
	}
});

test('an empty filter or search, such as that of an unset variable, does not list everything', async () => {
	for (const flag of ['--filter', '--search']) {
		assert.deepEqual(
			await served.run(['installed', flag, ' ']),
			ended(2, '', `The value for ${flag} is empty.\nUse words to look for, or leave it out.\n`),
		);
	}

	assert.equal((await served.run(['installed', '--on', '--off'])).exitCode, 2);
	assert.equal((await served.run(['installed', '--agent', 'nobody'])).exitCode, 4);
});

test('the short words and flags of other programs do the same as ours', async () => {
	for (const [short, long] of [
		[
			['installed', 'ls', '-o', 'json'],
			['installed', '--json'],
		],
		[
			['abilities', 'show', 'pantry'],
			['abilities', 'get', 'pantry'],
		],
		[['-V'], ['--version']],
		[
			['on', 'pantry', '--dry-run'],
			['enable', 'pantry', '--dry-run'],
		],
		[
			['off', 'pantry', '--dry-run'],
			['disable', 'pantry', '--dry-run'],
		],
		[
			['abilities', 'rm', 'pantry', '-y', '--dry-run'],
			['abilities', 'delete', 'pantry', '--yes', '--dry-run'],
		],
		[
			['help', 'abilities', 'rm'],
			['abilities', 'delete', '--help'],
		],
	] as const) {
		const [first, second] = [await served.run(short), await served.run(long)];
		assert.equal(first.exitCode, 0, first.stderr);
		assert.deepEqual(first, second);
	}

	const {stderr, exitCode} = await served.run(['abilities', 'rm', 'nothing', '-y', '--format', 'x']);
	assert.equal(exitCode, 2);
	assert.match(stderr, /switchboard abilities delete/);
});

test('errors are JSON where -o json asks for it', async () => {
	const {stderr} = await served.run(['installed', '-o', 'json', '--agent', 'nobody']);
	assert.match(stderr, /^\{"error":\{"kind":"not-found"/);
});

test('--timeout takes seconds, or a number with its unit', async () => {
	for (const time of ['20', '20s', '2m', '20000ms', '0.5m']) {
		assert.equal((await served.run(['agents', '--timeout', time])).exitCode, 0, time);
	}

	for (const time of ['5h', 'ms', '0s', '1441m', '5 s']) {
		assert.equal((await served.run(['agents', '--timeout', time])).exitCode, 2, time);
	}
});

test('completion offers an alias once it is begun, and goes on after it', async () => {
	const complete = async (...words: readonly string[]): Promise<readonly string[]> =>
		(await served.run(['__complete-zsh', ...words])).stdout.split('\n').map(line => line.split('\t', 1)[0]!);
	await served.run(['installed']);
	assert.ok((await complete('of')).includes('off'));
	assert.ok(!(await complete('')).includes('off'));
	assert.ok((await complete('off', 'pan')).includes('pantry'));
	assert.ok((await complete('abilities', 'rm', '--y')).includes('--yes'));
});
