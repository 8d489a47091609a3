import {after, assert, test} from '../helpers/node.ts';
import {ended, shareServedHome} from './kit.ts';

const served = await shareServedHome({after});

const rule = 'This is how the bundled service matches phrases; others may differ.\n';

test('a sentence is shown with what it would start for each agent, and why others do not', async () => {
	assert.deepEqual(
		await served.run(['phrases', 'Well, good morning!', '--columns', 'agent,starts,phrase']),
		ended(0, 'Hearth\tmorninglights\tgood morning\nPepper\t–\t\nDesk\t–\t\n', rule),
	);
	assert.deepEqual(
		await served.run(['phrases', 'next song', '--agent', 'desk', '--columns', 'starts,off']),
		ended(0, '–\tdeskmusic\n', rule),
	);
	const {stdout} = await served.run(['phrases', 'good night', '--agent', 'Hearth', '--json']);
	const [{agent, starts}] = JSON.parse(stdout) as [{agent: string; starts: {name: string; phrase: string}}];
	assert.deepEqual([agent, starts.name, starts.phrase], ['Hearth', 'goodnight', 'good night']);
});

test('without a sentence all phrases are listed, with those that nothing listens for', async () => {
	const {stdout, exitCode} = await served.run(['phrases', '--columns', 'phrase,ability,state,agents,note']);
	assert.equal(exitCode, 0);
	const lines = new Set(stdout.split('\n'));
	assert.ok(lines.has('good morning\tmorninglights\ton\tHearth\t'));
	assert.ok(lines.has('next song\tdeskmusic\toff\tDesk\tnothing listens'));
	assert.ok(lines.has('medicine times\tmedicinetime\ton\tHearth\ta daemon has no phrases'));
	assert.ok(lines.has('what can we cook\tdinnerideas\ton\tPepper\tthe agent decides'));
	const listed = JSON.parse((await served.run(['phrases', '--agent', 'Desk', '--json'])).stdout) as ReadonlyArray<{
		name: string;
		heard: boolean;
		agents: readonly string[];
	}>;
	assert.deepEqual(new Set(listed.map(({name}) => name)), new Set(['deskmusic', 'printerqueue']));
	assert.ok(listed.every(({heard, agents}) => !heard && agents.join(',') === 'Desk'));
});

test('a sentence without words, an unknown agent and a column of the other list are refused', async () => {
	for (const [words, exitCode, message] of [
		[['phrases', ' ?! '], 2, /The sentence has no words\./],
		[['phrases', 'hello', '--agent', 'nobody'], 4, /There is no agent “nobody”\./],
		[['phrases', 'hello', '--columns', 'note'], 2, /agent, starts, phrase/],
		[['phrases', '--columns', 'starts'], 2, /phrase, ability, state/],
	] as const) {
		const ran = await served.run([...words]);
		assert.equal(ran.exitCode, exitCode, words.join(' '));
		assert.equal(ran.stdout, '');
		assert.match(ran.stderr, message);
	}
});
