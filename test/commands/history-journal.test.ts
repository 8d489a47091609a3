import {assert, test, type TestContext} from '../helpers/node.ts';
import {fingerprintOf} from '../helpers/remote-terminal.ts';
import {createRemoteClient, createServerFolders, isWrite, parseJson, runCommand, startLiveLike, startLiveLikeService} from './kit.ts';

/* The history of a service that keeps none. */

type Told = Readonly<Record<'id' | 'by' | 'via' | 'name' | 'field' | 'from' | 'to', unknown>>;

/** The entries of `history --json`, the oldest first. */
const entriesIn = (stdout: string): readonly string[] =>
	(parseJson(stdout) as readonly Told[])
		.toReversed()
		.map(({id, by, via, name, field, from, to}) => [id, by, via, name, field, JSON.stringify(from), JSON.stringify(to)].join(' '));

const note = 'This service keeps no history. These are the changes that this machine made or saw; others are missing.\n';

async function start(t: TestContext) {
	const place = await startLiveLike(t);
	return {
		...place,
		/** The entries, once what was noted is there. */
		async told(env = place.env) {
			const {stdout, stderr, exitCode} = await runCommand(['history', '--json'], {env});
			assert.deepEqual([stderr, exitCode], [note, 0]);
			return entriesIn(stdout);
		},
	};
}

test('history tells what commands have done, also where the answer was lost, and not what failed', async (t: TestContext) => {
	const {run, service, told} = await start(t);
	assert.deepEqual(await told(), []);
	await run(['disable', 'lamps']);
	await run(['disable', 'lamps']);
	await run(['agents', 'edit', 'Hearth', '--name', 'Hob', '--prompt', 'Be brief.']);
	// Both attempts are cut; the list shows that it was done.
	service.failNext({cut: 'connection', times: 2, when: isWrite, isCarriedOut: true});
	assert.equal((await run(['disable', 'pantry'])).exitCode, 0);
	service.failNext({status: 500, when: isWrite});
	assert.notEqual((await run(['enable', 'nightwatch'])).exitCode, 0);
	await run(['enable', 'nightwatch', '--dry-run']);
	assert.deepEqual(await told(), [
		'1 you disable lamps enabled true false',
		'2 you agents edit Hearth name "Hearth" "Hob"',
		'3 you agents edit Hearth prompt "You look after a house." "Be brief."',
		'4 you disable pantry enabled true false',
	]);
	const {stdout} = await run(['agents', 'restore', 'Hob', '--list', '--json']);
	assert.equal((parseJson(stdout) as readonly unknown[]).length, 1);
});

test('with SWITCHBOARD_JOURNAL=off nothing is noted', async (t: TestContext) => {
	const {env, told} = await start(t);
	const off = {...env, SWITCHBOARD_JOURNAL: 'off'};
	assert.equal((await runCommand(['disable', 'lamps'], {env: off})).exitCode, 0);
	assert.deepEqual(await told(off), []);
});

test('over SSH a change is noted by the name of who made it, for all who use the profile', async (t: TestContext) => {
	const service = await startLiveLikeService();
	t.after(async () => service.close());
	const folders = await createServerFolders([{name: 'default', baseAddress: service.baseAddress, apiKey: service.apiKey}]);
	const [anna, ben] = ['a', 'b'].map(
		(letter, index) => () =>
			createRemoteClient(folders, {fingerprint: fingerprintOf(letter), person: {name: ['anna', 'ben'][index]!, address: '203.0.113.7'}}),
	);
	assert.equal((await anna!().runWhole(['disable', 'lamps'])).exitCode, 0);
	assert.equal((await ben!().runWhole(['enable', 'lamps'])).exitCode, 0);
	const {stdout, stderr} = await anna!().runWhole(['history', '--json']);
	assert.deepEqual(
		[entriesIn(stdout), stderr],
		[['1 anna disable lamps enabled true false', '2 ben enable lamps enabled false true'], note],
	);
});
