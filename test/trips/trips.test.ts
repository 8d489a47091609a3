import {assert, assertNone, path, readFileSync, test} from '../helpers/node.ts';
import {traceTrips} from './trace.ts';

/** The trips of `docs/architecture.md`: a heading of each, and the files in the order in which a reader meets them. */
function readTrips(): ReadonlyMap<string, readonly string[]> {
	const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/architecture.md'), 'utf8');
	return new Map(
		page
			.split('\n### ')
			.slice(1)
			.map(section => [
				section.split('\n', 1)[0]!.replaceAll('`', ''),
				[...section.split('\n## ', 1)[0]!.matchAll(/^\d+\. `(?<file>[^`]+)`/gm)].map(({groups}) => groups!['file']!),
			]),
	);
}

test('each trip of the page on the architecture enters the files that it lists', async () => {
	const traced = await traceTrips();
	const listed = readTrips();
	assert.ok(listed.size >= 3);
	for (const [trip, files] of listed) {
		const entered = [...traced].find(([name]) => trip.startsWith(name))?.[1];
		assert.ok(entered !== undefined, `“${trip}” is not traced`);
		assert.ok(files.length > 10, `“${trip}” lists ${files.length} files`);
		assertNone(files, file => !entered.includes(file), `“${trip}” does not enter these`);
	}
});
