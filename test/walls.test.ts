import {readdir} from 'node:fs/promises';
import {posix} from 'node:path';
import {assert, path, readFileSync, test} from './helpers/node.ts';
import {packageOf, readSourceFiles, resolveImport, textsIn} from './helpers/source-imports.ts';

/** The rooms from the top of the house to its cellar; those of one storey never import each other. */
const storeys: ReadonlyArray<readonly string[]> = [
	['cli', 'build'],
	['commands'],
	// The server for those who come over SSH knows neither the screens nor the commands that it runs.
	['tui', 'ssh'],
	// The state file, as the commands and the screens use it.
	['state'],
	// How changes are sent and remembered, for commands and screens.
	['changes'],
	['settings'],
	['client', 'service'],
	// Knows nothing but the interface. The service reads its sample home with it: that lies in folders like any other ability's.
	['bundle'],
	// The table of keys, signs and ages: screens, commands and the manual have the same.
	['words'],
	['terminal'],
	['platform'],
	// The words of all others: records, errors, names. It touches no file and no connection.
	['interface'],
];

/** The same inside the terminal UI. A file that lies directly in it joins the rest, unless it is named here. */
const tuiStoreys: ReadonlyArray<readonly string[]> = [
	['tui'],
	['screens'],
	['app-context'],
	['profiles'],
	['sessions'],
	['views'],
	['hooks'],
	['widgets'],
	['keys'],
	['state'],
	['theme', 'observable'],
];

/** Inside the bundled service, which has a file for each of its own main parts. */
const serviceStoreys: ReadonlyArray<readonly string[]> = [
	['local', 'accounts'],
	['worker'],
	['service'],
	['app'],
	['routes'],
	['conversations'],
	['observability'],
	['http'],
	['lists'],
	['sample'],
	['timer-clock'],
	['callers'],
	['store'],
	['data-folder'],
	['records', 'store-errors'],
];

const files = await readSourceFiles();

type Crossing = {readonly from: string; readonly to: string};

const crossings: readonly Crossing[] = files.flatMap(({path, imports}) =>
	imports
		.map(specifier => resolveImport(path, specifier))
		.filter(to => to !== undefined)
		.map(to => ({from: path, to})),
);

const say = ({from, to}: Crossing): string => `${from} imports ${to}`;

const roomOf = (path: string): string => path.split('/', 1)[0]!.replace(/\.tsx?$/, '');

const storeyOf = (room: string | undefined, house: ReadonlyArray<readonly string[]>): number =>
	house.findIndex(rooms => rooms.includes(room ?? ''));

function tuiRoomOf(path: string): string | undefined {
	const [house, ...inner] = path.split('/');
	if (house !== 'tui') {
		return undefined;
	}

	const room = roomOf(inner.join('/'));
	return inner.length > 1 || storeyOf(room, tuiStoreys) !== -1 ? room : 'tui';
}

const serviceRoomOf = (path: string): string | undefined =>
	path.startsWith('service/') ? roomOf(path.slice('service/'.length)) : undefined;

test('every file lies in a room of the house', () => {
	const homeless = files.filter(
		({path}) =>
			storeyOf(roomOf(path), storeys) === -1 ||
			(roomOf(path) === 'tui' && storeyOf(tuiRoomOf(path), tuiStoreys) === -1) ||
			(roomOf(path) === 'service' && storeyOf(serviceRoomOf(path), serviceStoreys) === -1),
	);
	assert.deepEqual(
		homeless.map(({path}) => path),
		[],
	);
	// A reader that finds nothing would find no crossed wall either.
	assert.ok(files.length > 50);
	assert.ok(crossings.length > 100);
});

test('imports stay inside the house', () => {
	const leaving = crossings.filter(({to}) => to.startsWith('..'));
	assert.deepEqual(
		leaving.map(crossing => say(crossing)),
		[],
	);
});

test('imports point downwards, and never to the room next door', () => {
	const crossed = crossings.filter(({from, to}) => {
		const [here, there] = [roomOf(from), roomOf(to)];
		return here !== there && storeyOf(there, storeys) <= storeyOf(here, storeys);
	});
	assert.deepEqual(
		crossed.map(crossing => say(crossing)),
		[],
	);
});

