import {assert, test} from '../helpers/node.ts';
import {createRandom} from '../helpers/terminal/random.ts';
import {chaosRound} from './toggle-chaos.ts';

for (const seed of [1, 2]) {
	test(`switching under chaos ends at what was asked for last, or says for which not (seed ${seed}; npm run fuzz has more)`, async () => {
		const {sequences, asked} = await chaosRound(createRandom(seed), 8);
		assert.equal(sequences, 8);
		assert.ok(asked > 10);
	});
}
