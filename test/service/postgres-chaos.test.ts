import {assert, test} from '../helpers/node.ts';
import {postgresChaos} from '../fuzz/service/chaos/postgres-chaos.ts';
import {skipWithoutPostgres as skip} from '../helpers/postgres.ts';
import {createRandom} from '../helpers/terminal/random.ts';

for (const [restart, seed] of [
	['fast', 5],
	['immediate', 6],
] as const) {
	test(`three processes on one PostgreSQL, of which one ends every second, lose nothing and show nothing wrong while it is restarted (${restart})`, {
		skip,
	}, async () => {
		const counts = await postgresChaos(createRandom(seed), {kills: 3, restart});
		assert.ok(counts['writes acknowledged']! >= 50, JSON.stringify(counts));
		assert.ok(counts['reads']! >= 50, JSON.stringify(counts));
	});
}
