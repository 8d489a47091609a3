import process from 'node:process';
import {skipWithoutPostgres} from '../helpers/postgres.ts';
import {createRandom} from '../helpers/terminal/random.ts';
import {pressKeys} from './press-keys.ts';
import {quickTargets} from './quick-targets.ts';
import {postgresChaos} from './service/chaos/postgres-chaos.ts';
import {compareVerdicts} from './service/compare-verdicts.ts';
import {killUnderLoad} from './service/kill-under-load.ts';
import {sendHostileRequests} from './service/send-hostile-requests.ts';
import {toggleChaos} from './toggle-chaos.ts';
import type {Counts, Targets} from './targets.ts';

/*
Random input for everything that reads what comes from outside, for SECONDS (30) with a SEED of its own each time. A
failure prints the seed; SEED=… runs it again. `npm run fuzz -- GROUP…` runs only some of the groups, which share the time.
*/

const seconds = Number(process.env['SECONDS'] ?? 30);
const firstSeed = Number(process.env['SEED'] ?? Date.now() % 1e9);

/** The targets by how long a round takes: one that takes seconds would leave the quick ones few rounds. */
const groups: Readonly<Record<string, Targets>> = {
	quick: {...quickTargets, 'the client and the service take and refuse the same zips': compareVerdicts},
	screen: {'keys pressed at random leave a screen that says what the service stores': pressKeys},
	service: {
		'a service answers what its own OpenAPI document allows and forbids, and stores what was sent': async random =>
			sendHostileRequests(random, 300),
	},
	kills: {
		'a service that is killed under load has lost no acknowledged write': async random => killUnderLoad(random, 1, 5),
		'one of two services on a folder that is killed under load has lost no acknowledged write': async random => killUnderLoad(random, 2, 5),
	},
	postgres:
		skipWithoutPostgres === false
			? {
					'three processes on one PostgreSQL that is restarted lose nothing and show nothing wrong': async random =>
						postgresChaos(random, {kills: 20, restart: 'fast'}),
					'three processes on one PostgreSQL that crashes lose nothing and show nothing wrong': async random =>
						postgresChaos(random, {kills: 20, restart: 'immediate'}),
				}
			: {},
	chaos: {
		'switching ends at what was asked for last, or says for which not, however requests and answers are delayed, lost and repeated':
			toggleChaos,
	},
};

/** Runs targets from the first seed on until the time is over; why one fails, with its title and seed. */
async function runTargets(
	targets: Targets,
	end: number,
): Promise<{readonly rounds: number; readonly counts: Counts; readonly failure?: readonly [title: string, error: unknown]}> {
	let rounds = 0;
	const counts: Record<string, number> = {};
	do {
		for (const [title, target] of Object.entries(targets)) {
			try {
				for (const [name, count] of Object.entries((await target(createRandom(firstSeed + rounds))) ?? {})) {
					counts[name] = (counts[name] ?? 0) + count;
				}
			} catch (error) {
				return {rounds, counts, failure: [`${title} (SEED=${firstSeed + rounds})`, error]};
			}
		}

		rounds++;
	} while (Date.now() < end);

	return {rounds, counts};
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter(name => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
	throw new Error(`There is no group ${unknown.join(', ')}. The groups are: ${Object.keys(groups).join(', ')}`);
}

const run = Object.entries(groups).filter(([name]) => chosen.length === 0 || chosen.includes(name));
const share = (seconds * 1000) / run.length;
for (const [name, targets] of run) {
	const {rounds, counts, failure} = await runTargets(targets, Date.now() + share);
	if (failure !== undefined) {
		console.error(`Not so: ${failure[0]}`, failure[1]);
		process.exitCode = 1;
		break;
	}

	const details = Object.entries(counts)
		.map(([what, count]) => `${what}: ${count}`)
		.join(', ');
	console.log(
		`${name}: ${rounds} rounds of ${Object.keys(targets).length} targets from seed ${firstSeed}, no failure.${details === '' ? '' : ` ${details}.`}`,
	);
}
