import {assert, Buffer, existsSync, path, test, type TestContext} from '../helpers/node.ts';
import type {Client} from '../../source/client/client.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import type {HistoryEntry} from '../../source/interface/history.ts';
import {decodeRecord, type Records, type Resource} from '../../source/interface/records.ts';
import {openLog} from '../../source/changes/log.ts';
import {recordChanges} from '../../source/changes/recorded-client.ts';
import {zip} from '../helpers/live-like/zips.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {clientOf, failureOf, startLiveLike} from '../client/clients.ts';

const newFolder = (): string => path.join(temporaryFolder(), 'switchboard');

/** A recorded client on a journal in a folder of its own. */
function record(
	client: Client,
	{stateFolder = newFolder(), ...options}: Partial<Parameters<typeof recordChanges>[1]> & {readonly stateFolder?: string} = {},
) {
	const notes: string[] = [];
	const missing: string[] = [];
	const journal = openLog('a', {stateFolder});
	const recorded = recordChanges(client, {
		openLog: () => journal,
		via: 'apply',
		session: 'session',
		note(text) {
			notes.push(text);
		},
		noteMissing(text) {
			missing.push(text);
		},
		delayMilliseconds: 0,
		...options,
	});
	return {...recorded, journal, notes, missing, stateFolder};
}

const oldestFirst = (entries: readonly HistoryEntry[]) =>
	entries.toReversed().map(({id, kind, name, record: recordId, field, from, to}) => [id, kind, name, recordId, field, from, to]);

async function find<R extends Resource>(client: Client, resource: R, name: string): Promise<Records[R]> {
	const {records} = await client.list(resource);
	return records.find(each => each.name === name)!;
}

const files = [
	{path: 'main.py', bytes: Buffer.from('print()')},
	{path: '__init__.py', bytes: Buffer.alloc(0)},
];

const upload = {name: 'attic', description: 'Looks after the attic', category: 'skill', triggerPhrases: ['attic please']};

test('all that is changed from here is in the journal of a service without a history, with what was and what is', async t => {
	const {client, journal, close} = record(clientOf(await startLiveLike(t)));
	const desk = await find(client, 'abilities', 'desk');
	await client.editInstalled(await find(client, 'installed', 'lamps'), {enabled: false});
	await client.editInstalled(await find(client, 'installed', 'lamps'), {triggers: ['it is late']});
	await client.editAgent(await find(client, 'agents', 'Hearth'), {name: 'Hob', prompt: 'You cook.', abilities: [22, 21]});
	await client.uploadAbility({...upload, zip: await zip(files.map(file => ({...file, path: `attic/${file.path}`})))});
	await client.installAbility(desk);
	await client.uninstallAbility(await find(client, 'installed', 'nightwatch'));
	await client.deleteAbility(await find(client, 'abilities', 'pantry'));
	const {releaseId} = await client.getInstalledByAbility(21);
	await client.releaseCode(releaseId!, {zip: await zip(files), message: 'Mend'});
	// It is off already.
	await client.editInstalled(await find(client, 'installed', 'lamps'), {enabled: false});
	await client.list('abilities');
	await close();
	assert.deepEqual(oldestFirst(journal.changes()), [
		[1, 'installed', 'lamps', 301, 'enabled', true, false],
		[2, 'installed', 'lamps', 301, 'triggers', ['lamps please', 'it is dark'], ['it is late']],
		[3, 'agent', 'Hearth', 1, 'name', 'Hearth', 'Hob'],
		[4, 'agent', 'Hearth', 1, 'prompt', 'You look after a house.', 'You cook.'],
		// The service shows no abilities of agents.
		[5, 'agent', 'Hearth', 1, 'abilities', null, ['lamps', 'pantry']],
		[6, 'ability', 'attic', 25, 'exists', false, true],
		[7, 'installed', 'desk', 304, 'installed', false, true],
		[8, 'installed', 'nightwatch', 303, 'installed', true, false],
		[9, 'ability', 'pantry', 22, 'exists', true, false],
		[10, 'ability', 'lamps', 21, 'version', '1.0.0', '1.0.1'],
	]);
	assert.deepEqual(new Set(journal.changes().map(({by, via, key}) => `${by} ${via} ${key}`)), new Set(['you apply null']));
	assert.deepEqual(
		journal.list().map(({text}) => text),
		['You look after a house.'],
	);
});