for (const [house, innerRoomOf, inner] of [
	['terminal UI', tuiRoomOf, tuiStoreys],
	['service', serviceRoomOf, serviceStoreys],
] as const) {
	test(`inside the ${house} imports point downwards too`, () => {
		const crossed = crossings.filter(({from, to}) => {
			const [here, there] = [innerRoomOf(from), innerRoomOf(to)];
			return here !== undefined && there !== undefined && here !== there && storeyOf(there, inner) <= storeyOf(here, inner);
		});
		assert.deepEqual(
			crossed.map(crossing => say(crossing)),
			[],
		);
	});
}

test('of the commands only those that open the terminal UI import it', () => {
	const importers = crossings.filter(({from, to}) => roomOf(from) === 'commands' && roomOf(to) === 'tui').map(({from}) => from);
	assert.deepEqual([...new Set(importers)].toSorted(), ['commands/main.ts', 'commands/open-ui.ts']);
});

/** Those of a circle through a file or a folder, in their order; `undefined` if there is none. */
function circleThrough(start: string, importedBy: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
	const cameFrom = new Map<string, string>();
	const pending = [start];
	for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
		for (const to of importedBy.get(path) ?? []) {
			if (to === start) {
				const circle = [path];
				for (let step = cameFrom.get(path); step !== undefined; step = cameFrom.get(step)) {
					circle.unshift(step);
				}

				return circle;
			}

			if (!cameFrom.has(to)) {
				cameFrom.set(to, path);
				pending.push(to);
			}
		}
	}

	return undefined;
}

const folders = new Set(files.map(({path}) => posix.dirname(path)));

/** A file beside folders counts as a folder: it has a place of its own between them. */
function folderOf(path: string): string {
	const folder = posix.dirname(path);
	return [...folders].some(other => posix.dirname(other) === folder) ? path : folder;
}

for (const [title, placeOf] of [
	['no file imports itself through others, not even for types', (path: string) => path],
	['no folder imports itself through others', folderOf],
] as const) {
	test(title, () => {
		const placed = crossings.map(({from, to}) => [placeOf(from), placeOf(to)] as const).filter(([from, to]) => from !== to);
		const importedBy = new Map(
			[...Map.groupBy(placed, ([from]) => from)].map(([from, pairs]) => [from, new Set(pairs.map(([, to]) => to))]),
		);
		const circles = [...importedBy.keys()].map(place => circleThrough(place, importedBy)).filter(circle => circle !== undefined);
		assert.deepEqual(
			circles.map(circle => circle.join(' → ')),
			[],
		);
	});
}

test('widgets draw and know no service', () => {
	const knowing = crossings.filter(
		({from, to}) => tuiRoomOf(from) === 'widgets' && (tuiRoomOf(to) === 'hooks' || roomOf(to) === 'client' || roomOf(to) === 'service'),
	);
	assert.deepEqual(
		knowing.map(crossing => say(crossing)),
		[],
	);
});

const importersOf = (packageName: string): readonly string[] =>
	files.filter(({imports}) => imports.some(specifier => packageOf(specifier) === packageName)).map(({path}) => path);

for (const [packageName, room] of [
	['conf', 'settings'],
	['got', 'client'],
	['ssh2', 'ssh'],
] as const) {
	test(`${packageName} is used in ${room} alone`, () => {
		const rooms = new Set(importersOf(packageName).map(path => roomOf(path)));
		assert.deepEqual([...rooms], [room]);
	});
}

const storeImplementations = ['service/store/sql/', 'service/store/sqlite/', 'service/store/postgres/'];

const isInImplementation = (path: string): boolean => storeImplementations.some(folder => path.startsWith(folder));

test('routes, keys and the sample home know the store by its verbs: two files choose the database behind it, and a third states the verbs', () => {
	const intruders = crossings.filter(({from, to}) => isInImplementation(to) && !isInImplementation(from));
	assert.deepEqual([...new Set(intruders.map(({from}) => from))].toSorted(), [
		'service/store/maintenance.ts',
		'service/store/open-store.ts',
		'service/store/store.ts',
	]);
});

/** A lock on a file is taken through SQLite; nothing is stored in it. */
const otherImporters: Readonly<Record<string, readonly string[]>> = {kysely: [], 'node:sqlite': ['platform/file-lock.ts']};

