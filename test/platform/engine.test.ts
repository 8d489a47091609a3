import {assert, assertMapped, path, process, spawnSync, test} from '../helpers/node.ts';
import {pathToFileURL} from 'node:url';

const engineModule = pathToFileURL(path.join(import.meta.dirname, '../../source/platform/engine.ts')).href;

/** Makes and keeps many objects, as filtering a long list does, and prints how large the young generation has become. */
const work = `
const {keepHeapSmall, makeRoomForList} = await import(${JSON.stringify(engineModule)});
const v8 = await import('node:v8');
const youngMegabytes = () => {
	for (let round = 0; round < 4; round++) {
		globalThis.kept = Array.from({length: 100_000}, (_, index) => ({index, text: 'row ' + index}));
	}

	return v8.getHeapSpaceStatistics().find(space => space.space_name === 'new_space').space_size / 1024 / 1024;
};
keepHeapSmall();
const sizes = [youngMegabytes()];
for (const recordCount of [10_000, 100_000]) {
	makeRoomForList(recordCount);
	sizes.push(youngMegabytes());
}

console.log(JSON.stringify(sizes));`;

test('the heap stays small, unless a list is very long', () => {
	const {stdout, stderr} = spawnSync(process.execPath, ['--input-type=module', '--eval', work], {
		encoding: 'utf8',
		env: {PATH: process.env['PATH']},
	});
	// V8 reports a flag that it does not know.
	assert.equal(stderr, '');
	const sizes = JSON.parse(stdout) as readonly number[];
	assertMapped(sizes, megabytes => megabytes < 16, [true, true, false], stdout);
});