const lost = new SwitchboardError('timeout', 'No answer came.', {isOutcomeUnknown: true});

test('a change whose answer is lost is noted once a list shows it, and one that failed is not', async t => {
	const service = await startLiveLike(t);
	const bare = clientOf(service);
	const answers = ['lost', 'lost', 'refused'];
	const {client, journal} = record({
		...bare,
		async editInstalled(...given) {
			const answer = answers.shift();
			if (answer === 'refused') {
				throw new SwitchboardError('refused', 'No.');
			}

			if (answers.length === 1) {
				// This one arrives later.
				throw lost;
			}

			await bare.editInstalled(...given);
			throw lost;
		},
		async uploadAbility(...given) {
			await bare.uploadAbility(...given);
			throw lost;
		},
		async deleteAbility() {
			throw lost;
		},
	});
	/** The entries, once both lists were read. */
	const seen = async (): Promise<readonly string[]> => {
		await client.list('installed');
		await client.list('abilities');
		return journal.changes().map(({id, name, field}) => `${id} ${name} ${field}`);
	};

	const lamps = await find(client, 'installed', 'lamps');
	const pantry = await find(client, 'installed', 'pantry');
	const nightwatch = await find(client, 'installed', 'nightwatch');
	const desk = await find(client, 'abilities', 'desk');
	await failureOf(client.editInstalled(lamps, {enabled: false}));
	await failureOf(client.editInstalled(pantry, {enabled: false}));
	await failureOf(client.editInstalled(nightwatch, {enabled: true}));
	await failureOf(client.deleteAbility(desk));
	assert.deepEqual(journal.changes(), []);
	assert.deepEqual(await seen(), ['1 lamps enabled']);
	await failureOf(client.uploadAbility({...upload, zip: await zip(files.map(file => ({...file, path: `attic/${file.path}`})))}));
	await bare.editInstalled(pantry, {enabled: false});
	await seen();
	// Each only once.
	assert.deepEqual(await seen(), ['3 attic exists', '2 pantry enabled', '1 lamps enabled']);
});

test('of a service that keeps a history only own changes are noted; it is asked once something was seen, and one that has no versions of lists is not even asked', async t => {
	const service = await startLiveLike(t);
	const bare = clientOf(service);
	let count = 0;
	const {client, journal, noteSeen, close} = record({
		...bare,
		async list(...given) {
			return {...(await bare.list(...given)), version: 'v1'};
		},
		async readHistory() {
			count++;
			return {entries: [], next: undefined};
		},
	});
	const lamps = await find(client, 'installed', 'lamps');
	await client.editInstalled(lamps, {enabled: false});
	await client.editInstalled(lamps, {enabled: true});
	assert.equal(count, 0);
	noteSeen([{kind: 'installed', name: 'pantry', record: 302, field: 'enabled', from: true, to: false}], Date.now());
	await close();
	assert.deepEqual([count, journal.changes().map(({by, name}) => `${by} ${name}`)], [1, ['you lamps']]);

	const other = record(bare);
	const pantry = await find(other.client, 'installed', 'pantry');
	await other.client.editInstalled(pantry, {enabled: false});
	assert.deepEqual(
		[other.journal.changes().length, service.requests.filter(({path: requested}) => requested === '/history').length],
		[1, 0],
	);
});

