import {assert, test} from '../helpers/node.ts';
import {killUnderLoad} from '../fuzz/service/kill-under-load.ts';
import {createRandom} from '../helpers/terminal/random.ts';

test('a service that is killed while eight clients write has every acknowledged write, and others whole or not at all', async () => {
	const counts = await killUnderLoad(createRandom(3), 1, 2);
	assert.equal(counts['kills'], 2);
	assert.ok(counts['writes acknowledged']! >= 20);
});

test('one of two services on a folder can be killed while clients write to both, and nothing acknowledged is lost', async () => {
	const counts = await killUnderLoad(createRandom(4), 2, 2);
	assert.equal(counts['kills'], 2);
	assert.ok(counts['writes acknowledged']! >= 20);
});