for (const [packageName, others] of Object.entries(otherImporters)) {
	test(`${packageName} is used below the verbs of the store alone${others.length === 0 ? '' : `, and in ${others.join(', ')}`}`, () => {
		const importers = importersOf(packageName);
		assert.ok(importers.length > others.length);
		assert.deepEqual(
			importers.filter(path => !isInImplementation(path)),
			others,
		);
	});
}

test('no path of the interface stands outside its table', () => {
	const strays = files
		.filter(({path, text}) => path !== 'interface/endpoints.ts' && text.includes('/api/'))
		.flatMap(file =>
			textsIn(file)
				.filter(text => text.includes('/api/'))
				.map(text => `${file.path}: ${text}`),
		);
	assert.deepEqual(strays, []);
});

const byPath = new Map(files.map(file => [file.path, file]));

/** The files and packages that a file loads at once, with what these load. */
function loadedBy(path: string, loaded = new Set<string>()): ReadonlySet<string> {
	const imports = byPath.get(path)?.text.matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'(?<specifier>[^']+)';$/gm) ?? [];
	for (const {groups} of imports) {
		const specifier = groups!['specifier']!;
		const found = resolveImport(path, specifier) ?? packageOf(specifier)!;
		if (!loaded.has(found)) {
			loaded.add(found);
			loadedBy(found, loaded);
		}
	}

	return loaded;
}

test('the client loads no package but got', () => {
	const loaded = [...loadedBy('client/client.ts')].filter(name => !name.startsWith('node:'));
	const rooms = new Set(loaded.map(name => (byPath.has(name) ? roomOf(name) : name)));
	assert.deepEqual([...rooms].toSorted(), ['client', 'got', 'interface']);
});

test('the help needs neither the screens nor a client', () => {
	const helpFiles = [...byPath.keys()].filter(name => /^(?:commands\/help[./]|state\/schema\.)/.test(name));
	assert.ok(helpFiles.includes('commands/help/topics.ts'));
	const loaded = helpFiles.flatMap(name => [...loadedBy(name)]);
	assert.deepEqual(
		loaded.filter(name => ['ink', 'react', '@tanstack/react-query', 'got', 'fastify', 'conf'].includes(name)),
		[],
	);
});

test('helpers of tests leave hooks to the files that use them: several files share a process, and a helper is loaded once', async () => {
	const folder = import.meta.dirname;
	const names = (await readdir(folder, {recursive: true})).filter(name => /(?<!\.test)\.tsx?$/.test(name));
	const withHooks = names.filter(name => /^(?:after|before)(?:Each)?\(/m.test(readFileSync(path.join(folder, name), 'utf8')));
	// It ends the process, whichever files are in it.
	assert.deepEqual(withHooks, ['helpers/end-with-tests.ts']);
});

/** An arrow at the top level of a file, up to its body. */
const arrow = String.raw`const (\w+) = (?:async )?(?:<.+>)?(?:\w+|\((?:.*|\n(?:\t.*\n)+)\)(?:: .+)?) =>`;

const nounsLikeVerbs = new Set([
	'Always',
	'Columns',
	'Details',
	'Files',
	'Its',
	'Keys',
	'Lines',
	'Others',
	'Records',
	'Rows',
	'Texts',
	'This',
	'Words',
]);

test('exported functions, and those with a block, are declarations; the docstring of an exported one begins with a verb', async () => {
	// The patches hold other people's code as text.
	const files = (await readSourceFiles()).filter(({path: name}) => name !== 'build/patches.ts');
	assert.deepEqual(
		files.flatMap(({path: name, text}) =>
			[...text.matchAll(new RegExp(String.raw`^(?:export ${arrow}|${arrow} \{$)`, 'gm'))].map(found => `${name}: ${found[1] ?? found[2]!}`),
		),
		[],
	);
	assert.deepEqual(
		files.flatMap(({path: name, text}) =>
			[...text.matchAll(/\/\*\*\s*(\S+)(?:(?!\*\/)[^])*\*\/\nexport (?:async )?function (\w+)/g)]
				.filter(([, word = '']) => !/^(?:[A-Z][a-z]+s,?|@.*)$/.test(word) || nounsLikeVerbs.has(word))
				.map(([, word, called]) => `${name}: ${called!}: ${word!} …`),
		),
		[],
	);
});