test('a change is made though it cannot be noted, which is said once', async t => {
	const service = await startLiveLike(t);
	const {client, missing, notes} = record(clientOf(service), {stateFolder: '/proc/nobody'});
	const lamps = await find(client, 'installed', 'lamps');
	await client.editInstalled(lamps, {enabled: false});
	await client.editInstalled(lamps, {enabled: true});
	assert.deepEqual([missing, notes], [['The history on this machine misses changes: no such file or directory: /proc/nobody.'], []]);
});

test('on the screens a change does not wait to be noted, and closing does; nothing is noted once the account is signed out', async t => {
	for (const isForgotten of [false, true]) {
		const service = await startLiveLike(t);
		const {client, journal, stateFolder, close, forget, noteSeen} = record(clientOf(service), {
			delayMilliseconds: 60_000,
			by: 'anna',
			via: 'screen',
		});
		const lamps = await find(client, 'installed', 'lamps');
		const pantry = await find(client, 'installed', 'pantry');
		await client.editInstalled(lamps, {enabled: false});
		await client.editInstalled(pantry, {enabled: false});
		noteSeen([{kind: 'installed', name: 'nightwatch', record: 303, field: 'enabled', from: false, to: true}], Date.now());
		assert.equal(existsSync(stateFolder), false);
		if (isForgotten) {
			forget();
		}

		await close();
		assert.deepEqual(
			journal.changes().map(({id, by, via, name}) => `${id} ${by} ${via} ${name}`),
			isForgotten ? [] : ['3 elsewhere screen nightwatch', '2 anna screen pantry', '1 anna screen lamps'],
		);
	}
});

/** A client whose edits are told, with the texts that are kept then. */
function openKeeper(stateFolder = newFolder()) {
	const sent: unknown[] = [];
	const texts = () => opened.journal.list().map(({version, text}) => [version, text]);
	const client: Partial<Client> = {
		async editAgent(agent, changes) {
			sent.push([changes.prompt, texts()]);
			return agent;
		},
		async readHistory() {
			return {entries: [], next: undefined};
		},
	};
	const opened = record(client as Client, {stateFolder});
	return {...opened, sent};
}

const agentWith = (fields: object) => decodeRecord('agents', {id: 1, name: 'Hearth', ...fields})!;

test('a client keeps a prompt before it sends another one', async () => {
	const {client, journal, sent} = openKeeper();
	await client.editAgent(agentWith({description: ' before\r\n'}), {prompt: 'after'});
	assert.deepEqual([sent, journal.list().map(({name, via}) => [name, via])], [[['after', [[1, ' before\r\n']]]], [['Hearth', 'apply']]]);
});

test('nothing is kept of a prompt that stays, is empty or is not shown, nor where the journal is off', async (t: TestContext) => {
	const {client, journal, sent, stateFolder} = openKeeper();
	const before = agentWith({description: 'before'});
	await client.editAgent(before, {prompt: 'before'});
	await client.editAgent(before, {name: 'Hob'});
	await client.editAgent(agentWith({description: ' \n'}), {prompt: 'after'});
	await client.editAgent(agentWith({}), {prompt: 'after'});
	setVariables(t, {SWITCHBOARD_JOURNAL: 'off'});
	await client.editAgent(before, {prompt: 'after'});
	assert.deepEqual([sent.length, journal.list()], [5, []]);
	assert.equal(existsSync(stateFolder), false);
});

test('a prompt that cannot be kept is not changed, unless it may be lost', async () => {
	const {client, sent, notes} = openKeeper('/proc/nobody');
	const agent = agentWith({description: 'before'});
	const problem = 'The present prompt of Hearth cannot be kept: no such file or directory: /proc/nobody.';
	await assert.rejects(client.editAgent(agent, {prompt: 'after'}), {
		kind: 'not-kept',
		message: `${problem} It was not changed.`,
		nextStep: 'Use --yes to change it anyway.',
	});
	assert.deepEqual([sent, notes], [[], []]);
	await client.editAgent(agent, {prompt: 'after', canLosePrompt: true});
	assert.deepEqual([sent, notes], [[['after', []]], [problem]]);
});
