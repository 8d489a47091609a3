import {assert, assertNone, delay} from '../../../helpers/node.ts';
import {openApiKeys} from '../../../../source/service/accounts.ts';
import {type PostgresServer, startPostgres} from '../../../helpers/postgres.ts';
import {zipOf} from '../../../service/sample-forms.ts';
import type {Counts, Random} from '../../targets.ts';
import {type Act, createEditor, createSwitcher, createUploader} from './clients.ts';
import {type Processes, startProcesses} from './processes.ts';
import {createWorld, type World} from './world.ts';

const switcherCount = 15;

const editorCount = 1;

const uploaderCount = 4;

/**
Twenty clients write and read through three processes on one PostgreSQL, each request through any of them, while one process is
killed or asked to end every second and the database is restarted once. No acknowledged write is lost, and no client sees
a state that was never there, or that was there before what it could know.

@param restart - `fast`, as for maintenance, or `immediate`, as in a crash.
*/
export async function postgresChaos(
	random: Random,
	{kills, restart}: {readonly kills: number; readonly restart: 'fast' | 'immediate'},
): Promise<Counts> {
	const postgres = await startPostgres();
	const location = await postgres.createDatabase();
	const keys = await openApiKeys(location);
	const {key} = await keys.create();
	await keys.close();
	await using processes = await startProcesses(random, 3, location, key);
	const world = createWorld(async () => processes.pick());
	const clients = await createClients(world, random);
	const state = {isOver: false};
	const run = async (act: Act): Promise<void> => {
		try {
			while (!state.isOver) {
				await act();
				// Leaves the processes that start meanwhile some of the machine.
				await delay(random(20));
			}
		} finally {
			state.isOver = true;
		}
	};

	const disturb = async (): Promise<void> => {
		for (let count = 0; count < kills && !state.isOver; count++) {
			await delay(1000);
			await processes.end(random(4) === 0 ? 'SIGTERM' : 'SIGKILL');
			if (count !== Math.floor(kills / 2)) {
				continue;
			}

			await (restart === 'fast' ? postgres.stop() : postgres.kill());
			await postgres.start();
		}

		await processes.allRunning();
		state.isOver = true;
	};

	try {
		await Promise.all([disturb(), ...clients.map(async act => run(act))]);
		await checkEnd(world, processes);
		await checkSize(postgres, location);
		await checkHealth(postgres, processes);
		await checkEnd(world, processes);
		assertNone(processes.exitCodes, code => code !== 0);
	} finally {
		await postgres.kill();
	}

	return {...world.tally, kills, restarts: 1};
}

async function createClients(world: World, random: Random): Promise<readonly Act[]> {
	const zip = await zipOf({'lamps/main.py': 'class Lamps:\n    pass\n', 'lamps/__init__.py': ''});
	for (let count = 0; count < switcherCount; count++) {
		const {outcome, error} = await world.write(async client =>
			client.uploadAbility({zip, name: `switch${count}`, description: 'Switches.', category: 'skill', triggerPhrases: ['phrase number 0']}),
		);
		assert.equal(outcome, 'done', error?.message);
	}

	const installed = await world.readSurely('installed');
	const agents = await world.readSurely('agents');
	return [
		...installed.map(record => createSwitcher(world, random, record)),
		...agents.slice(0, editorCount).map(agent => createEditor(world, random, agent)),
		...(await Promise.all(Array.from({length: uploaderCount}, async (_, index) => createUploader(world, random, `lamps${index}`)))),
	];
}

/** All processes have the same, and it is whole. */
async function checkEnd(world: World, processes: Processes): Promise<void> {
	await processes.allRunning();
	const seen = new Set<string>();
	for (let count = 0; count < 9; count++) {
		const [agents, abilities, installed] = [
			await world.readSurely('agents'),
			await world.readSurely('abilities'),
			await world.readSurely('installed'),
		];
		const ids = new Set(abilities.map(({id}) => id));
		assertNone(installed, ({abilityId}) => !ids.has(abilityId!));
		assert.deepEqual(
			agents.flatMap(({abilityIds}) => abilityIds ?? []).filter(id => !ids.has(id)),
			[],
		);
		seen.add(JSON.stringify([agents, abilities, installed]));
	}

	assert.equal(seen.size, 1);
}

/** What no list shows: the account's size is that of what is in it. */
async function checkSize(postgres: PostgresServer, location: string): Promise<void> {
	const [row] = await postgres.administer(
		`
		select accounts.bytes as counted,
			(select coalesce(sum(bytes), 0) from switchboard.agents)
			+ (select coalesce(sum(bytes), 0) from switchboard.abilities)
			+ (select coalesce(sum(bytes), 0) from switchboard.releases)
			+ (select coalesce(sum(bytes), 0) from switchboard.installed) as held
		from switchboard.accounts`,
		location,
	);
	assert.equal(row!['counted'], row!['held']);
}

/** While the database is away every process says so, lives, and comes back with it. */
async function checkHealth(postgres: PostgresServer, processes: Processes): Promise<void> {
	const statuses = async (path: string): Promise<readonly number[]> =>
		Promise.all(processes.addresses().map(async address => statusOf(address + path)));
	const waitForReadiness = async (status: number): Promise<void> => {
		const deadline = performance.now() + 30_000;
		for (let found: readonly number[] = []; found.length === 0 || found.some(each => each !== status); ) {
			assert.ok(performance.now() < deadline, `/readyz answers ${found.join(', ')} and not ${status}`);
			await delay(50);
			found = await statuses('/readyz');
		}
	};

	await waitForReadiness(200);
	await postgres.stop();
	try {
		await waitForReadiness(503);
		assert.deepEqual(new Set(await statuses('/healthz')), new Set([200]));
	} finally {
		await postgres.start();
	}

	await waitForReadiness(200);
}

const statusOf = async (address: string): Promise<number> => (await fetch(address)).status;
